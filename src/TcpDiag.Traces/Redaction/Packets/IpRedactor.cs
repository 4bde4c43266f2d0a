using System;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction.Packets;

/// <summary>
/// Redacts an IP packet behind a link-layer header: addresses get pseudonyms, options that may hold anything become zero, of TCP, UDP and ICMP the headers stay. Other protocols,
/// tunnels among them, and all fragments but the first are cut behind the IP header.
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class IpRedactor(Pseudonyms names)
{
    const int Ipv4FixedLength = 20;
    const int Ipv6FixedLength = 40;

    // Ports and, for TCP, the sequence number: what an error message quotes at least (RFC 792), and what is left of a header that was cut.
    const int QuotedLength = 8;

    readonly DnsRedactor _dns = new(names);

    /// <summary>Redacts a packet.</summary>
    /// <param name="frame">The frame; what stands in front of the IP header is not touched.</param>
    /// <param name="packet">What was parsed from it; its addresses become the new ones.</param>
    /// <returns>How many bytes of the frame are kept; behind them stand zeros.</returns>
    public int Redact(Span<byte> frame, ref ParsedPacket packet) => Redact(frame, ref packet, isQuoted: false);

    int Redact(Span<byte> frame, ref ParsedPacket packet, bool isQuoted)
    {
        ChecksumKind headerKind = ChecksumRewriter.LookAtIpv4(frame, packet);
        int field = ChecksumField(packet);
        ChecksumKind kind = field >= 0 ? ChecksumRewriter.Look(frame, packet, field) : ChecksumKind.Right;
        RedactHeader(frame, ref packet, headerKind);
        int kept = Math.Min(RedactTransport(frame, packet, isQuoted), frame.Length);
        frame[kept..].Clear();
        if (field >= 0)
        {
            ChecksumRewriter.Write(frame, packet, field, kind);
        }

        return kept;
    }

    void RedactHeader(Span<byte> frame, ref ParsedPacket packet, ChecksumKind kind)
    {
        int headerEnd = Math.Min(packet.TransportOffset, frame.Length);
        Span<byte> header = frame[packet.NetworkOffset..headerEnd];
        if ((packet.Traits & PacketTraits.IsIpv6) != 0)
        {
            names.ReplaceAddress(header[8..24]);
            names.ReplaceAddress(header[24..40]);
            packet.Source = IpAddress.Read(header[8..24]);
            packet.Destination = IpAddress.Read(header[24..40]);
            OptionCleaner.CleanIpv6(header[Ipv6FixedLength..], header[6]);
            return;
        }

        names.ReplaceAddress(header[12..16]);
        names.ReplaceAddress(header[16..20]);
        packet.Source = IpAddress.Read(header[12..16]);
        packet.Destination = IpAddress.Read(header[16..20]);
        OptionCleaner.CleanIpv4(header[Ipv4FixedLength..]);
        ChecksumRewriter.WriteIpv4(header, kind);
    }

    int RedactTransport(Span<byte> frame, in ParsedPacket packet, bool isQuoted)
    {
        int start = packet.TransportOffset;
        bool isLaterFragment = (packet.Traits & (PacketTraits.IsFragment | PacketTraits.HasTransport)) == PacketTraits.IsFragment;
        if (isLaterFragment || start >= frame.Length)
        {
            return start;
        }

        switch (packet.Protocol)
        {
            case IpProtocol.Tcp or IpProtocol.Udp:
                ReplacePorts(frame[start..]);
                return packet.IsTcp ? RedactTcp(frame, packet) : packet.IsUdp ? RedactUdp(frame, packet) : start + UnreadLength(packet);
            case IpProtocol.Icmp or IpProtocol.IcmpV6 when !isQuoted:
                return RedactIcmp(frame, packet);
            default:
                return start;
        }
    }

    // Of a header that cannot be read: a checksum stands behind ports and length of UDP, and nobody would make it anew.
    static int UnreadLength(in ParsedPacket packet) => packet.Protocol == IpProtocol.Udp ? 6 : QuotedLength;

    void ReplacePorts(Span<byte> header)
    {
        for (int i = 0; i < 2 && header.Length >= 2; i++, header = header[2..])
        {
            names.ReplacePort(header[..2]);
        }
    }

    static int RedactTcp(Span<byte> frame, in ParsedPacket packet)
    {
        const int fixedLength = 20;
        int end = Math.Min(packet.PayloadOffset, frame.Length);
        OptionCleaner.CleanTcp(frame[Math.Min(packet.TransportOffset + fixedLength, end)..end]);
        return end;
    }

    int RedactUdp(Span<byte> frame, in ParsedPacket packet)
    {
        bool isNameService = PortMap.IsNameService(packet.SourcePort) || PortMap.IsNameService(packet.DestinationPort);
        int end = Math.Min(frame.Length, packet.PayloadOffset + packet.PayloadLength);
        return isNameService && packet.PayloadOffset < end
            ? packet.PayloadOffset + _dns.Redact(frame[packet.PayloadOffset..end], packet.PayloadLength)
            : packet.PayloadOffset;
    }

    int RedactIcmp(Span<byte> frame, in ParsedPacket packet)
    {
        int end = Math.Min(frame.Length, packet.TransportOffset + packet.PayloadLength);
        Span<byte> message = frame[packet.TransportOffset..end];
        if (message.Length < QuotedLength)
        {
            return end;
        }

        bool isVersion6 = packet.Protocol == IpProtocol.IcmpV6;
        int kept = QuotedLength;
        if (isVersion6 ? message[0] < 128 : message[0] is 3 or 4 or 5 or 11 or 12)
        {
            kept += RedactQuoted(message[QuotedLength..]);
        }
        else if (isVersion6 && message[0] is >= 135 and <= 137)
        {
            kept = RedactNeighbour(message);
        }

        if (!isVersion6 && message[0] == 5)
        {
            names.ReplaceAddress(message[4..8]); // RFC 792: the gateway to use
        }

        return packet.TransportOffset + kept;
    }

    int RedactQuoted(Span<byte> quoted)
    {
        var packet = default(ParsedPacket);
        return PacketParser.TryParse(quoted, LinkType.Raw, ref packet) ? Redact(quoted, ref packet, isQuoted: true) : 0;
    }

    // RFC 4861 §4.3 to §4.5: solicitation and advertisement have a target, a redirect also a destination; then options in units of eight bytes, of which 1 and 2 are MAC addresses.
    int RedactNeighbour(Span<byte> message)
    {
        const int addressLength = 16;
        int kept = QuotedLength;
        int addresses = message[0] == 137 ? 2 : 1;
        for (; addresses > 0 && message.Length >= kept + addressLength; addresses--, kept += addressLength)
        {
            names.ReplaceAddress(message.Slice(kept, addressLength));
        }

        while (addresses == 0 && message.Length >= kept + 8 && message[kept] is 1 or 2 && message[kept + 1] == 1)
        {
            names.ReplaceMac(message.Slice(kept + 2, LinkAddressMap.Bytes));
            kept += 8;
        }

        return kept;
    }

    static int ChecksumField(in ParsedPacket packet) => packet.Protocol switch
    {
        IpProtocol.Tcp when packet.IsTcp => 16,
        IpProtocol.Udp when packet.IsUdp => 6,
        IpProtocol.Icmp or IpProtocol.IcmpV6 when (packet.Traits & PacketTraits.IsFragment) == 0 => 2,
        _ => -1,
    };
}
