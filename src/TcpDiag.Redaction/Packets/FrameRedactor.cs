using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Redaction.Packets;

/// <summary>
/// Redacts a captured frame in place: the headers of link, IP, TCP, UDP and ICMP and the messages of name services stay, with pseudonyms; everything else
/// becomes zero. It uses the parser of the analysis, so that everything the analysis reads was redacted; what that parser does not understand is removed.
/// </summary>
sealed class FrameRedactor(Pseudonyms names)
{
    readonly LinkRedactor _link = new(names);
    readonly IpRedactor _ip = new(names);
    ParsedPacket _packet;

    /// <summary>Returns how many leading bytes are kept; the rest is zero.</summary>
    public int Redact(Span<byte> frame, LinkType link, int originalLength)
    {
        bool isIp = PacketParser.TryParse(frame, link, originalLength, ref _packet);
        int kept = _link.Redact(frame, link);
        if (isIp)
        {
            kept = _ip.Redact(frame, ref _packet);
        }

        names.Counts.Add(RedactionKind.PayloadBytes, frame.Length - kept);
        frame[kept..].Clear();
        return kept;
    }
}

/// <summary>Redacts link-layer headers and ARP. Tags, session ids and labels stay; radio information (radiotap) stays.</summary>
sealed class LinkRedactor(Pseudonyms names)
{
    const int EthernetLength = 14;
    const int SllLength = 16;
    const int Sll2Length = 20;
    const int LoopbackLength = 4;
    const int MaxTags = 4;
    const ushort ArpType = 0x0806;

    /// <summary>Returns how many bytes may be kept if what follows is not understood.</summary>
    public int Redact(Span<byte> frame, LinkType link)
    {
        switch (link)
        {
            case LinkType.Ethernet when frame.Length >= EthernetLength:
                ReplaceDestination(frame, link);
                names.ReplaceMac(frame[6..12]);
                return Behind(frame, EthernetLength, 12, link);
            case LinkType.LinuxSll when frame.Length >= SllLength:
                ReplaceCooked(frame[6..14], BinaryPrimitives.ReadUInt16BigEndian(frame[4..]));
                return Behind(frame, SllLength, 14, link);
            case LinkType.LinuxSll2 when frame.Length >= Sll2Length:
                ReplaceCooked(frame[12..20], frame[11]);
                return Behind(frame, Sll2Length, 0, link);
            case LinkType.Null or LinkType.Loop:
                return Math.Min(LoopbackLength, frame.Length);
            case LinkType.Ieee80211:
                return RedactWireless(frame, 0);
            case LinkType.Ieee80211Radiotap when frame.Length >= 8:
                int radio = BinaryPrimitives.ReadUInt16LittleEndian(frame[2..]);
                return radio >= 8 && radio <= frame.Length ? RedactWireless(frame, radio) : 0;
            default:
                return 0;
        }
    }

    void ReplaceDestination(Span<byte> frame, LinkType link)
    {
        const int Ipv4Destination = 16;
        bool isIpv4 = LinkHeader.TryFindNetwork(frame, link, out int network) && network + Ipv4Destination + 4 <= frame.Length && frame[network] >> 4 == 4;
        if (isIpv4)
        {
            names.ReplaceMac(frame[..6], IpAddress.Read(frame.Slice(network + Ipv4Destination, 4)));
        }
        else
        {
            names.ReplaceMac(frame[..6]);
        }
    }

    // Eight bytes, of which the first ones, as many as the length, are a link-layer address.
    void ReplaceCooked(Span<byte> address, int length)
    {
        if (length == LinkAddressMap.Bytes)
        {
            names.ReplaceMac(address[..LinkAddressMap.Bytes]);
            address = address[LinkAddressMap.Bytes..];
        }

        address.Clear();
    }

    // If IP or ARP follows, the whole header before it stays; otherwise only the fixed header.
    int Behind(Span<byte> frame, int fixedLength, int typeOffset, LinkType link)
    {
        ushort type = BinaryPrimitives.ReadUInt16BigEndian(frame[typeOffset..]);
        int offset = fixedLength;
        for (int tags = 0; tags < MaxTags && IsTag(type) && frame.Length >= offset + 4; tags++)
        {
            type = BinaryPrimitives.ReadUInt16BigEndian(frame[(offset + 2)..]);
            offset += 4;
        }

        if (type == ArpType)
        {
            return offset + RedactArp(frame[offset..]);
        }

        return LinkHeader.TryFindNetwork(frame, link, out int network) ? Math.Min(network, frame.Length) : offset;
    }

    // IEEE 802.1Q, 802.1ad, and its predecessor.
    static bool IsTag(ushort type) => type is 0x8100 or 0x88A8 or 0x9100;

    // RFC 826, for Ethernet and IPv4; messages for other hardware are cut.
    int RedactArp(Span<byte> message)
    {
        const int head = 8;
        const int whole = 28;
        if (message.Length < whole || message[4] != LinkAddressMap.Bytes || message[5] != 4)
        {
            return Math.Min(head, message.Length);
        }

        names.ReplaceMac(message[8..14]);
        names.ReplaceAddress(message[14..18]);
        names.ReplaceMac(message[18..24]);
        names.ReplaceAddress(message[24..28]);
        return whole;
    }

    // IEEE 802.11-2020 §9.2.3: frame control, duration, up to four addresses. Management frames have three; control frames two, or one (clear to send,
    // acknowledgement) that the frame check sequence follows.
    int RedactWireless(Span<byte> frame, int start)
    {
        const int subframeHeader = 14;
        const int llcLength = 8;
        Span<byte> header = frame[start..];
        bool isControl = header.Length > 0 && (header[0] & 0x0C) == 0x04;
        bool isFourth = header.Length > 1 && !isControl && (header[1] & 0x03) == 0x03;
        bool isAggregate = header.Length > 30 && (header[0] & 0x8C) == 0x88 && (header[isFourth ? 30 : 24] & 0x80) != 0;
        bool isSingle = isControl && (header[0] & 0xE0) == 0xC0;
        int length = ReplaceAddresses(header[..Math.Min(header.Length, isSingle ? 10 : isControl ? 16 : isFourth ? 30 : 24)]);

        var type = start == 0 ? LinkType.Ieee80211 : LinkType.Ieee80211Radiotap;
        if (!LinkHeader.TryFindNetwork(frame, type, out int network))
        {
            return start + length;
        }

        if (isAggregate && network - llcLength - subframeHeader >= start)
        {
            Span<byte> subframe = frame[(network - llcLength - subframeHeader)..];
            names.ReplaceMac(subframe[..6]);
            names.ReplaceMac(subframe[6..12]);
        }

        return Math.Min(network, frame.Length);
    }

    // Returns the end of what may stay; a partial address may not.
    int ReplaceAddresses(Span<byte> header)
    {
        ReadOnlySpan<int> offsets = [4, 10, 16, 24];
        foreach (int offset in offsets)
        {
            if (offset + LinkAddressMap.Bytes > header.Length)
            {
                return Math.Min(offset, header.Length);
            }

            names.ReplaceMac(header.Slice(offset, LinkAddressMap.Bytes));
        }

        return header.Length;
    }
}
