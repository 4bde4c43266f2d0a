namespace TcpDiag.Shim.Divert;

/// <summary>WINDIVERT_EVENT: what happened.</summary>
enum DivertEvent
{
    /// <summary>A packet.</summary>
    Packet = 0,

    /// <summary>A TCP connection was made, or the first packet of another flow seen.</summary>
    FlowEstablished = 1,

    /// <summary>A flow ended, or was idle for long.</summary>
    FlowDeleted = 2,
}
