using System;

namespace TcpDiag.Wire;

/// <summary>
/// The headers of one packet as offsets and values: a struct the caller keeps and passes to every call of
/// <see cref="PacketParser"/>, so that nothing is allocated or cleared per packet. Offsets count from the start of the
/// frame. TCP's values are valid when <see cref="IsTcp"/>, UDP's ports and lengths when <see cref="IsUdp"/>. What can be
/// set from outside is what a caller rewrites or knows better than the headers.
/// </summary>
public struct ParsedPacket
{
    /// <summary>Source address.</summary>
    public IpAddress Source { get; set; }

    /// <summary>Destination address.</summary>
    public IpAddress Destination { get; set; }

    /// <summary>Source port, host order.</summary>
    public ushort SourcePort { get; set; }

    /// <summary>Destination port, host order.</summary>
    public ushort DestinationPort { get; set; }

    /// <summary>The protocol behind the IP headers.</summary>
    public IpProtocol Protocol { get; internal set; }

    /// <summary>What is special about the packet.</summary>
    public PacketTraits Traits { get; internal set; }

    /// <summary>The DSCP and ECN byte.</summary>
    public byte TrafficClass { get; internal set; }

    /// <summary>TTL or hop limit.</summary>
    public byte HopLimit { get; internal set; }

    /// <summary>IPv4 identification, or that of an IPv6 fragment header; 0 without one.</summary>
    public uint IpId { get; internal set; }

    /// <summary>Offset of the IP header.</summary>
    public int NetworkOffset { get; internal set; }

    /// <summary>Offset of what follows the IP headers.</summary>
    public int TransportOffset { get; internal set; }

    /// <summary>Offset of the transport payload; behind the end of the frame when the capture truncated the headers' options.</summary>
    public int PayloadOffset { get; internal set; }

    /// <summary>Bytes of transport payload on the wire, from the IP header: neither Ethernet padding nor truncation by the capture changes it.</summary>
    public int PayloadLength { get; set; }

    /// <summary>TCP sequence number of the first byte (of the SYN, when there is one).</summary>
    public SequenceNumber Sequence { get; set; }

    /// <summary>TCP acknowledgment number; significant with <see cref="TcpFlags.Ack"/>.</summary>
    public SequenceNumber Acknowledgment { get; set; }

    /// <summary>TCP control bits.</summary>
    public TcpFlags Flags { get; set; }

    /// <summary>TCP window as sent, unscaled.</summary>
    public ushort Window { get; internal set; }

    /// <summary>TCP options: a field, since the option parser fills it in place.</summary>
    public TcpOptions Options;

    /// <summary>Whether the TCP values are valid.</summary>
    public readonly bool IsTcp => Protocol == IpProtocol.Tcp && (Traits & PacketTraits.HasTransport) != 0;

    /// <summary>Whether the UDP ports and lengths are valid.</summary>
    public readonly bool IsUdp => Protocol == IpProtocol.Udp && (Traits & PacketTraits.HasTransport) != 0;

    /// <summary>Sequence space the segment occupies: payload plus one each for SYN and FIN (RFC 9293 §3.4).</summary>
    public readonly int SequenceLength => PayloadLength + (((int)Flags >> 1) & 1) + ((int)Flags & 1);

    /// <summary>The part of the payload that was captured.</summary>
    /// <param name="frame">The frame this was parsed from.</param>
    /// <returns>A view on the frame, without link-layer padding; empty when nothing was captured.</returns>
    public readonly ReadOnlySpan<byte> CapturedPayload(ReadOnlySpan<byte> frame) => PayloadOffset >= frame.Length
        ? default
        : frame.Slice(PayloadOffset, Math.Min(PayloadLength, frame.Length - PayloadOffset));
}

/// <summary>What is special about a parsed packet.</summary>
[Flags]
#pragma warning disable CA1028 // kept small: it is part of every parsed packet
public enum PacketTraits : byte
#pragma warning restore CA1028
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>The transport header (TCP or UDP) is complete; TCP options may still be truncated.</summary>
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

/// <summary>The IP protocol numbers this library knows by name; any 8-bit value may occur.</summary>
#pragma warning disable CA1028 // the header stores eight bits
public enum IpProtocol : byte
#pragma warning restore CA1028
{
    /// <summary>Hop-by-hop options (IPv6).</summary>
    HopByHop = 0,

    /// <summary>ICMP for IPv4.</summary>
    Icmp = 1,

    /// <summary>Transmission Control Protocol.</summary>
    Tcp = 6,

    /// <summary>User Datagram Protocol.</summary>
    Udp = 17,

    /// <summary>Routing header (IPv6).</summary>
    Routing = 43,

    /// <summary>Fragment header (IPv6).</summary>
    Fragment = 44,

    /// <summary>Authentication header.</summary>
    Authentication = 51,

    /// <summary>ICMP for IPv6.</summary>
    IcmpV6 = 58,

    /// <summary>No next header (IPv6).</summary>
    NoNextHeader = 59,

    /// <summary>Destination options (IPv6).</summary>
    DestinationOptions = 60,

    /// <summary>Mobility header (IPv6).</summary>
    Mobility = 135,

    /// <summary>Host identity protocol.</summary>
    HostIdentity = 139,

    /// <summary>Shim6.</summary>
    Shim6 = 140,
}
