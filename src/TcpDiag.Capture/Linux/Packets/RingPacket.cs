using System;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>One packet of a ring block, as a view on it.</summary>
ref struct RingPacket
{
    /// <summary>When the kernel saw it: realtime clock.</summary>
    public TraceTime Time;

    /// <summary>The bytes kept, beginning with the link header, or with the IP header where the link is not Ethernet.</summary>
    public ReadOnlySpan<byte> Data;

    /// <summary>Bytes of the whole packet, counted like <see cref="Data"/>.</summary>
    public int OriginalLength;

    /// <summary>What <see cref="Data"/> begins with.</summary>
    public LinkType LinkType;

    /// <summary>Number of the interface.</summary>
    public int InterfaceIndex;

    /// <summary>Sent or received.</summary>
    public PacketDirection Direction;

    /// <summary>The VLAN tag the kernel took out (protocol in the upper, control information in the lower 16 bits); 0 when there was none.</summary>
    public uint VlanTag;
}
