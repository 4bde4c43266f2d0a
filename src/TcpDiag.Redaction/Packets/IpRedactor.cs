using System;
using TcpDiag.Wire;

namespace TcpDiag.Redaction.Packets;

/// <summary>
/// Redacts an IP packet behind a link-layer header: addresses get pseudonyms, options with arbitrary content become zero, the headers of TCP, UDP and ICMP
/// stay. Other protocols, including tunnels, and all fragments but the first are cut behind the IP header.
/// </summary>
sealed class IpRedactor(Pseudonyms names)
{
    const int Ipv4FixedLength = 20;
    const int Ipv6FixedLength = 40;

    // Ports and, for TCP, the sequence number: the minimum that an error message quotes (RFC 792), and what is kept of a truncated header.
    const int QuotedLength = 8;

    readonly DnsRedactor _dns = new(names);

    /// <summary>Redacts a packet in place.</summary>
    /// <param name="frame">The frame; what precedes the IP header is not touched.</param>
    /// <param name="packet">What was parsed from it; its addresses become the pseudonyms.</param>
    /// <returns>How many bytes of the frame are kept; the rest is zero.</returns>
    public int Redact(Span<byte> frame, ref ParsedPacket packet) => Redact(frame, ref packet, isQuoted: false);

    int Redact(Span<byte> frame, ref ParsedPacket packet, bool isQuoted)
    {
        ChecksumKind headerKind = ChecksumRewriter.ClassifyIpv4(frame, packet);
        int field = ChecksumField(packet);
        ChecksumKind kind = field >= 0 ? ChecksumRewriter.Classify(frame, packet, field) : ChecksumKind.Right;
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

    // For a header that cannot be parsed: UDP without its checksum, which could not be recomputed.
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

    // RFC 4861 §4.3 to §4.5: a solicitation and an advertisement have a target, a redirect also a destination; then options in units of eight bytes, of
    // which types 1 and 2 hold MAC addresses.
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

/// <summary>Clears the contents of IP and TCP options except for what the analysis needs. Kinds and lengths stay, so that headers keep their form.</summary>
static class OptionCleaner
{
    const int EndOfList = 0;
    const int NoOperation = 1;

    /// <summary>Clears the options of an IPv4 header: routes and timestamps among them hold addresses.</summary>
    public static void CleanIpv4(Span<byte> options) => Clean(options, static (_, _) => 0);

    /// <summary>Clears the options of a TCP header except those of RFC 9293, 7323, 2018 and accurate ECN.</summary>
    public static void CleanTcp(Span<byte> options) => Clean(options, KeptOfTcp);

    /// <summary>Clears the extension headers of an IPv6 packet except the fragment header.</summary>
    public static void CleanIpv6(Span<byte> headers, byte first)
    {
        const int headLength = 2; // next header, length
        const int smallest = 8;
        var protocol = (IpProtocol)first;
        while (headers.Length >= smallest)
        {
            int length = protocol switch
            {
                IpProtocol.Fragment => smallest,
                IpProtocol.Authentication => (headers[1] + 2) * 4,
                _ => (headers[1] + 1) * 8,
            };
            length = Math.Clamp(length, smallest, headers.Length);
            headers[(protocol == IpProtocol.Fragment ? smallest : headLength)..length].Clear();
            protocol = (IpProtocol)headers[0];
            headers = headers[length..];
        }

        headers.Clear();
    }

    // How many bytes of the value stay.
    static int KeptOfTcp(int kind, int length) => (kind, length) switch
    {
        (2, 4) or (3, 3) or (4, 2) or (8, 10) or (5, 10 or 18 or 26 or 34) => length - 2,
        (5, > 2) => length - 2, // cut by the capture
        (28, 4) => length - 2, // RFC 5482
        (172 or 174, <= 11) => length - 2, // accurate ECN: byte counters
        (253 or 254, >= 4) => 2, // RFC 6994: the experiment identifier
        _ => 0,
    };

    static void Clean(Span<byte> rest, Func<int, int, int> kept)
    {
        while (rest.Length > 0 && rest[0] != EndOfList)
        {
            int length = rest[0] == NoOperation ? 1 : rest.Length > 1 ? rest[1] : 0;
            if (length == 1)
            {
                rest = rest[1..];
                continue;
            }

            if (length < 2)
            {
                break;
            }

            int here = Math.Min(length, rest.Length);
            rest[Math.Min(here, 2 + kept(rest[0], length))..here].Clear();
            rest = rest[here..];
        }

        // Padding follows the end of the list; behind an option of invalid length there may be anything.
        rest.Clear();
    }
}
