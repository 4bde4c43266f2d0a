using System;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Timelines;

/// <summary>Whose events a timeline shows.</summary>
interface ITimelineOwner
{
    /// <summary>Number of its timeline; −1 while it has none.</summary>
    int Timeline { get; set; }

    /// <summary>Number of the connection it turned out to be part of; null while not known.</summary>
    int? Joined { get; }

    /// <summary>This machine's end of it; null while not known.</summary>
    Endpoint? Local { get; }
}

/// <summary>What the TCP stack of one end logged over time.</summary>
public sealed class StackTimeline : Timeline
{
    const long NanosecondsPerMicrosecond = 1000;

    // Far from 0 in both directions.
    const long FirstBytes = 1L << 62;

    long _latestNanos = long.MinValue;
    SequenceNumber _sequence;
    long _bytes;

    internal StackTimeline(TimelineBudget budget)
    {
        Cwnd = new(budget);
        Ssthresh = new(budget);
        Srtt = new(budget);
        Events = new(budget);
    }

    /// <summary>Congestion window, bytes.</summary>
    public Series<TrackPoint> Cwnd { get; }

    /// <summary>Slow-start threshold, bytes; absent while it is infinite.</summary>
    public Series<TrackPoint> Ssthresh { get; }

    /// <summary>The stack's smoothed RTT, ns.</summary>
    public Series<TrackPoint> Srtt { get; }

    /// <summary>
    /// Its events, without those that come with every segment. Once joined with packets, an event with a sequence number has the offset of that byte, and
    /// an event of a retransmission the number of its packet; else these are -1 and 0.
    /// </summary>
    public Series<Mark> Events { get; }

    /// <summary>The latest sequence number, and its offset in <see cref="Events"/> before these are aligned.</summary>
    internal (SequenceNumber Sequence, long Bytes) Latest => (_sequence, _bytes);

    internal ITimelineOwner? Owner { get; init; }

    /// <inheritdoc/>
    internal override long Length => Cwnd.Length + Ssthresh.Length + Srtt.Length + Events.Length;

    internal void OnEvent(StackEvent stackEvent)
    {
        Weight++;
        _latestNanos = long.Max(_latestNanos, stackEvent.Time.Nanoseconds);
        AddBytes(Cwnd, stackEvent, StackField.Cwnd);
        AddBytes(Ssthresh, stackEvent, StackField.Ssthresh);
        if (stackEvent.TryGet(StackField.Srtt, out long srtt) && srtt is > 0 and < uint.MaxValue)
        {
            Srtt.Add(TrackPoint.At(_latestNanos, srtt * NanosecondsPerMicrosecond));
        }

        if (IsRare(stackEvent.Kind))
        {
            long at = BytesOf(stackEvent);
            Events.Add(new Mark(_latestNanos, MarkKind.StackEvent, stackEvent.Kind, at, at, 0, 1));
        }
    }

    // Unwrapped from one number to the next; only the packets show the offset of the first one. The timer resends SND.UNA.
    long BytesOf(StackEvent stackEvent)
    {
        bool isKnown = stackEvent.TryGet(StackField.SeqNo, out long number)
            || (stackEvent.Kind == StackEventKind.RetransmissionTimeout && stackEvent.TryGet(StackField.SndUna, out number));
        if (!isKnown)
        {
            return StackEventAligner.NoByte;
        }

        var sequence = new SequenceNumber((uint)number);
        _bytes = _bytes == 0 ? FirstBytes : _bytes + (sequence - _sequence);
        _sequence = sequence;
        return _bytes;
    }

    /// <inheritdoc/>
    internal override void Reduce(int maximum)
    {
        Cwnd.Reduce(maximum);
        Ssthresh.Reduce(maximum);
        Srtt.Reduce(maximum);
        Events.Reduce(maximum);
    }

    // "Infinite" is a number near 2^31 or above in every stack.
    void AddBytes(Series<TrackPoint> series, StackEvent stackEvent, StackField field)
    {
        if (stackEvent.TryGet(field, out long bytes) && bytes is > 0 and < int.MaxValue - ushort.MaxValue)
        {
            series.Add(TrackPoint.At(_latestNanos, bytes));
        }
    }

    static bool IsRare(StackEventKind kind) => kind is not (StackEventKind.SegmentSent or StackEventKind.SegmentReceived
        or StackEventKind.AckReceived or StackEventKind.CwndSample or StackEventKind.RttSample or StackEventKind.Timer
        or StackEventKind.DuplicateAck or StackEventKind.SackBlockReceived or StackEventKind.SackUpdated or StackEventKind.SackReceived
        or StackEventKind.RackUpdated or StackEventKind.RackTimer or StackEventKind.PrrSend or StackEventKind.Pacing
        or StackEventKind.SendPosted or StackEventKind.SendCompleted or StackEventKind.DataRead or StackEventKind.ProcessNamed);
}

/// <summary>Aligns the events of a stack with the packets they explain: bytes by sequence number, packets by sequence number and time.</summary>
static class StackEventAligner
{
    /// <summary>Offset of an event without a sequence number.</summary>
    public const long NoByte = -1;

    // The event is logged before the segment is handed down (Windows) or right after (Linux); the capture point is below both.
    const long BeforeNanos = 1_000_000;
    const long AfterNanos = 10_000_000;

    /// <summary>Aligns the events, whose offsets count from an unknown byte, with the packets of the same sender.</summary>
    public static void Align(StackTimeline stack, DirectionTimeline direction)
    {
        bool hasBytes = !direction.Sent.Items.IsEmpty;
        long origin = hasBytes ? stack.Latest.Bytes - direction.OffsetOf(stack.Latest.Sequence) : 0;
        foreach (ref Mark known in stack.Events.Editable())
        {
            if (known.From != NoByte)
            {
                known = known with { From = hasBytes ? known.From - origin : NoByte, To = hasBytes ? known.To - origin : NoByte };
            }

            if (IsSending(known.Event) && FindPacket(direction.Marks.After(known.Time - BeforeNanos), known) is { } packet)
            {
                known = known with { Packet = packet };
            }
        }
    }

    static bool IsSending(StackEventKind kind) =>
        kind is StackEventKind.SegmentRetransmitted or StackEventKind.RetransmissionTimeout or StackEventKind.TailLossProbe;

    // Of the segments resent about then the first that holds the byte of the event, or the first of all where it has none.
    static long? FindPacket(ReadOnlySpan<Mark> marks, in Mark known)
    {
        foreach (ref readonly Mark resent in marks)
        {
            if (resent.Time > known.Time + AfterNanos)
            {
                break;
            }

            if (resent.Kind <= MarkKind.LostRetransmission && (known.From == NoByte || (resent.From <= known.From && known.From < resent.To)))
            {
                return resent.Packet;
            }
        }

        return null;
    }
}
