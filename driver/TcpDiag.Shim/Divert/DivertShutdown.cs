namespace TcpDiag.Shim.Divert;

/// <summary>WINDIVERT_SHUTDOWN: which half of a handle is closed.</summary>
enum DivertShutdown
{
    /// <summary>No more packets are queued; what is queued can be received, then receiving fails with ERROR_NO_DATA.</summary>
    Receive = 1,

    /// <summary>Both ways.</summary>
    Both = 3,
}
