using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>
/// Finds the IP header behind a link-layer header: Ethernet II and 802.3 with LLC/SNAP, VLAN tags, PPPoE sessions and
/// MPLS labels, Linux cooked capture, BSD loopback, raw IP and 802.11 (tcpdump.org/linktypes.html). Encrypted 802.11
/// frames are not IP.
/// </summary>
public static class LinkHeader
{
    const int EthernetLength = 14;
    const int SllLength = 16;
    const int Sll2Length = 20;
    const int MaxVlanTags = 4; // two are usual (802.1ad); a bound against a frame made of tags
    const int MaxLabels = 16; // a handful is usual; a bound against a frame made of labels
    const ushort SllNovellRaw = 1; // LINUX_SLL_P_802_3
    const ushort SllLlc = 4; // LINUX_SLL_P_802_2

    /// <summary>Finds the IP header.</summary>
    /// <param name="frame">The captured bytes.</param>
    /// <param name="link">What they begin with.</param>
    /// <param name="offset">Where the IP header begins.</param>
    /// <returns>False when the frame does not carry IP or is too short.</returns>
    public static bool TryFindNetwork(ReadOnlySpan<byte> frame, LinkType link, out int offset)
    {
        offset = 0;
        switch (link)
        {
            case LinkType.Ethernet:
                return TryEthernet(frame, ref offset);
            case LinkType.Raw or LinkType.RawBsd or LinkType.Ipv4 or LinkType.Ipv6:
                return frame.Length > 0;
            case LinkType.LinuxSll:
                return TryCooked(frame, typeOffset: 14, SllLength, ref offset);
            case LinkType.LinuxSll2:
                return TryCooked(frame, typeOffset: 0, Sll2Length, ref offset);
            case LinkType.Null or LinkType.Loop:
                offset = 4;
                return frame.Length > 4 && IsInternetFamily(frame);
            case LinkType.Ieee80211:
                return Ieee80211Header.TryFindLlc(frame, isPadded: false, ref offset) && TryLlc(frame, ref offset);
            case LinkType.Ieee80211Radiotap:
                return Ieee80211Header.TryFindLlcBehindRadiotap(frame, ref offset) && TryLlc(frame, ref offset);
            default:
                return false;
        }
    }

    /// <summary>The interface that a header of the kind <see cref="LinkType.LinuxSll2"/> names.</summary>
    /// <param name="frame">The captured bytes.</param>
    /// <returns>Its number on the recording machine; 0 when the frame is too short.</returns>
    public static uint CookedInterface(ReadOnlySpan<byte> frame) =>
        frame.Length < Sll2Length ? 0 : BinaryPrimitives.ReadUInt32BigEndian(frame[4..]);

    static bool TryEthernet(ReadOnlySpan<byte> frame, ref int offset)
    {
        if (frame.Length < EthernetLength)
        {
            return false;
        }

        offset = EthernetLength;
        return TryEtherType(frame, BinaryPrimitives.ReadUInt16BigEndian(frame[12..]), ref offset);
    }

    static bool TryCooked(ReadOnlySpan<byte> frame, int typeOffset, int length, ref int offset)
    {
        if (frame.Length < length)
        {
            return false;
        }

        offset = length;
        ushort type = BinaryPrimitives.ReadUInt16BigEndian(frame[typeOffset..]);
        return type is SllLlc or SllNovellRaw ? TryLlc(frame, ref offset) : TryEtherType(frame, type, ref offset);
    }

    static bool TryEtherType(ReadOnlySpan<byte> frame, ushort type, ref int offset)
    {
        for (int tags = 0; type is EtherType.Vlan or EtherType.ServiceVlan or EtherType.OldServiceVlan; tags++)
        {
            if (tags == MaxVlanTags || frame.Length < offset + 4)
            {
                return false;
            }

            type = BinaryPrimitives.ReadUInt16BigEndian(frame[(offset + 2)..]);
            offset += 4;
        }

        return type switch
        {
            EtherType.Ipv4 or EtherType.Ipv6 => true,
            EtherType.PppoeSession => TryPppoe(frame, ref offset),
            EtherType.Mpls or EtherType.MplsUpstream => TryLabels(frame, ref offset),
            < EtherType.Min => TryLlc(frame, ref offset),
            _ => false,
        };
    }

    // RFC 2516 §4: version and type 1, code 0 for a session, session id, length; then the PPP protocol (RFC 1661 §2), which PPPoE never compresses (§7).
    static bool TryPppoe(ReadOnlySpan<byte> frame, ref int offset)
    {
        const ushort session = 0x1100;
        const ushort ipv4 = 0x0021; // RFC 1332 §2
        const ushort ipv6 = 0x0057; // RFC 5072 §2
        if (frame.Length < offset + 8 || BinaryPrimitives.ReadUInt16BigEndian(frame[offset..]) != session)
        {
            return false;
        }

        ushort protocol = BinaryPrimitives.ReadUInt16BigEndian(frame[(offset + 6)..]);
        offset += 8;
        return protocol is ipv4 or ipv6;
    }

    // RFC 3032 §2.1: a word per label, the last one with the bit "bottom of stack". Nothing names the protocol below; its version shows IP (RFC 4928 §3).
    static bool TryLabels(ReadOnlySpan<byte> frame, ref int offset)
    {
        const int bottomOfStack = 1;
        for (int labels = 0; labels < MaxLabels && frame.Length > offset + 4; labels++)
        {
            int last = frame[offset + 2] & bottomOfStack;
            offset += 4;
            if (last != 0)
            {
                return frame[offset] >> 4 is 4 or 6;
            }
        }

        return false;
    }

    // LLC with SNAP (RFC 1042): AA AA 03, organisation 00 00 00, EtherType.
    static bool TryLlc(ReadOnlySpan<byte> frame, ref int offset)
    {
        ReadOnlySpan<byte> snap = [0xAA, 0xAA, 0x03, 0x00, 0x00, 0x00];
        if (frame.Length < offset + 8 || !frame.Slice(offset, 6).SequenceEqual(snap))
        {
            return false;
        }

        ushort type = BinaryPrimitives.ReadUInt16BigEndian(frame[(offset + 6)..]);
        offset += 8;
        return type is EtherType.Ipv4 or EtherType.Ipv6;
    }

    // AF_INET is 2 everywhere; AF_INET6 is 10 on Linux, 23 on Windows, 24, 28 or 30 on the BSDs. The word is in the
    // capturing machine's byte order (NULL) or big-endian (LOOP); the values are small, so either order shows.
    static bool IsInternetFamily(ReadOnlySpan<byte> frame)
    {
        uint family = BinaryPrimitives.ReadUInt32LittleEndian(frame);
        family = family > 0xFFFF ? BinaryPrimitives.ReverseEndianness(family) : family;
        return family is 2 or 10 or 23 or 24 or 28 or 30;
    }
}

/// <summary>EtherType values (IEEE 802 numbers) that lead to an IP header.</summary>
static class EtherType
{
    /// <summary>Smallest EtherType; below it the field is an 802.3 length.</summary>
    public const ushort Min = 0x0600;

    /// <summary>IPv4.</summary>
    public const ushort Ipv4 = 0x0800;

    /// <summary>802.1Q customer tag.</summary>
    public const ushort Vlan = 0x8100;

    /// <summary>802.1ad service tag.</summary>
    public const ushort ServiceVlan = 0x88A8;

    /// <summary>Service tag as used before 802.1ad.</summary>
    public const ushort OldServiceVlan = 0x9100;

    /// <summary>IPv6.</summary>
    public const ushort Ipv6 = 0x86DD;

    /// <summary>MPLS label stack (RFC 3032 §5; RFC 5332 §3).</summary>
    public const ushort Mpls = 0x8847;

    /// <summary>MPLS label stack with a label the upstream router assigned (RFC 5332 §3).</summary>
    public const ushort MplsUpstream = 0x8848;

    /// <summary>PPP over Ethernet, session stage (RFC 2516 §4); its discovery carries no IP.</summary>
    public const ushort PppoeSession = 0x8864;
}
