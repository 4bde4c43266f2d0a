namespace TcpDiag.Traces.EtlPackets;

/// <summary>How the packets of a capture point stand to the same packets at others.</summary>
enum EtlCaptureRole
{
    /// <summary>Each packet here counts.</summary>
    Counts,

    /// <summary>Packets here have been or will be at the adapter, unless they are dropped on their way out.</summary>
    AboveAdapter,

    /// <summary>No adapter is known for them: a packet counts where it appears first.</summary>
    FirstAppearanceCounts,
}
