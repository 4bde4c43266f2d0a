using System;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Turns the ticks of an .etl file into instants: StartTime + (t − t0) · 10⁷ / frequency, where t0 is the tick of the log
/// file header's own record (docs/formats/etl.md, "Time"). BootTime is not used: it drifts against the tick origin.
/// </summary>
public sealed class EtlClock
{
    const long NanosecondsPerSecond = 1_000_000_000;
    const long TicksPerSecondOfCommonCounter = 10_000_000;

    // Ticks of 100 ns for 146 years: added to a start before 2116, they stay within 64 bits of nanoseconds.
    const long MaxCommonTicks = (1L << 62) / 100;

    readonly EtlClockType _type;
    readonly bool _isCommon;
    readonly long _startTicks;
    readonly long _startNanos;
    readonly long _frequency;

    /// <summary>Creates the clock.</summary>
    /// <param name="type">What the ticks count.</param>
    /// <param name="startTicks">Tick of the log file header record.</param>
    /// <param name="startFileTime">FILETIME of that record; 0 when unknown.</param>
    /// <param name="frequency">Ticks per second, at least 1; ignored for system time.</param>
    public EtlClock(EtlClockType type, long startTicks, long startFileTime, long frequency)
    {
        _type = type;
        _startTicks = startTicks;

        // Without a start the times count from 1970: they say nothing of the day, but all of what lies between them.
        _startNanos = startFileTime == 0 ? 0 : TraceTime.FromFileTime(startFileTime).Nanoseconds;
        _frequency = Math.Max(1, frequency);
        _isCommon = _frequency == TicksPerSecondOfCommonCounter && _startNanos is > -(1L << 62) and < 1L << 62;
    }

    /// <summary>Ticks per second.</summary>
    public long Frequency => _type == EtlClockType.SystemTime ? TimeSpan.TicksPerSecond : _frequency;

    /// <summary>What the ticks count.</summary>
    public EtlClockType Type => _type;

    /// <summary>The instant of a tick.</summary>
    /// <param name="ticks">A record's time stamp.</param>
    /// <returns>The instant; exact, the part below one nanosecond is cut off; an end of <see cref="TraceTime"/> where it lies beyond.</returns>
    public TraceTime ToTime(long ticks)
    {
        if (_type == EtlClockType.SystemTime)
        {
            return TraceTime.FromFileTime(ticks);
        }

        // A difference of other sign than its minuend, where the signs differ, has wrapped.
        long elapsed = unchecked(ticks - _startTicks);
        bool hasWrapped = ((ticks ^ _startTicks) & (ticks ^ elapsed)) < 0;
        return _isCommon && !hasWrapped && elapsed is > -MaxCommonTicks and < MaxCommonTicks
            ? new TraceTime(_startNanos + (elapsed * 100))
            : ToTimeExactly((Int128)ticks - _startTicks);
    }

    // Elapsed ticks are below 2⁶⁴ and 10⁹ below 2³⁰: the product stays below 2⁹⁴.
    TraceTime ToTimeExactly(Int128 elapsed)
    {
        Int128 nanoseconds = _startNanos + (elapsed * NanosecondsPerSecond / _frequency);
        return new TraceTime((long)Int128.Clamp(nanoseconds, long.MinValue, long.MaxValue));
    }
}

/// <summary>Clock of an .etl file's time stamps (ReservedFlags of TRACE_LOGFILE_HEADER).</summary>
public enum EtlClockType
{
    /// <summary>Performance counter.</summary>
    Qpc = 1,

    /// <summary>System time: ticks are FILETIME.</summary>
    SystemTime = 2,

    /// <summary>CPU cycle counter.</summary>
    CpuCycles = 3,
}
