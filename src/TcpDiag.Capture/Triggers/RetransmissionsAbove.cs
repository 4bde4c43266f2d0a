using System;
using System.Globalization;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>retransmissions above 1pct for 5s</c>: of the segments a connection sends, more than that are sent again.</summary>
/// <param name="Share">The threshold, 0 to 1.</param>
/// <param name="Time">For how long.</param>
public sealed record RetransmissionsAbove(double Share, TimeSpan Time) : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"retransmissions above {Share * 100}pct for {Time.TotalSeconds}s");

    private protected override TriggerProbe CreateProbe() => new RetransmissionProbe(this);
}

/// <summary>
/// Waits for a connection that retransmits too much. The stack's counters take precedence over counting its events: once a sample
/// has reported them, events of that connection no longer count.
/// </summary>
sealed class RetransmissionProbe(RetransmissionsAbove condition) : ConnectionProbe<RetransmissionProbe.Meter>
{
    // With fewer, one segment would be several percent.
    const int MinSegments = 20;

    protected override Meter Begin(TraceTime now) => new(condition.Time);

    protected override void Count(Meter meter, StackEvent stackEvent) => meter.Count(stackEvent);

    protected override string? Judge(ConnectionEnds ends, Meter meter, TraceTime now) =>
        meter.Sent.Sum(now) is { } sent && meter.SentAgain.Sum(now) is { } again && sent >= MinSegments && again > condition.Share * sent
            ? FormattableString.Invariant($"{ends} retransmitted {again} of {sent} segments within {condition.Time.TotalSeconds} s")
            : null;

    /// <summary>What a connection sends and retransmits.</summary>
    internal sealed class Meter(TimeSpan time)
    {
        long? _sent;
        long _sentAgain;
        SegmentSize _segment;
        SequenceNumber? _max;

        /// <summary>Segments sent, retransmissions included.</summary>
        public SlidingSum Sent { get; } = new(time);

        public SlidingSum SentAgain { get; } = new(time);

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

        // Windows reports each send with its sequence number, a retransmission too, and logs that a second time as such: counted once, by sequence number.
        void CountEvent(StackEvent stackEvent)
        {
            if (stackEvent.Kind == StackEventKind.SegmentSent && stackEvent.TryGet(StackField.Bytes, out long bytes) && bytes is > 0 and < int.MaxValue
                && stackEvent.TryGet(StackField.SeqNo, out long seq))
            {
                CountSend(stackEvent.Time, new(unchecked((uint)seq)), (int)bytes);
            }
            else if (stackEvent.Kind == StackEventKind.SegmentRetransmitted && _max is null)
            {
                Add(stackEvent.Time, 1, 1);
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
