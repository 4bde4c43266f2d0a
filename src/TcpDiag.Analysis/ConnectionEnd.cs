namespace TcpDiag.Analysis;

/// <summary>How a connection ended, as far as the trace tells.</summary>
public enum ConnectionEnd
{
    /// <summary>It had not ended.</summary>
    Open = 0,

    /// <summary>Both ends sent FIN.</summary>
    Fin = 1,

    /// <summary>A reset, before both ends had sent FIN.</summary>
    Rst = 2,

    /// <summary>At least three retransmissions went unanswered, and the next did not come in the time it was due.</summary>
    Timeout = 3,
}
