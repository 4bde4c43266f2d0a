using System;

namespace TcpDiag.Wire;

/// <summary>
/// The headers of one packet as offsets and values: a plain struct the caller keeps and passes to every call of
/// <see cref="PacketParser"/>, so that nothing is allocated or cleared per packet. Offsets count from the start of the
/// frame. TCP fields are valid when <see cref="IsTcp"/>, UDP's ports and lengths when <see cref="IsUdp"/>.
/// </summary>
public struct ParsedPacket
{
    /// <summary>Source address.</summary>
    public IpAddress Source;

    /// <summary>Destination address.</summary>
    public IpAddress Destination;

    /// <summary>Source port, host order.</summary>
    public ushort SourcePort;

    /// <summary>Destination port, host order.</summary>
    public ushort DestinationPort;

    /// <summary>The protocol behind the IP headers.</summary>
    public IpProtocol Protocol;

    /// <summary>What is special about the packet.</summary>
    public PacketTraits Traits;

    /// <summary>The DSCP and ECN byte.</summary>
    public byte TrafficClass;

    /// <summary>TTL or hop limit.</summary>
    public byte HopLimit;

    /// <summary>IPv4 identification, or that of an IPv6 fragment header; 0 without one.</summary>
    public uint IpId;

    /// <summary>Offset of the IP header.</summary>
    public int NetworkOffset;

    /// <summary>Offset of what follows the IP headers.</summary>
    public int TransportOffset;

    /// <summary>Offset of the transport payload; behind the end of the frame when the capture cut the headers' options.</summary>
    public int PayloadOffset;

    /// <summary>Bytes of transport payload on the wire, from the IP header: neither Ethernet padding nor the capture's cut change it.</summary>
    public int PayloadLength;

    /// <summary>TCP sequence number of the first byte (of the SYN, when there is one).</summary>
    public SequenceNumber Sequence;

    /// <summary>TCP acknowledgment number; significant with <see cref="TcpFlags.Ack"/>.</summary>
    public SequenceNumber Acknowledgment;

    /// <summary>TCP control bits.</summary>
    public TcpFlags Flags;

    /// <summary>TCP window as sent, unscaled.</summary>
    public ushort Window;

    /// <summary>TCP options.</summary>
    public TcpOptions Options;

    /// <summary>Whether the TCP fields are valid.</summary>
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
