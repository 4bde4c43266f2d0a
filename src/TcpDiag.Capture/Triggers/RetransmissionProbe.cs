using System;
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

        /// <summary>Segments sent, those sent again among them.</summary>
        public PaceWindow Sent { get; } = new(time);

        /// <summary>Segments sent again.</summary>
        public PaceWindow SentAgain { get; } = new(time);

        /// <summary>Counts an event.</summary>
        /// <param name="stackEvent">The event.</param>
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
