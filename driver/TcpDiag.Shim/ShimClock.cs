using System;
using System.Diagnostics;
using TcpDiag.Wire;

namespace TcpDiag.Shim;

/// <summary>
/// The clock of a run: the system's monotonic clock, set to the time of day once at the start. So its instants can be laid beside a capture, and no adjustment
/// of the time of day moves a packet.
/// </summary>
public sealed class ShimClock
{
    const long NanosecondsPerSecond = 1_000_000_000;
    const long NanosecondsPerTick = 100;

    // The first readings of a process wait for the compiler, and any may lose its processor for milliseconds.
    const int Readings = 8;

    readonly long _offsetNs;

    /// <summary>Takes the time of day now: of several readings the one whose moment is known best.</summary>
    /// <param name="time">Where the time of day comes from.</param>
    public ShimClock(TimeProvider time)
    {
        long least = long.MaxValue;
        for (int reading = 0; reading < Readings; reading++)
        {
            long before = MonotonicNs();
            long unixNs = (time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * NanosecondsPerTick;
            long took = MonotonicNs() - before;
            if (took < least)
            {
                least = took;
                _offsetNs = unixNs - before - (took / 2);
            }
        }
    }

    /// <summary>The time now.</summary>
    public TraceTime Now => new(MonotonicNs() + _offsetNs);

    // On Linux and macOS the frequency is 10⁹ and the first branch is taken; on Windows it is 10⁷.
    static long MonotonicNs()
    {
        long ticks = Stopwatch.GetTimestamp();
        return Stopwatch.Frequency == NanosecondsPerSecond ? ticks : ticks * (NanosecondsPerSecond / Stopwatch.Frequency);
    }
}
