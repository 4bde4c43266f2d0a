namespace TcpDiag.Analysis.StackEvents;

/// <summary>A sender's loss recovery.</summary>
public enum RecoveryState
{
    /// <summary>No loss is being recovered.</summary>
    None,

    /// <summary>Fast recovery (RFC 5681 §3.2).</summary>
    FastRecovery,

    /// <summary>Recovery after the retransmission timer expired (RFC 6298 §5).</summary>
    Timeout,
}
