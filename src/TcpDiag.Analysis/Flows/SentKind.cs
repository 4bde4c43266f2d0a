namespace TcpDiag.Analysis.Flows;

/// <summary>What a segment was to the ledger of its sender.</summary>
enum SentKind : byte
{
    /// <summary>It carried nothing.</summary>
    None = 0,

    /// <summary>New data, or a FIN.</summary>
    New = 1,

    /// <summary>Data sent before.</summary>
    Retransmission = 2,

    /// <summary>An original that came late to the capture point.</summary>
    Late = 3,

    /// <summary>A probe of a closed window.</summary>
    WindowProbe = 4,

    /// <summary>A keep-alive.</summary>
    KeepAlive = 5,

    /// <summary>A copy that the path made of a segment.</summary>
    Copy = 6,

    /// <summary>Not of this connection: its numbers fit an earlier one between the same ports, or nothing at all.</summary>
    Foreign = 7,
}
