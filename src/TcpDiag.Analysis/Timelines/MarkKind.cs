namespace TcpDiag.Analysis.Timelines;

/// <summary>What a mark in a time-sequence graph stands for. The numbers are part of the HTML report's data.</summary>
public enum MarkKind
{
    /// <summary>Data sent again, nothing tells why.</summary>
    Retransmission = 0,

    /// <summary>Data sent again on SACK or duplicate-ACK evidence.</summary>
    FastRetransmission = 1,

    /// <summary>A tail loss probe.</summary>
    TailLossProbe = 2,

    /// <summary>Data sent again by the retransmission timer.</summary>
    Timeout = 3,

    /// <summary>A retransmission sent again, without the timer.</summary>
    LostRetransmission = 4,

    /// <summary>An original that came late to the capture point.</summary>
    Late = 5,

    /// <summary>A probe of a closed window.</summary>
    WindowProbe = 6,

    /// <summary>A keep-alive.</summary>
    KeepAlive = 7,

    /// <summary>A range selectively acknowledged for the first time or again.</summary>
    Sack = 8,

    /// <summary>A range that arrived twice, as the receiver reports it (RFC 2883).</summary>
    Dsack = 9,

    /// <summary>A duplicate acknowledgment.</summary>
    DuplicateAck = 10,

    /// <summary>A receive window of 0.</summary>
    ZeroWindow = 11,

    /// <summary>A SYN.</summary>
    Syn = 12,

    /// <summary>A FIN.</summary>
    Fin = 13,

    /// <summary>A reset.</summary>
    Rst = 14,

    /// <summary>An event of the TCP stack.</summary>
    StackEvent = 15,
}
