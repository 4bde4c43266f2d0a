using System;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Turns the ticks of an .etl file into instants: StartTime + (t − t0) · 10⁷ / frequency, where t0 is the tick of the log
/// file header's own record (docs/formats/etl.md, "Time"). BootTime is not used: it drifts against the tick origin.
/// </summary>
public sealed class EtlClock
{
    readonly EtlClockType _type;
    readonly long _startTicks;
    readonly long _startNanoseconds;
    readonly long _frequency;

    /// <summary>Creates the clock.</summary>
    /// <param name="type">What the ticks count.</param>
    /// <param name="startTicks">Tick of the log file header record.</param>
    /// <param name="startFileTime">FILETIME of that record.</param>
    /// <param name="frequency">Ticks per second, at least 1; ignored for system time.</param>
    public EtlClock(EtlClockType type, long startTicks, long startFileTime, long frequency)
    {
        _type = type;
        _startTicks = startTicks;
        _startNanoseconds = TraceTime.FromFileTime(startFileTime).Nanoseconds;
        _frequency = Math.Max(1, frequency);
    }

    /// <summary>Ticks per second.</summary>
    public long Frequency => _type == EtlClockType.SystemTime ? TimeSpan.TicksPerSecond : _frequency;

    /// <summary>What the ticks count.</summary>
    public EtlClockType Type => _type;

    /// <summary>The instant of a tick.</summary>
    /// <param name="ticks">A record's time stamp.</param>
    /// <returns>The instant; exact, the part below one nanosecond is cut off towards the past.</returns>
    public TraceTime ToTime(long ticks)
    {
        if (_type == EtlClockType.SystemTime)
        {
            return TraceTime.FromFileTime(ticks);
        }

        long elapsed = unchecked(ticks - _startTicks);
        if (_frequency == 10_000_000)
        {
            return new TraceTime(unchecked(_startNanoseconds + (elapsed * 100)));
        }

        // Seconds and rest apart: rest < frequency, so the product stays below 2⁶³ for frequencies up to 9.2 GHz.
        long seconds = Math.DivRem(elapsed, _frequency, out long rest);
        Int128 nanoseconds = ((Int128)seconds * 1_000_000_000) + ((Int128)rest * 1_000_000_000 / _frequency);
        return new TraceTime(unchecked(_startNanoseconds + (long)nanoseconds));
    }
}
