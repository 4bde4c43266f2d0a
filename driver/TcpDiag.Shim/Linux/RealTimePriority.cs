using System;
using TcpDiag.Shim.Divert;

namespace TcpDiag.Shim.Linux;

/// <summary>
/// Gives the calling thread the means to wake on time: SCHED_FIFO (sched(7)), whose timers have no slack; where that is refused, at least a slack of one
/// nanosecond instead of 50 µs. The thread waits for packets and timers and never spins, so it starves nobody.
/// </summary>
static class RealTimePriority
{
    const int SchedFifo = 1;

    // In the middle: above everything ordinary, below the kernel's own threads that use 50 and more.
    const int Priority = 40;

    // prctl(2): PR_SET_TIMERSLACK.
    const int SetTimerSlack = 29;

    /// <summary>Raises the calling thread.</summary>
    /// <returns>False when the system does not allow it; the thread then runs as before.</returns>
    public static bool TryTake()
    {
        if (OperatingSystem.IsWindows())
        {
            return ThreadUrgency.TryRaise();
        }

        if (!OperatingSystem.IsLinux())
        {
            return false;
        }

        _ = Libc.ControlProcess(SetTimerSlack, 1);
        return Libc.SetScheduler(0, SchedFifo, Priority) == 0;
    }
}
