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

    readonly long _offsetNs;

    /// <summary>Takes the time of day now.</summary>
    /// <param name="time">Where the time of day comes from.</param>
    public ShimClock(TimeProvider time)
    {
        long unixNs = (time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * NanosecondsPerTick;
        _offsetNs = unixNs - MonotonicNs();
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
