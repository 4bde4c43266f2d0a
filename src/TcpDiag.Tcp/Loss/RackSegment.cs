using TcpDiag.Wire;

namespace TcpDiag.Tcp.Loss;

/// <summary>What RACK keeps of a data segment that was sent (RFC 8985 §5.1). The caller owns the scoreboard these live in.</summary>
public record struct RackSegment
{
    /// <summary>First sequence number.</summary>
    public SequenceNumber Seq;

    /// <summary>Sequence number behind the last byte (Segment.end_seq).</summary>
    public SequenceNumber EndSeq;

    /// <summary>When it was sent last (Segment.xmit_ts).</summary>
    public TraceTime XmitTime;

    /// <summary>TSval of that sending (RFC 7323); of no meaning without timestamps.</summary>
    public uint Tsval;

    /// <summary>Whether it was sent more than once (Segment.retransmitted).</summary>
    public bool IsRetransmitted;

    /// <summary>Whether it counts as lost since it was sent last (Segment.lost). Sending it again clears this.</summary>
    public bool IsLost;
}
