using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>The Internet checksum (RFC 1071) of IPv4, TCP and UDP, aware of checksums that hardware fills in later.</summary>
public static class InternetChecksum
{
    /// <summary>Adds bytes to a one's-complement sum.</summary>
    /// <param name="bytes">Any length; an odd last byte counts as if a zero followed.</param>
    /// <param name="sum">The sum so far; 0 to begin. All parts but the last must have an even length.</param>
    /// <returns>The folded 16-bit sum, not complemented.</returns>
    public static ushort Add(ReadOnlySpan<byte> bytes, ushort sum = 0)
    {
        ulong total = sum;
        while (bytes.Length >= 4)
        {
            total += BinaryPrimitives.ReadUInt32BigEndian(bytes); // 2³² additions fit before 64 bits overflow
            bytes = bytes[4..];
        }

        if (bytes.Length >= 2)
        {
            total += BinaryPrimitives.ReadUInt16BigEndian(bytes);
            bytes = bytes[2..];
        }

        total += bytes.IsEmpty ? 0u : (uint)bytes[0] << 8;
        return Fold(total);
    }

    /// <summary>The checksum to store for bytes whose checksum field is zero.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="sum">Sum of a pseudo-header; 0 without one.</param>
    /// <returns>The complemented sum.</returns>
    public static ushort Compute(ReadOnlySpan<byte> bytes, ushort sum = 0) => (ushort)~Add(bytes, sum);

    /// <summary>The sum of the pseudo-header of TCP or UDP (RFC 9293 §3.1, RFC 8200 §8.1).</summary>
    /// <param name="source">Source address.</param>
    /// <param name="destination">Destination address.</param>
    /// <param name="protocol">The protocol.</param>
    /// <param name="length">Bytes of transport header and payload.</param>
    /// <returns>The folded 16-bit sum, not complemented.</returns>
    public static ushort PseudoHeader(IpAddress source, IpAddress destination, IpProtocol protocol, int length)
    {
        Span<byte> bytes = stackalloc byte[32];
        int used = source.Write(bytes);
        used += destination.Write(bytes[used..]);
        return Fold((ulong)Add(bytes[..used]) + (uint)length + (byte)protocol);
    }

    /// <summary>Checks the header checksum of an IPv4 packet.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="packet">What was parsed from it.</param>
    /// <returns>The result; IPv6 has no such checksum and is not verifiable.</returns>
    public static ChecksumState VerifyIpv4(ReadOnlySpan<byte> frame, in ParsedPacket packet)
    {
        int length = (packet.Traits & PacketTraits.IsIpv6) != 0 ? int.MaxValue : (frame[packet.NetworkOffset] & 0x0F) * 4;
        if (length > frame.Length - packet.NetworkOffset)
        {
            return ChecksumState.NotVerifiable;
        }

        ReadOnlySpan<byte> header = frame.Slice(packet.NetworkOffset, length);
        ushort stored = BinaryPrimitives.ReadUInt16BigEndian(header[10..]);
        return Add(header) == 0xFFFF ? ChecksumState.Correct : stored == 0 ? ChecksumState.NotFilledIn : ChecksumState.Wrong;
    }

    /// <summary>Checks the checksum of a TCP or UDP packet.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="packet">What was parsed from it.</param>
    /// <returns>The result.</returns>
    public static ChecksumState VerifyTransport(ReadOnlySpan<byte> frame, in ParsedPacket packet)
    {
        int length = packet.PayloadOffset + packet.PayloadLength - packet.TransportOffset;
        bool isWhole = (packet.Traits & (PacketTraits.HasTransport | PacketTraits.IsFragment)) == PacketTraits.HasTransport
            && length <= frame.Length - packet.TransportOffset;
        ReadOnlySpan<byte> segment = isWhole ? frame.Slice(packet.TransportOffset, length) : default;
        if (segment.IsEmpty)
        {
            return ChecksumState.NotVerifiable;
        }

        ushort stored = BinaryPrimitives.ReadUInt16BigEndian(segment[(packet.IsTcp ? 16 : 6)..]);
        ushort pseudo = PseudoHeader(packet.Source, packet.Destination, packet.Protocol, length);
        if (stored == 0)
        {
            return ChecksumState.NotFilledIn; // RFC 768: none; elsewhere hardware computes all of it
        }

        return Add(segment, pseudo) == 0xFFFF ? ChecksumState.Correct
            : IsPartial(stored, pseudo, packet) ? ChecksumState.NotFilledIn
            : ChecksumState.Wrong;
    }

    // Checksum offload: the stack leaves the sum of the pseudo-header for the hardware to continue; for segmentation
    // offload, a sum without the length.
    static bool IsPartial(ushort stored, ushort pseudo, in ParsedPacket packet) => stored == pseudo
        || stored == PseudoHeader(packet.Source, packet.Destination, packet.Protocol, 0);

    static ushort Fold(ulong total)
    {
        total = (total & 0xFFFF_FFFF) + (total >> 32);
        total = (total & 0xFFFF) + ((total >> 16) & 0xFFFF) + (total >> 32);
        total = (total & 0xFFFF) + (total >> 16);
        return (ushort)((total & 0xFFFF) + (total >> 16));
    }
}

/// <summary>The result of checking a checksum.</summary>
public enum ChecksumState
{
    /// <summary>Not all bytes were captured, or there is no checksum to check.</summary>
    NotVerifiable,

    /// <summary>It is correct.</summary>
    Correct,

    /// <summary>It is zero or covers only the pseudo-header: hardware fills it in after the capture (checksum offload).</summary>
    NotFilledIn,

    /// <summary>It is wrong: the packet was corrupted.</summary>
    Wrong,
}
