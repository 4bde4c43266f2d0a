using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Redaction.Packets;

/// <summary>
/// Recomputes the checksums of redacted packets: a right one is right again, one left to the hardware looks like that again, a wrong one stays wrong.
/// Removed bytes count as zeros, so that a checksum reveals nothing about them.
/// </summary>
static class ChecksumRewriter
{
    const int Ipv4Field = 10;

    /// <summary>What the header checksum of an IPv4 packet is; meaningless for IPv6.</summary>
    public static ChecksumKind ClassifyIpv4(ReadOnlySpan<byte> frame, in ParsedPacket packet) => InternetChecksum.VerifyIpv4(frame, packet) switch
    {
        ChecksumState.NotFilledIn => ChecksumKind.Zero,
        ChecksumState.Wrong => ChecksumKind.Wrong,
        _ => ChecksumKind.Right,
    };

    public static void WriteIpv4(Span<byte> header, ChecksumKind kind)
    {
        Span<byte> field = header.Slice(Ipv4Field, sizeof(ushort));
        field.Clear();
        if (kind != ChecksumKind.Zero)
        {
            ushort right = InternetChecksum.Compute(header);
            BinaryPrimitives.WriteUInt16BigEndian(field, kind == ChecksumKind.Wrong ? MakeWrong(right) : right);
        }
    }

    /// <summary>What the checksum in a transport header is.</summary>
    public static ChecksumKind Classify(ReadOnlySpan<byte> frame, in ParsedPacket packet, int field)
    {
        int at = packet.TransportOffset + field;
        if (at + sizeof(ushort) > frame.Length)
        {
            return ChecksumKind.Right;
        }

        int length = Length(packet);
        ushort stored = BinaryPrimitives.ReadUInt16BigEndian(frame[at..]);
        ushort pseudo = Pseudo(packet, length);
        ReadOnlySpan<byte> segment = frame[packet.TransportOffset..];
        bool isWhole = length <= segment.Length && (packet.Traits & PacketTraits.IsFragment) == 0;
        bool isRight = !isWhole || InternetChecksum.Add(segment[..length], pseudo) == ushort.MaxValue;
        return stored switch
        {
            0 => ChecksumKind.Zero,
            _ when isWhole && isRight => ChecksumKind.Right,
            _ when stored == pseudo && packet.Protocol != IpProtocol.Icmp => ChecksumKind.PseudoHeader,
            _ when stored == Pseudo(packet, 0) && packet.Protocol != IpProtocol.Icmp => ChecksumKind.PseudoHeaderWithoutLength,
            _ => isRight ? ChecksumKind.Right : ChecksumKind.Wrong,
        };
    }

    /// <summary>Writes the checksum in a transport header.</summary>
    /// <param name="frame">The redacted frame; everything but the headers is zero.</param>
    /// <param name="packet">The packet in it, with its pseudonyms for addresses.</param>
    /// <param name="field">Offset of the checksum in the transport header.</param>
    /// <param name="kind">What it was before.</param>
    public static void Write(Span<byte> frame, in ParsedPacket packet, int field, ChecksumKind kind)
    {
        int at = packet.TransportOffset + field;
        if (at + sizeof(ushort) > frame.Length)
        {
            return;
        }

        frame.Slice(at, sizeof(ushort)).Clear();
        int length = Length(packet);
        Span<byte> segment = frame[packet.TransportOffset..];
        segment = segment[..Math.Min(segment.Length, length)];
        ushort right = InternetChecksum.Compute(segment, Pseudo(packet, length));

        // RFC 768: zero means no checksum; a sum of zero is sent as all ones.
        right = right == 0 && packet.Protocol == IpProtocol.Udp ? ushort.MaxValue : right;
        BinaryPrimitives.WriteUInt16BigEndian(frame[at..], kind switch
        {
            ChecksumKind.Zero => 0,
            ChecksumKind.PseudoHeader => Pseudo(packet, length),
            ChecksumKind.PseudoHeaderWithoutLength => Pseudo(packet, 0),
            ChecksumKind.Wrong => MakeWrong(right),
            _ => right,
        });
    }

    static int Length(in ParsedPacket packet) => packet.PayloadOffset + packet.PayloadLength - packet.TransportOffset;

    // ICMP has no pseudo-header; ICMPv6 has (RFC 4443 §2.3).
    static ushort Pseudo(in ParsedPacket packet, int length) =>
        packet.Protocol == IpProtocol.Icmp ? (ushort)0 : InternetChecksum.PseudoHeader(packet.Source, packet.Destination, packet.Protocol, length);

    // Neither right nor zero.
    static ushort MakeWrong(ushort right) => (ushort)((right ^ 0x0101) == 0 ? 0x0202 : right ^ 0x0101);
}

/// <summary>What a stored checksum was.</summary>
enum ChecksumKind
{
    /// <summary>Right, or unknown because bytes are missing.</summary>
    Right,

    /// <summary>Zero: none (RFC 768), or left to the hardware.</summary>
    Zero,

    /// <summary>The sum of the pseudo-header alone, which the hardware completes.</summary>
    PseudoHeader,

    /// <summary>The same without the length: segmentation offload.</summary>
    PseudoHeaderWithoutLength,

    Wrong,
}
