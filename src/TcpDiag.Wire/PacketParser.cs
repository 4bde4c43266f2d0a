using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TcpDiag.Wire;

/// <summary>
/// Parses a captured frame down to TCP or UDP (RFC 791, 8200, 9293, 768) without allocating. Lengths are those of the
/// wire: they come from the IP header, or from the frame where segmentation offload left the IP length 0. Fragments are
/// not reassembled; tunnels are not decapsulated.
/// </summary>
public static class PacketParser
{
    const int EthernetLength = 14;
    const int MinIpv4Length = 20;
    const int Ipv6Length = 40;
    const int MinTcpLength = 20;
    const int UdpLength = 8;

    /// <summary>Parses a frame that was captured in full.</summary>
    /// <param name="frame">The captured bytes, beginning with the link-layer header.</param>
    /// <param name="link">What they begin with.</param>
    /// <param name="packet">Overwritten; undefined when the result is false.</param>
    /// <returns>Whether the frame carries IP; the packet shows whether it is TCP or UDP.</returns>
    public static bool TryParse(ReadOnlySpan<byte> frame, LinkType link, ref ParsedPacket packet) =>
        TryParse(frame, link, frame.Length, ref packet);

    /// <summary>Parses a frame that the capture may have truncated.</summary>
    /// <param name="frame">The captured bytes, beginning with the link-layer header.</param>
    /// <param name="link">What they begin with.</param>
    /// <param name="originalLength">Bytes on the wire, link-layer header included; used only where the IP header has no length.</param>
    /// <param name="packet">Overwritten; undefined when the result is false.</param>
    /// <returns>Whether the frame carries IP; the packet shows whether it is TCP or UDP.</returns>
    public static bool TryParse(ReadOnlySpan<byte> frame, LinkType link, int originalLength, ref ParsedPacket packet) =>
        (link == LinkType.Ethernet && TryParseCommon(frame, ref packet)) || TryParseOther(frame, link, originalLength, ref packet);

    static bool TryParseOther(ReadOnlySpan<byte> frame, LinkType link, int originalLength, ref ParsedPacket packet)
    {
        if (!LinkHeader.TryFindNetwork(frame, link, out int offset) || offset >= frame.Length)
        {
            return false;
        }

        packet.NetworkOffset = offset;
        int original = Math.Max(originalLength, frame.Length);
        return (frame[offset] >> 4) switch
        {
            4 => TryParseIpv4(frame, original, ref packet),
            6 => TryParseIpv6(frame, original, ref packet),
            _ => false,
        };
    }

    // Nearly every packet of nearly every trace: untagged Ethernet, IPv4 without options or fragments, TCP. One length
    // check up front; everything read lies below it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool TryParseCommon(ReadOnlySpan<byte> frame, ref ParsedPacket packet)
    {
        const int tcp = EthernetLength + MinIpv4Length;
        if (frame.Length < tcp + MinTcpLength)
        {
            return false;
        }

        ref byte start = ref MemoryMarshal.GetReference(frame);
        int headerLength = (Unsafe.Add(ref start, tcp + 12) >> 4) * 4;
        int totalLength = ReadUInt16(ref start, 16);
        bool isCommon = ReadUInt32(ref start, 12) >> 8 == 0x080045 // EtherType IPv4, version 4, five words
            && (ReadUInt32(ref start, 20) & 0x3FFF00FF) == 6 // no fragment, TCP
            && headerLength >= MinTcpLength
            && totalLength >= MinIpv4Length + headerLength;
        if (!isCommon)
        {
            return false;
        }

        packet.NetworkOffset = EthernetLength;
        packet.TransportOffset = tcp;
        packet.PayloadOffset = tcp + headerLength;
        packet.PayloadLength = totalLength - MinIpv4Length - headerLength;
        packet.Protocol = IpProtocol.Tcp;
        packet.Traits = PacketTraits.HasTransport;
        packet.TrafficClass = Unsafe.Add(ref start, 15);
        packet.HopLimit = Unsafe.Add(ref start, 22);
        packet.IpId = ReadUInt16(ref start, 18);
        packet.Source = IpAddress.FromIpv4(ReadUInt32(ref start, 26));
        packet.Destination = IpAddress.FromIpv4(ReadUInt32(ref start, 30));
        ReadTcp(ref start, tcp, ref packet);
        TcpOptionParser.Parse(frame, tcp + MinTcpLength, packet.PayloadOffset, ref packet.Options);
        return true;
    }

    static bool TryParseIpv4(ReadOnlySpan<byte> frame, int originalLength, ref ParsedPacket packet)
    {
        int start = packet.NetworkOffset;
        ReadOnlySpan<byte> header = frame[start..];
        if (header.Length < MinIpv4Length)
        {
            return false;
        }

        int headerLength = (header[0] & 0x0F) * 4;
        int totalLength = BinaryPrimitives.ReadUInt16BigEndian(header[2..]);
        packet.Traits = headerLength > MinIpv4Length ? PacketTraits.HasIpOptions : PacketTraits.None;
        if (totalLength == 0)
        {
            totalLength = originalLength - start;
            packet.Traits |= PacketTraits.LengthFromFrame;
        }

        if (headerLength < MinIpv4Length || totalLength < headerLength)
        {
            return false;
        }

        packet.TrafficClass = header[1];
        packet.IpId = BinaryPrimitives.ReadUInt16BigEndian(header[4..]);
        packet.HopLimit = header[8];
        packet.Protocol = (IpProtocol)header[9];
        packet.Source = IpAddress.Read(header.Slice(12, 4));
        packet.Destination = IpAddress.Read(header.Slice(16, 4));
        int fragment = BinaryPrimitives.ReadUInt16BigEndian(header[6..]) & 0x3FFF; // "more fragments" and the offset
        packet.Traits |= fragment != 0 ? PacketTraits.IsFragment : PacketTraits.None;
        bool isFirst = (fragment & 0x1FFF) == 0;
        ParseTransport(frame, start + headerLength, start + totalLength, isFirst, ref packet);
        return true;
    }

    static bool TryParseIpv6(ReadOnlySpan<byte> frame, int originalLength, ref ParsedPacket packet)
    {
        int start = packet.NetworkOffset;
        ReadOnlySpan<byte> header = frame[start..];
        if (header.Length < Ipv6Length)
        {
            return false;
        }

        int payloadLength = BinaryPrimitives.ReadUInt16BigEndian(header[4..]);
        packet.Traits = PacketTraits.IsIpv6;
        if (payloadLength == 0)
        {
            // Segmentation offload, or a jumbogram (RFC 2675): both are as long as the frame.
            payloadLength = Math.Max(originalLength - start - Ipv6Length, 0);
            packet.Traits |= PacketTraits.LengthFromFrame;
        }

        packet.TrafficClass = (byte)(BinaryPrimitives.ReadUInt16BigEndian(header) >> 4);
        packet.HopLimit = header[7];
        packet.IpId = 0;
        packet.Protocol = (IpProtocol)header[6];
        packet.Source = IpAddress.Read(header.Slice(8, 16));
        packet.Destination = IpAddress.Read(header.Slice(24, 16));
        int offset = start + Ipv6Length;
        bool isFirst = SkipExtensionHeaders(frame, ref offset, ref packet);
        ParseTransport(frame, offset, start + Ipv6Length + payloadLength, isFirst, ref packet);
        return true;
    }

    // RFC 8200 §4. Returns false when no transport header follows: a later fragment, or a truncated frame.
    static bool SkipExtensionHeaders(ReadOnlySpan<byte> frame, ref int offset, ref ParsedPacket packet)
    {
        bool isFirst = true;
        while (IsExtension(packet.Protocol))
        {
            packet.Traits |= PacketTraits.HasIpOptions;
            if (!isFirst || frame.Length < offset + 8)
            {
                return false;
            }

            int length = (frame[offset + 1] + 1) * 8;
            if (packet.Protocol == IpProtocol.Fragment)
            {
                length = 8;
                int fragment = BinaryPrimitives.ReadUInt16BigEndian(frame[(offset + 2)..]);
                packet.IpId = BinaryPrimitives.ReadUInt32BigEndian(frame[(offset + 4)..]);
                packet.Traits |= (fragment & 0xFFF9) != 0 ? PacketTraits.IsFragment : PacketTraits.None;
                isFirst = fragment >> 3 == 0;
            }
            else if (packet.Protocol == IpProtocol.Authentication)
            {
                length = (frame[offset + 1] + 2) * 4; // RFC 4302 §2.2 counts words
            }

            packet.Protocol = (IpProtocol)frame[offset];
            offset += length;
        }

        return isFirst;
    }

    static bool IsExtension(IpProtocol protocol) => protocol
        is IpProtocol.HopByHop or IpProtocol.Routing or IpProtocol.Fragment or IpProtocol.Authentication
        or IpProtocol.DestinationOptions or IpProtocol.Mobility or IpProtocol.HostIdentity or IpProtocol.Shim6;

    static void ParseTransport(ReadOnlySpan<byte> frame, int offset, int end, bool isFirst, ref ParsedPacket packet)
    {
        packet.TransportOffset = offset;
        packet.PayloadOffset = offset;
        packet.PayloadLength = Math.Max(end - offset, 0);
        packet.SourcePort = 0;
        packet.DestinationPort = 0;
        int available = Math.Min(frame.Length, end) - offset;
        if (isFirst && packet.Protocol == IpProtocol.Tcp && available >= MinTcpLength)
        {
            ParseTcp(frame, offset, end, ref packet);
        }
        else if (isFirst && packet.Protocol == IpProtocol.Udp && available >= UdpLength)
        {
            ParseUdp(frame, offset, end, ref packet);
        }
    }

    static void ParseTcp(ReadOnlySpan<byte> frame, int offset, int end, ref ParsedPacket packet)
    {
        int headerLength = (frame[offset + 12] >> 4) * 4;
        if (headerLength < MinTcpLength || headerLength > end - offset)
        {
            return;
        }

        packet.Traits |= PacketTraits.HasTransport;
        packet.PayloadOffset = offset + headerLength;
        packet.PayloadLength = end - packet.PayloadOffset;
        ReadTcp(ref MemoryMarshal.GetReference(frame), offset, ref packet);
        TcpOptionParser.Parse(frame, offset + MinTcpLength, packet.PayloadOffset, ref packet.Options);
    }

    static void ParseUdp(ReadOnlySpan<byte> frame, int offset, int end, ref ParsedPacket packet)
    {
        ReadOnlySpan<byte> header = frame.Slice(offset, UdpLength);
        int length = BinaryPrimitives.ReadUInt16BigEndian(header[4..]);
        if (length is > 0 and < UdpLength)
        {
            return;
        }

        packet.Traits |= PacketTraits.HasTransport;
        packet.SourcePort = BinaryPrimitives.ReadUInt16BigEndian(header);
        packet.DestinationPort = BinaryPrimitives.ReadUInt16BigEndian(header[2..]);
        packet.PayloadOffset = offset + UdpLength;
        int space = end - packet.PayloadOffset;
        bool hasOwnLength = length > 0 && (packet.Traits & PacketTraits.IsFragment) == 0;
        packet.PayloadLength = hasOwnLength ? Math.Min(length - UdpLength, space) : space;
    }

    // The caller has checked that the 20 bytes of the fixed header lie inside the frame.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void ReadTcp(ref byte start, int offset, ref ParsedPacket packet)
    {
        uint ports = ReadUInt32(ref start, offset);
        uint control = ReadUInt32(ref start, offset + 12);
        packet.SourcePort = (ushort)(ports >> 16);
        packet.DestinationPort = (ushort)ports;
        packet.Sequence = new(ReadUInt32(ref start, offset + 4));
        packet.Acknowledgment = new(ReadUInt32(ref start, offset + 8));
        packet.Flags = (TcpFlags)((control >> 16) & 0x1FF);
        packet.Window = (ushort)control;
    }

    /// <summary>Two bytes in network order, where the caller has checked that they are there.</summary>
    /// <param name="start">First byte of a frame.</param>
    /// <param name="offset">Bytes from there.</param>
    /// <returns>Their value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ushort ReadUInt16(ref byte start, int offset) =>
        BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref start, offset)));

    /// <summary>Four bytes in network order, where the caller has checked that they are there.</summary>
    /// <param name="start">First byte of a frame.</param>
    /// <param name="offset">Bytes from there.</param>
    /// <returns>Their value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint ReadUInt32(ref byte start, int offset) =>
        BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, offset)));
}
