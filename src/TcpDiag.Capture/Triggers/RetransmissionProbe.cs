using System;
using TcpDiag.Capture.Watching;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>
/// Waits for a connection that sends too much again. Counters of the stack go before counting its events: where a sample has
/// told them once, events of that connection no longer count.
/// </summary>
/// <param name="condition">How much, for how long.</param>
sealed class RetransmissionProbe(RetransmissionsAbove condition) : ConnectionProbe<RetransmissionProbe.Pace>
{
    // Below, one segment would be several percent.
    const int MinSegments = 20;

    /// <inheritdoc/>
    protected override Pace Begin(TraceTime now) => new(condition.Time);

    /// <inheritdoc/>
    protected override void Count(Pace pace, StackEvent stackEvent) => pace.Count(stackEvent);

    /// <inheritdoc/>
    protected override string? Judge(ConnectionEnds ends, Pace pace, TraceTime now) =>
        pace.Sent.Sum(now) is { } sent && pace.SentAgain.Sum(now) is { } again && sent >= MinSegments && again > condition.Share * sent
            ? FormattableString.Invariant($"{ends} retransmitted {again} of {sent} segments within {condition.Time.TotalSeconds} s")
            : null;

    /// <summary>What a connection sends, and sends again.</summary>
    /// <param name="time">The stretch of time that is judged.</param>
    internal sealed class Pace(TimeSpan time)
    {
        long? _sent;
        long _sentAgain;
        SegmentSize _segment;
        SequenceNumber? _max;

        /// <summary>Segments sent, those sent again among them.</summary>
        public PaceWindow Sent { get; } = new(time);

        /// <summary>Segments sent again.</summary>
        public PaceWindow SentAgain { get; } = new(time);

        /// <summary>Counts an event.</summary>
        /// <param name="stackEvent">The event.</param>
        public void Count(StackEvent stackEvent)
        {
            if (stackEvent.TryGet(StackField.DataSegmentsOut, out long sent) && stackEvent.TryGet(StackField.SegmentsRetransmitted, out long again))
            {
                Add(stackEvent.Time, sent - (_sent ?? sent), again - (_sent is null ? again : _sentAgain));
                (_sent, _sentAgain) = (sent, again);
            }
            else if (_sent is null)
            {
                CountEvent(stackEvent);
            }
        }

        // Windows tells each send with its place in the stream, a resending too, and of that a second time as such: counted once, by its place.
        void CountEvent(StackEvent told)
        {
            if (told.Kind == StackEventKind.SegmentSent && told.TryGet(StackField.Bytes, out long bytes) && bytes is > 0 and < int.MaxValue && told.TryGet(StackField.SeqNo, out long seq))
            {
                CountSend(told.Time, new(unchecked((uint)seq)), (int)bytes);
            }
            else if (told.Kind == StackEventKind.SegmentRetransmitted && _max is null)
            {
                Add(told.Time, 1, 1);
            }
        }

        void CountSend(TraceTime at, SequenceNumber seq, int bytes)
        {
            _segment.Learn(bytes);
            SequenceNumber end = seq + bytes;
            SequenceNumber max = _max ?? seq;
            Add(at, _segment.Count(bytes), seq < max ? _segment.Count(Math.Min(bytes, max - seq)) : 0);
            _max = end > max ? end : max;
        }

        void Add(TraceTime at, long sent, long again)
        {
            Sent.Add(at, sent);
            SentAgain.Add(at, again);
        }
    }
}
