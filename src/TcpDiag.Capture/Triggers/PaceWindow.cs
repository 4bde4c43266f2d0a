using System;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>What a connection did within the latest stretch of time, counted in eight slots: the sum forgets an eighth of it at a time.</summary>
/// <param name="time">Length of the stretch.</param>
sealed class PaceWindow(TimeSpan time)
{
    const int Slots = 8;
    const long NanosecondsPerTick = 100;

    // One more than is summed up: the slot that is being filled does not count yet.
    readonly long[] _counts = new long[Slots + 1];
    readonly long _slotNanoseconds = SlotNanoseconds(time);
    long _first = long.MaxValue;
    long _latest = long.MinValue;

    /// <summary>Length of a slot.</summary>
    /// <param name="time">Length of the stretch.</param>
    /// <returns>An eighth of it, in nanoseconds.</returns>
    public static long SlotNanoseconds(TimeSpan time) => Math.Max(time.Ticks * NanosecondsPerTick / Slots, 1);

    /// <summary>How far a sum may reach back: the slot that is being filled does not count, so the oldest may have begun that much earlier.</summary>
    /// <param name="time">Length of the stretch.</param>
    /// <returns>Nanoseconds.</returns>
    public static long ReachNanoseconds(TimeSpan time) => (Slots + 1) * SlotNanoseconds(time);

    /// <summary>Counts.</summary>
    /// <param name="now">When.</param>
    /// <param name="count">How much; what lies before the stretch is left out.</param>
    public void Add(TraceTime now, long count)
    {
        long slot = MoveTo(now);
        if (slot > _latest - _counts.Length)
        {
            _counts[slot % _counts.Length] += count;
        }
    }

    /// <summary>Sums up.</summary>
    /// <param name="now">The end of the stretch.</param>
    /// <returns>The sum; null while it has not been counted for so long.</returns>
    public long? Sum(TraceTime now)
    {
        long slot = MoveTo(now);
        long sum = 0;
        foreach (long count in _counts)
        {
            sum += count;
        }

        return slot - _first > Slots ? sum - _counts[_latest % _counts.Length] : null;
    }

    long MoveTo(TraceTime now)
    {
        long slot = now.Nanoseconds / _slotNanoseconds;
        _first = Math.Min(_first, slot);
        for (long next = Math.Max(_latest + 1, slot - Slots); next <= slot; next++)
        {
            _counts[next % _counts.Length] = 0;
        }

        _latest = Math.Max(_latest, slot);
        return slot;
    }
}
