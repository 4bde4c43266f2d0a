using TcpDiag.Capture.Watching;

namespace TcpDiag.Capture.Linux.Watching;

/// <summary>The kernel's congestion states (enum tcp_ca_state, linux/tcp.h).</summary>
static class CongestionStates
{
    const long Recovery = 3;
    const long Loss = 4;

    /// <summary>What a sender in a state repairs.</summary>
    /// <param name="state">The state.</param>
    /// <returns>Nothing in the states of order, disorder and a reduced window.</returns>
    public static SenderRepair Repair(long? state) => state switch
    {
        Recovery => SenderRepair.Recovery,
        Loss => SenderRepair.Timeout,
        _ => SenderRepair.None,
    };
}
