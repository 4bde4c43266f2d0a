namespace TcpDiag.Shim.Queue;

/// <summary>What a <see cref="PacketTest"/> looks at.</summary>
enum PacketField
{
    /// <summary>The protocol behind the IP header.</summary>
    Protocol,

    /// <summary>The family: 2 for IPv4, 10 for IPv6.</summary>
    Family,

    /// <summary>The hook: 1 for packets to this host, 3 for those from it.</summary>
    Hook,

    /// <summary>The source port.</summary>
    SourcePort,

    /// <summary>The destination port.</summary>
    DestinationPort,

    /// <summary>The source address.</summary>
    SourceAddress,

    /// <summary>The destination address.</summary>
    DestinationAddress,
}
