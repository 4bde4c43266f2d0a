using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Timelines;

/// <summary>
/// One direction of a connection over time: the data one end sent, and what came back for it. Bytes are offsets from the
/// initial sequence number (the SYN is byte 0); where no SYN was captured, the first byte seen is byte 1.
/// </summary>
public sealed class DirectionTimeline
{
    RttEstimator _srtt;
    SequenceNumber _anchor;
    long _anchorOffset;
    bool _hasAnchor;

    internal DirectionTimeline(TimelineBudget budget)
    {
        Sent = new(budget);
        Acked = new(budget);
        ReceiveWindow = new(budget);
        InFlight = new(budget);
        Rtt = new(budget);
        Srtt = new(budget);
        Marks = new(budget);
        Sacks = new(budget);
        Limits = new(budget);
    }

    /// <summary>New data: from its first byte to behind its last.</summary>
    public Series<TrackPoint> Sent { get; }

    /// <summary>Cumulative acknowledgment that came back: the next byte expected.</summary>
    public Series<TrackPoint> Acked { get; }

    /// <summary>Receive window that came back, bytes. It holds until the next one.</summary>
    public Series<TrackPoint> ReceiveWindow { get; }

    /// <summary>Bytes sent and not acknowledged, after each send and each acknowledgment.</summary>
    public Series<TrackPoint> InFlight { get; }

    /// <summary>RTT samples, ns.</summary>
    public Series<TrackPoint> Rtt { get; }

    /// <summary>SRTT of those samples (RFC 6298), ns.</summary>
    public Series<TrackPoint> Srtt { get; }

    /// <summary>Retransmissions, probes, zero windows, and what else deserves a mark.</summary>
    public Series<Mark> Marks { get; }

    /// <summary>SACK blocks and duplicate acknowledgments that came back.</summary>
    public Series<Mark> Sacks { get; }

    /// <summary>What limited the sender, without gaps; empty when it was not judged.</summary>
    public Series<LimitInterval> Limits { get; }

    /// <summary>What the sender's own stack tells; null when the trace has no events of it.</summary>
    public StackTimeline? Stack { get; internal set; }

    /// <summary>Offset behind the latest new byte.</summary>
    internal long End => _anchorOffset;

    /// <summary>Places held.</summary>
    internal long Length => Sent.Length + Acked.Length + ReceiveWindow.Length + InFlight.Length + Rtt.Length + Srtt.Length
        + Marks.Length + Sacks.Length + Limits.Length + (Stack?.Length ?? 0);

    /// <summary>Merges each series until it has no more items than allowed.</summary>
    /// <param name="maximum">Most items of a series.</param>
    internal void Reduce(int maximum)
    {
        Sent.Reduce(maximum);
        Acked.Reduce(maximum);
        ReceiveWindow.Reduce(maximum);
        InFlight.Reduce(maximum);
        Rtt.Reduce(maximum);
        Srtt.Reduce(maximum);
        Marks.Reduce(maximum);
        Sacks.Reduce(maximum);
        Limits.Reduce(maximum);
        Stack?.Reduce(maximum);
    }

    /// <summary>Offset of a sequence number: right within 2 GiB of the latest one that moved on.</summary>
    /// <param name="sequence">The number.</param>
    /// <param name="isSyn">Whether it is that of the SYN.</param>
    /// <returns>Bytes behind the initial sequence number.</returns>
    internal long OffsetOf(SequenceNumber sequence, bool isSyn = false)
    {
        if (!_hasAnchor)
        {
            _hasAnchor = true;
            _anchor = sequence;
            _anchorOffset = isSyn ? 0 : 1;
        }

        return _anchorOffset + (sequence - _anchor);
    }

    /// <summary>New data moved the end of what was sent.</summary>
    /// <param name="end">Behind the last byte.</param>
    internal void MoveTo(SequenceNumber end)
    {
        _anchorOffset = OffsetOf(end);
        _anchor = end;
    }

    /// <summary>Takes an RTT sample.</summary>
    /// <param name="time">When.</param>
    /// <param name="rtt">The sample, ns.</param>
    internal void AddRtt(long time, long rtt)
    {
        _srtt.OnSample(rtt);
        Rtt.Add(TrackPoint.At(time, rtt));
        Srtt.Add(TrackPoint.At(time, _srtt.SrttNs));
    }
}
