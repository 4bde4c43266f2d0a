using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Receiving;

/// <summary>
/// The pretended network: each segment arrives a fixed delay after it came, no two closer than the spacing, in order but for those that are late. So a flight
/// is spread over the round trip, and acknowledgments come at a pace.
/// </summary>
/// <param name="delayNanos">The delay of every segment, ns.</param>
sealed class DelayLine(long delayNanos)
{
    readonly PriorityQueue<Arrival, (long Due, long Order)> _line = new();
    TraceTime _lastInLine = TraceTime.Earliest;
    long _order;

    /// <summary>Segments under way.</summary>
    public int Count => _line.Count;

    /// <summary>When the next one arrives.</summary>
    public TraceTime NextDue => _line.TryPeek(out _, out (long Due, long Order) key) ? new TraceTime(key.Due) : TraceTime.Latest;

    /// <summary>Sends a segment on its way.</summary>
    /// <param name="arrival">The segment.</param>
    /// <param name="lateNanos">By how much it misses its place in line, ns.</param>
    /// <param name="spacingNanos">Least distance from the segment before, ns.</param>
    public void Add(in Arrival arrival, long lateNanos, long spacingNanos)
    {
        TraceTime due = arrival.Time + delayNanos;
        if (_lastInLine > TraceTime.Earliest && _lastInLine + spacingNanos > due)
        {
            due = _lastInLine + spacingNanos;
        }

        _lastInLine = due;
        _line.Enqueue(arrival, (due.Nanoseconds + lateNanos, _order++));
    }

    /// <summary>Takes a segment that has arrived.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryTake(TraceTime now, out Arrival arrival)
    {
        arrival = default;
        return NextDue <= now && _line.TryDequeue(out arrival, out _);
    }
}
