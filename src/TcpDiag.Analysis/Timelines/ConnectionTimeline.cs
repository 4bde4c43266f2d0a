using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Timelines;

/// <summary>A connection over time.</summary>
public sealed class ConnectionTimeline : Timeline
{
    readonly DirectionTimeline[] _directions;
    bool _isClientHigh;

    internal ConnectionTimeline(TimelineBudget budget) => _directions = [new(budget), new(budget)];

    /// <summary>What the client sent, and what came back for it.</summary>
    public DirectionTimeline FromClient => _directions[_isClientHigh ? 1 : 0];

    /// <summary>What the server sent, and what came back for it.</summary>
    public DirectionTimeline FromServer => _directions[_isClientHigh ? 0 : 1];

    /// <summary>Latest instant: where several interfaces left a file out of order, time stands still instead of going back.</summary>
    internal long NowNanos { get; private set; } = long.MinValue;

    /// <inheritdoc/>
    internal override long Length => _directions[0].Length + _directions[1].Length;

    /// <summary>The direction of what the endpoint sends that sorts first (0) or last (1).</summary>
    internal DirectionTimeline From(int from) => _directions[from];

    internal long MoveTo(long time) => NowNanos = long.Max(NowNanos, time);

    /// <summary>The connection has ended, and its client is the endpoint that sorts first or last.</summary>
    internal void SetClient(bool isHigh) => _isClientHigh = isHigh;

    /// <inheritdoc/>
    internal override void Reduce(int maximum)
    {
        _directions[0].Reduce(maximum);
        _directions[1].Reduce(maximum);
    }
}

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

    /// <summary>Receive window that came back, bytes; valid until the next one.</summary>
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

    /// <summary>What the sender's own stack logged; null when the trace has no events of it.</summary>
    public StackTimeline? Stack { get; internal set; }

    /// <summary>Offset behind the latest new byte.</summary>
    internal long End => _anchorOffset;

    /// <summary>Capacity of the series, in items.</summary>
    internal long Length => Sent.Length + Acked.Length + ReceiveWindow.Length + InFlight.Length + Rtt.Length + Srtt.Length
        + Marks.Length + Sacks.Length + Limits.Length + (Stack?.Length ?? 0);

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

    /// <summary>Offset of a sequence number from the initial one, in bytes; correct within 2 GiB of the latest new data.</summary>
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

    /// <summary>New data was sent; <paramref name="end"/> is behind its last byte.</summary>
    internal void MoveTo(SequenceNumber end)
    {
        _anchorOffset = OffsetOf(end);
        _anchor = end;
    }

    internal void AddRtt(long time, long rtt)
    {
        _srtt.OnSample(rtt);
        Rtt.Add(TrackPoint.At(time, rtt));
        Srtt.Add(TrackPoint.At(time, _srtt.SrttNanos));
    }
}
