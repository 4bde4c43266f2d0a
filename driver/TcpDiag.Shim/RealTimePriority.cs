using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Shim;

/// <summary>
/// Gives the calling thread the means to wake on time. Linux: SCHED_FIFO (sched(7)), whose timers have no slack; where that is refused, at least a slack of one
/// nanosecond instead of 50 µs. Windows: the highest priority that needs no privilege, THREAD_PRIORITY_TIME_CRITICAL, 15 of 31. Such a thread waits
/// for packets and timers and never spins, so it starves nobody.
/// </summary>
static partial class RealTimePriority
{
    // In the middle: above everything ordinary, below the kernel's own threads that use 50 and more.
    const int FifoPriority = 40;

    const int TimeCritical = 15;

    /// <summary>Raises the calling thread.</summary>
    /// <returns>False when the system does not allow it; the thread then runs as before.</returns>
    public static bool TryTake() => OperatingSystem.IsWindows() ? TryTakeWindows() : OperatingSystem.IsLinux() && TryTakeLinux();

    static bool TryTakeLinux()
    {
        _ = Libc.ControlProcess(Libc.SetTimerSlack, 1);
        return Libc.SetScheduler(0, Libc.SchedFifo, FifoPriority) == 0;
    }

    [SupportedOSPlatform("windows")]
    static bool TryTakeWindows() => SetThreadPriority(GetCurrentThread(), TimeCritical);

    // A pseudo handle that is not to be closed.
    [LibraryImport("kernel32", EntryPoint = "GetCurrentThread")]
    private static partial nint GetCurrentThread();

    [LibraryImport("kernel32", EntryPoint = "SetThreadPriority", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool SetThreadPriority(nint thread, int priority);
}
