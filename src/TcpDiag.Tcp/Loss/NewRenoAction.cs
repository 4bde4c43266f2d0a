namespace TcpDiag.Tcp.Loss;

/// <summary>What an acknowledgment asks of a sender without SACK (RFC 5681 §3.2, RFC 3042, RFC 6582).</summary>
public enum NewRenoAction
{
    /// <summary>Ordinary acknowledgment.</summary>
    None,

    /// <summary>First or second duplicate: one new segment may go out, cwnd unchanged (Limited Transmit, RFC 3042 §2).</summary>
    LimitedTransmit,

    /// <summary>Third duplicate: resend the segment at SND.UNA; recovery begins.</summary>
    FastRetransmit,

    /// <summary>A further duplicate in recovery: a segment left the network.</summary>
    Inflate,

    /// <summary>A partial acknowledgment in recovery: resend the segment at SND.UNA.</summary>
    ResendNext,

    /// <summary>Everything sent before recovery is acknowledged: recovery ends.</summary>
    Exit,
}
