namespace TcpDiag.Analysis;

/// <summary>What made a sender send data again.</summary>
public enum RetransmissionTrigger
{
    /// <summary>Not known.</summary>
    Unknown = 0,

    /// <summary>SACK or duplicate-ACK evidence: fast retransmit (RFC 5681 §3.2, RFC 6675) or RACK (RFC 8985 §6).</summary>
    Fast = 1,

    /// <summary>A tail loss probe (RFC 8985 §7).</summary>
    Tlp = 2,

    /// <summary>The retransmission timer (RFC 6298 §5).</summary>
    Rto = 3,

    /// <summary>A range resent before was taken for lost again, without the timer (RFC 8985 §3.2).</summary>
    LostRetransmission = 4,
}
