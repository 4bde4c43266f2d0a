namespace TcpDiag.Capture.Watching;

/// <summary>What a sender repairs.</summary>
enum SenderRepair
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>A loss, by fast recovery.</summary>
    Recovery,

    /// <summary>A loss, after its timer expired.</summary>
    Timeout,
}
