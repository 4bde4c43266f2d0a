using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

namespace TcpDiag.ShimBench;

/// <summary>The processors of this machine, by /proc/stat (proc_stat(5)).</summary>
/// <remarks>
/// Busy is what was not idle: a kernel without a tick in idle times idleness exactly, while it counts busy time by sampling at the tick, which work that a
/// timer starts and that ends before the next tick goes unseen by.
/// </remarks>
/// <param name="BusyUs">Time spent on anything, microseconds over all processors.</param>
/// <param name="StolenUs">Time in which the host of a virtual machine ran something else, microseconds over all processors: no priority helps against
/// it.</param>
readonly record struct Machine(double BusyUs, double StolenUs)
{
    const double UnitUs = 10_000; // USER_HZ is 100
    static readonly TimeSpan Window = TimeSpan.FromSeconds(2);

    /// <summary>Above this share of other work the figures of a run are marked.</summary>
    public const double QuietShare = 0.05;

    /// <summary>The counters as they stand.</summary>
    public static Machine Read()
    {
        string[] words = File.ReadLines("/proc/stat").First().Split(' ', StringSplitOptions.RemoveEmptyEntries);
        long[] ticks = [.. words.Skip(1).Select(word => long.Parse(word, CultureInfo.InvariantCulture))];

        // user, nice, system, idle, iowait, irq, softirq, steal
        double stolenUs = ticks[7] * UnitUs;
        double idleUs = (ticks[3] + ticks[4]) * UnitUs;
        return new Machine((Stopwatch.GetElapsedTime(0).TotalMicroseconds * Environment.ProcessorCount) - idleUs - stolenUs, stolenUs);
    }

    /// <summary>What others use of the machine, as a share of all processors: measured while this program waits.</summary>
    public static double OtherWork()
    {
        Machine before = Read();
        using ManualResetEventSlim never = new(initialState: false);
        never.Wait(Window);
        return (Read().BusyUs - before.BusyUs) / (Window.TotalMicroseconds * Environment.ProcessorCount);
    }

    /// <summary>What a share of it was, of one packet for instance.</summary>
    /// <param name="parts">How many parts.</param>
    public Machine Each(double parts) => new(BusyUs / parts, StolenUs / parts);

    /// <summary>What was spent since an earlier reading.</summary>
    public Machine Since(Machine earlier) => new(BusyUs - earlier.BusyUs, StolenUs - earlier.StolenUs);
}
