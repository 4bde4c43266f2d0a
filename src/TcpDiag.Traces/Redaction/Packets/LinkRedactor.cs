using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction.Packets;

/// <summary>Redacts link-layer headers and ARP. Tags, session ids and labels stay; radio information (radiotap) stays.</summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class LinkRedactor(Pseudonyms names)
{
    const int EthernetLength = 14;
    const int SllLength = 16;
    const int Sll2Length = 20;
    const int LoopbackLength = 4;
    const int MostTags = 4;
    const ushort ArpType = 0x0806;

    /// <summary>Redacts the header of a frame.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="link">What it begins with.</param>
    /// <returns>How many bytes may be kept where nothing is known of what follows.</returns>
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

    // Eight bytes of which the first so many are a link-layer address.
    void ReplaceCooked(Span<byte> address, int length)
    {
        if (length == LinkAddressMap.Bytes)
        {
            names.ReplaceMac(address[..LinkAddressMap.Bytes]);
            address = address[LinkAddressMap.Bytes..];
        }

        address.Clear();
    }

    // Where IP follows, the whole header in front of it stays; so does ARP. Of everything else only the fixed header.
    int Behind(Span<byte> frame, int fixedLength, int typeOffset, LinkType link)
    {
        ushort type = BinaryPrimitives.ReadUInt16BigEndian(frame[typeOffset..]);
        int offset = fixedLength;
        for (int tags = 0; tags < MostTags && IsTag(type) && frame.Length >= offset + 4; tags++)
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

    // IEEE 802.1Q, 802.1ad, and its forerunner.
    static bool IsTag(ushort type) => type is 0x8100 or 0x88A8 or 0x9100;

    // RFC 826, for Ethernet and IPv4: what other hardware asks for is cut.
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

    // IEEE 802.11-2020 §9.2.3: control, duration, up to four addresses; management frames have three, control frames two, or one (clear to send, acknowledgement), behind which the
    // checksum of the frame stands.
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

    // Returns the end of what may stay: half an address does not.
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
