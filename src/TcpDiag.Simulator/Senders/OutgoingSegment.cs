using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>A segment a sender sends.</summary>
/// <param name="Seq">Its first byte.</param>
/// <param name="Length">Its bytes, at least 1.</param>
/// <param name="Kind">Why it is sent.</param>
public readonly record struct OutgoingSegment(SequenceNumber Seq, int Length, SegmentKind Kind)
{
    /// <summary>Whether it was sent before.</summary>
    public bool IsRetransmission => Kind is SegmentKind.Retransmission or SegmentKind.RetransmittedProbe;

    /// <summary>Whether a tail loss probe.</summary>
    public bool IsProbe => Kind is SegmentKind.NewProbe or SegmentKind.RetransmittedProbe;
}

/// <summary>Why a segment is sent.</summary>
public enum SegmentKind
{
    /// <summary>New data.</summary>
    New,

    /// <summary>A loss is repaired.</summary>
    Retransmission,

    /// <summary>A tail loss probe of new data (RFC 8985 §7.3).</summary>
    NewProbe,

    /// <summary>A tail loss probe of the last segment (RFC 8985 §7.3).</summary>
    RetransmittedProbe,

    /// <summary>One octet beyond a closed window (RFC 9293 §3.8.6.1).</summary>
    WindowProbe,
}

/// <summary>What keeps a sender from sending.</summary>
public enum SendHold
{
    /// <summary>Nothing: it sent.</summary>
    None,

    /// <summary>All that was written is sent.</summary>
    Application,

    /// <summary>cwnd.</summary>
    CongestionWindow,

    /// <summary>The receive window.</summary>
    ReceiveWindow,
}
