using System;

namespace TcpDiag.Wire;

/// <summary>What is special about a parsed packet.</summary>
[Flags]
#pragma warning disable CA1028 // kept small: it is part of every parsed packet
public enum PacketTraits : byte
#pragma warning restore CA1028
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>The transport header (TCP or UDP) was there in full; TCP options may still be cut.</summary>
    HasTransport = 0x01,

    /// <summary>IPv6; otherwise IPv4.</summary>
    IsIpv6 = 0x02,

    /// <summary>One fragment of a larger IP packet; its payload length is the fragment's.</summary>
    IsFragment = 0x04,

    /// <summary>The IP header gives length 0 (segmentation offload), so lengths come from the frame.</summary>
    LengthFromFrame = 0x08,

    /// <summary>The IPv4 header has options, or the IPv6 header has extension headers.</summary>
    HasIpOptions = 0x10,
}
