using System;
using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>Waits for a connection whose meter is not as it should be. One that was closed or reset is forgotten.</summary>
/// <typeparam name="T">What is counted for a connection.</typeparam>
abstract class ConnectionProbe<T> : TriggerProbe
    where T : class
{
    // On a server with more, only the first ones are watched.
    const int MaxConnections = 8192;

    readonly Dictionary<ConnectionEnds, T> _meters = [];

    public sealed override string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection)
    {
        if (connection is not { } ends)
        {
            return null;
        }

        if (stackEvent.Kind is StackEventKind.Closed or StackEventKind.Reset)
        {
            _meters.Remove(ends);
        }
        else if (Find(ends, stackEvent.Time) is { } meter)
        {
            Count(meter, stackEvent);
        }

        return null;
    }

    public sealed override string? OnTick(TraceTime now, IReadOnlyDictionary<int, string> processes)
    {
        foreach ((ConnectionEnds ends, T meter) in _meters)
        {
            if (Judge(ends, meter, now) is { } what)
            {
                return what;
            }
        }

        return null;
    }

    /// <summary>Starts counting for a connection seen for the first time.</summary>
    protected abstract T Begin(TraceTime now);

    protected abstract void Count(T meter, StackEvent stackEvent);

    /// <summary>Judges a connection.</summary>
    /// <returns>What is not as it should be, a clause; null when all is well.</returns>
    protected abstract string? Judge(ConnectionEnds ends, T meter, TraceTime now);

    // Null when there are too many.
    T? Find(ConnectionEnds ends, TraceTime now)
    {
        if (!_meters.TryGetValue(ends, out T? meter) && _meters.Count < MaxConnections)
        {
            _meters.Add(ends, meter = Begin(now));
        }

        return meter;
    }
}

/// <summary>A sum over the latest stretch of time, counted in eight slots: it forgets an eighth of that time at once.</summary>
sealed class SlidingSum(TimeSpan time)
{
    const int Slots = 8;
    const long NanosecondsPerTick = 100;

    // One more than is summed: the slot being filled does not count yet.
    readonly long[] _counts = new long[Slots + 1];
    readonly long _slotNanos = SlotNanos(time);
    long _first = long.MaxValue;
    long _latest = long.MinValue;

    /// <summary>Length of a slot.</summary>
    /// <returns>An eighth of it, in nanoseconds.</returns>
    public static long SlotNanos(TimeSpan time) => Math.Max(time.Ticks * NanosecondsPerTick / Slots, 1);

    /// <summary>How far a sum may reach back: the slot being filled does not count, so the oldest may have begun that much earlier.</summary>
    public static long ReachNanos(TimeSpan time) => (Slots + 1) * SlotNanos(time);

    /// <summary>Counts.</summary>
    /// <param name="now">When.</param>
    /// <param name="count">How much; ignored if it is older than the window.</param>
    public void Add(TraceTime now, long count)
    {
        long slot = MoveTo(now);
        if (slot > _latest - _counts.Length)
        {
            _counts[slot % _counts.Length] += count;
        }
    }

    /// <summary>Sums up.</summary>
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
        long slot = now.Nanoseconds / _slotNanos;
        _first = Math.Min(_first, slot);
        for (long next = Math.Max(_latest + 1, slot - Slots); next <= slot; next++)
        {
            _counts[next % _counts.Length] = 0;
        }

        _latest = Math.Max(_latest, slot);
        return slot;
    }
}
