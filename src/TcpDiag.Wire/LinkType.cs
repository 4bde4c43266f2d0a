namespace TcpDiag.Wire;

/// <summary>
/// What a captured frame begins with: the link-layer header types of pcap and pcapng (tcpdump.org/linktypes.html).
/// Any 16-bit value may occur in a file; only the named ones are parsed.
/// </summary>
#pragma warning disable CA1028 // the file formats store 16 bits
public enum LinkType : ushort
#pragma warning restore CA1028
{
    /// <summary>BSD loopback: address family as a 32-bit word in the capturing host's byte order.</summary>
    Null = 0,

    /// <summary>Ethernet II or 802.3, VLAN tags included.</summary>
    Ethernet = 1,

    /// <summary>Raw IP as some BSDs number it.</summary>
    RawBsd = 12,

    /// <summary>Raw IPv4 or IPv6; the version nibble shows which.</summary>
    Raw = 101,

    /// <summary>802.11 without radio information.</summary>
    Ieee80211 = 105,

    /// <summary>OpenBSD loopback: address family as a 32-bit big-endian word.</summary>
    Loop = 108,

    /// <summary>Linux "cooked" capture, version 1 (16-byte header).</summary>
    LinuxSll = 113,

    /// <summary>802.11 behind a radiotap header.</summary>
    Ieee80211Radiotap = 127,

    /// <summary>Raw IPv4.</summary>
    Ipv4 = 228,

    /// <summary>Raw IPv6.</summary>
    Ipv6 = 229,

    /// <summary>Linux "cooked" capture, version 2 (20-byte header).</summary>
    LinuxSll2 = 276,
}
