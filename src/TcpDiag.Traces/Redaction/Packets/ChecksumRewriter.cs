using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction.Packets;

/// <summary>
/// Makes checksums of redacted packets: what was right is right again, what was left to hardware looks so again, what was wrong stays wrong. Bytes that were cut count as the zeros
/// that they were replaced by, so that a checksum says nothing of them.
/// </summary>
static class ChecksumRewriter
{
    const int Ipv4Field = 10;

    /// <summary>Tells what the header checksum of an IPv4 packet is.</summary>
    /// <param name="frame">The frame, not changed yet.</param>
    /// <param name="packet">What was parsed from it.</param>
    /// <returns>The kind; without meaning for IPv6.</returns>
    public static ChecksumKind LookAtIpv4(ReadOnlySpan<byte> frame, in ParsedPacket packet) => InternetChecksum.VerifyIpv4(frame, packet) switch
    {
        ChecksumState.NotFilledIn => ChecksumKind.Zero,
        ChecksumState.Wrong => ChecksumKind.Wrong,
        _ => ChecksumKind.Right,
    };

    /// <summary>Writes the header checksum of an IPv4 packet.</summary>
    /// <param name="header">The header as it is now, options included.</param>
    /// <param name="kind">What it was.</param>
    public static void WriteIpv4(Span<byte> header, ChecksumKind kind)
    {
        Span<byte> field = header.Slice(Ipv4Field, sizeof(ushort));
        field.Clear();
        if (kind != ChecksumKind.Zero)
        {
            ushort right = InternetChecksum.Compute(header);
            BinaryPrimitives.WriteUInt16BigEndian(field, kind == ChecksumKind.Wrong ? Spoil(right) : right);
        }
    }

    /// <summary>Tells what the checksum behind an IP header is.</summary>
    /// <param name="frame">The frame, not changed yet.</param>
    /// <param name="packet">What was parsed from it.</param>
    /// <param name="field">Where in the transport header the checksum stands.</param>
    /// <returns>The kind.</returns>
    public static ChecksumKind Look(ReadOnlySpan<byte> frame, in ParsedPacket packet, int field)
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

    /// <summary>Writes the checksum behind an IP header.</summary>
    /// <param name="frame">The frame as it is now; what does not belong to the packet's headers is zero.</param>
    /// <param name="packet">What it is, with the addresses that it has now.</param>
    /// <param name="field">Where in the transport header the checksum stands.</param>
    /// <param name="kind">What it was.</param>
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

        // RFC 768: zero means that there is none, so that a sum of zero is sent as all ones.
        right = right == 0 && packet.Protocol == IpProtocol.Udp ? ushort.MaxValue : right;
        BinaryPrimitives.WriteUInt16BigEndian(frame[at..], kind switch
        {
            ChecksumKind.Zero => 0,
            ChecksumKind.PseudoHeader => Pseudo(packet, length),
            ChecksumKind.PseudoHeaderWithoutLength => Pseudo(packet, 0),
            ChecksumKind.Wrong => Spoil(right),
            _ => right,
        });
    }

    static int Length(in ParsedPacket packet) => packet.PayloadOffset + packet.PayloadLength - packet.TransportOffset;

    // ICMP has none; that of version 6 has (RFC 4443 §2.3).
    static ushort Pseudo(in ParsedPacket packet, int length) =>
        packet.Protocol == IpProtocol.Icmp ? (ushort)0 : InternetChecksum.PseudoHeader(packet.Source, packet.Destination, packet.Protocol, length);

    // Another number that is neither right nor zero.
    static ushort Spoil(ushort right) => (ushort)((right ^ 0x0101) == 0 ? 0x0202 : right ^ 0x0101);
}
