using System;
using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>
/// Waits for a connection that sends too much again. Counters of the stack go before counting its events: where a sample has
/// told them once, events of that connection no longer count.
/// </summary>
/// <param name="condition">How much, for how long.</param>
sealed class RetransmissionProbe(RetransmissionsAbove condition) : TriggerProbe
{
    // Below, one segment would be several percent.
    const int MinSegments = 20;

    readonly ConnectionPaces<Pace> _paces = new();

    /// <inheritdoc/>
    public override string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection)
    {
        if (connection is { } ends && _paces.TryGet(ends, () => new Pace(condition.Time), out Pace? pace))
        {
            pace.Count(stackEvent);
            if (stackEvent.Kind == StackEventKind.Closed)
            {
                _paces.Remove(ends);
            }
        }

        return null;
    }

    /// <inheritdoc/>
    public override string? OnTick(TraceTime now, IReadOnlyDictionary<int, string> processes)
    {
        foreach ((ConnectionEnds ends, Pace pace) in _paces.All)
        {
            if (pace.Sent.Sum(now) is { } sent && pace.SentAgain.Sum(now) is { } again && sent >= MinSegments && again > condition.Share * sent)
            {
                return FormattableString.Invariant($"{ends} retransmitted {again} of {sent} segments within {condition.Time.TotalSeconds} s");
            }
        }

        return null;
    }

    sealed class Pace(TimeSpan time)
    {
        long? _sent;
        long _sentAgain;

        public PaceWindow Sent { get; } = new(time);

        public PaceWindow SentAgain { get; } = new(time);

        public void Count(StackEvent stackEvent)
        {
            bool isAgain = stackEvent.Kind == StackEventKind.SegmentRetransmitted;
            if (stackEvent.TryGet(StackField.DataSegmentsOut, out long sent) && stackEvent.TryGet(StackField.SegmentsRetransmitted, out long again))
            {
                Add(stackEvent.Time, sent - (_sent ?? sent), again - (_sent is null ? again : _sentAgain));
                (_sent, _sentAgain) = (sent, again);
            }
            else
            {
                bool counts = _sent is null;
                Add(stackEvent.Time, counts && (isAgain || stackEvent.Kind == StackEventKind.SegmentSent) ? 1 : 0, counts && isAgain ? 1 : 0);
            }
        }

        void Add(TraceTime at, long sent, long again)
        {
            Sent.Add(at, sent);
            SentAgain.Add(at, again);
        }
    }
}
