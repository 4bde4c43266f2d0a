using System;
using System.Diagnostics;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Wine.Host;

/// <summary>A timer that is set, and waited for.</summary>
static class TimerCase
{
    /// <summary>Prints whether it was signaled once, and not before its time.</summary>
    public static void Run()
    {
        using WakeTimer timer = new();
        long start = Stopwatch.GetTimestamp();
        timer.Set(5_000_000);
        bool isSignaled = timer.WaitOne(TimeSpan.FromSeconds(30));
        TimeSpan taken = Stopwatch.GetElapsedTime(start);
        Console.WriteLine($"signaled {isSignaled}, early {taken < TimeSpan.FromMilliseconds(4.9)}, again {timer.WaitOne(0)}");
    }
}
