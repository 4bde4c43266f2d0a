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
    const long NanosPerSecond = 1_000_000_000;
    const long NanosPerTick = 100;

    // The first readings of a process wait for the compiler, and any may lose its processor for milliseconds.
    const int Readings = 8;

    readonly long _offsetNanos;

    /// <summary>Takes the time of day now: of several readings the one whose moment is known best.</summary>
    /// <param name="time">Where the time of day comes from.</param>
    public ShimClock(TimeProvider time)
    {
        long shortest = long.MaxValue;
        for (int reading = 0; reading < Readings; reading++)
        {
            long before = MonotonicNanos();
            long unixNanos = (time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * NanosPerTick;
            long took = MonotonicNanos() - before;
            if (took < shortest)
            {
                shortest = took;
                _offsetNanos = unixNanos - before - (took / 2);
            }
        }
    }

    /// <summary>The time now.</summary>
    public TraceTime Now => new(MonotonicNanos() + _offsetNanos);

    // On Linux and macOS the frequency is 10⁹ and the first branch is taken; on Windows it is 10⁷.
    static long MonotonicNanos()
    {
        long ticks = Stopwatch.GetTimestamp();
        return Stopwatch.Frequency == NanosPerSecond ? ticks : ticks * (NanosPerSecond / Stopwatch.Frequency);
    }
}
