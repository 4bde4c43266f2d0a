namespace TcpDiag.Traces;

/// <summary>Which way a packet passed the capture point, seen from the machine that captured it.</summary>
public enum PacketDirection
{
    /// <summary>The trace does not say.</summary>
    Unknown = 0,

    /// <summary>Received by this machine (pcapng epb_flags 1).</summary>
    Inbound = 1,

    /// <summary>Sent by this machine (pcapng epb_flags 2).</summary>
    Outbound = 2,
}
