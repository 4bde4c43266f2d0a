using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Timelines;

/// <summary>What the TCP stack of one end tells over time.</summary>
public sealed class StackTimeline : Timeline
{
    const long NanosecondsPerMicrosecond = 1000;

    // Far from 0 both ways.
    const long FirstBytes = 1L << 62;

    long _latest = long.MinValue;
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
    /// Its events, those left out that come with every segment. Once joined with packets, an event that names a sequence number
    /// stands at that byte, and one that sends again has the number of the packet that did; else both are -1 and 0.
    /// </summary>
    public Series<Mark> Events { get; }

    /// <summary>The latest sequence number told, and where it stands among the bytes of <see cref="Events"/> before these are placed.</summary>
    internal (SequenceNumber Sequence, long Bytes) Latest => (_sequence, _bytes);

    /// <summary>The connection, once it is known which one.</summary>
    internal StackEvents.StackConnection? Owner { get; init; }

    /// <inheritdoc/>
    internal override long Length => Cwnd.Length + Ssthresh.Length + Srtt.Length + Events.Length;

    /// <summary>Takes an event in.</summary>
    /// <param name="told">The event.</param>
    internal void OnEvent(StackEvent told)
    {
        Weight++;
        _latest = long.Max(_latest, told.Time.Nanoseconds);
        AddBytes(Cwnd, told, StackField.Cwnd);
        AddBytes(Ssthresh, told, StackField.Ssthresh);
        if (told.TryGet(StackField.Srtt, out long srtt) && srtt is > 0 and < uint.MaxValue)
        {
            Srtt.Add(TrackPoint.At(_latest, srtt * NanosecondsPerMicrosecond));
        }

        if (IsRare(told.Kind))
        {
            long at = BytesOf(told);
            Events.Add(new Mark(_latest, MarkKind.StackEvent, told.Kind, at, at, 0, 1));
        }
    }

    // Unrolled from one number to the next: which byte of the connection the first one is, only its packets tell. The timer sends SND.UNA again.
    long BytesOf(StackEvent told)
    {
        bool isKnown = told.TryGet(StackField.SeqNo, out long number)
            || (told.Kind == StackEventKind.RetransmissionTimeout && told.TryGet(StackField.SndUna, out number));
        if (!isKnown)
        {
            return EventPlacer.Nowhere;
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
    void AddBytes(Series<TrackPoint> series, StackEvent told, StackField field)
    {
        if (told.TryGet(field, out long bytes) && bytes is > 0 and < int.MaxValue - ushort.MaxValue)
        {
            series.Add(TrackPoint.At(_latest, bytes));
        }
    }

    static bool IsRare(StackEventKind kind) => kind is not (StackEventKind.SegmentSent or StackEventKind.SegmentReceived
        or StackEventKind.AckReceived or StackEventKind.CwndSample or StackEventKind.RttSample or StackEventKind.Timer
        or StackEventKind.DuplicateAck or StackEventKind.SackBlockReceived or StackEventKind.SackUpdated or StackEventKind.SackReceived
        or StackEventKind.RackUpdated or StackEventKind.RackTimer or StackEventKind.PrrSend or StackEventKind.Pacing
        or StackEventKind.SendPosted or StackEventKind.SendCompleted or StackEventKind.DataRead or StackEventKind.ProcessNamed);
}
