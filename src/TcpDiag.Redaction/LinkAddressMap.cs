using System;
using System.Buffers.Binary;
using System.Globalization;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Redaction;

/// <summary>
/// Replaces MAC addresses with locally administered ones (IEEE 802 §8.4) that do not show the vendor. Zero, broadcast and the group addresses of protocols
/// stay, with two exceptions: the group of an IPv6 solicited-node address (RFC 2464 §7) follows the pseudonym of that address, and the group of an IPv4
/// multicast address (RFC 1112 §6.4), whose last 23 bits may identify somebody, stays only if the IPv4 group is known to stay. Any other group address is
/// a station's with the group bit set, as clusters and wireless transmitters use it, and gets the pseudonym of that station.
/// </summary>
sealed class LinkAddressMap(RedactionKey key, AddressMap addresses)
{
    public const int Bytes = 6;

    const byte Group = 0x01;
    const byte LocallyAdministered = 0x02;
    const ulong GroupBit = (ulong)Group << 40;
    const ulong SolicitedGroup = 0x3333_FF;
    const ulong Ipv4Group = 0x01_005E;
    const ulong Ipv4GroupBits = 0x7F_FFFF;
    const ulong SolicitedHigh = 0xFF02_0000_0000_0000;
    const ulong SolicitedLow = 0x1_FF00_0000;

    readonly KeyedHash _hash = new(key, "link addresses");

    public ulong Map(ulong mac)
    {
        if (mac >> 24 == SolicitedGroup)
        {
            IpAddress mapped = addresses.Map(new(SolicitedHigh, SolicitedLow | (mac & 0xFF_FFFF)));
            return (SolicitedGroup << 24) | (mapped.Low & 0xFF_FFFF);
        }

        if (mac >> 24 == Ipv4Group && !IsWellKnownGroup(mac & Ipv4GroupBits))
        {
            return MapGroup(IpAddress.FromIpv4(0xEA00_0000 | (uint)(mac & Ipv4GroupBits)));
        }

        if (mac == 0 || IsGroupOfProtocol(mac))
        {
            return mac;
        }

        return (mac & GroupBit) != 0 ? Map(mac ^ GroupBit) | GroupBit : Hash(mac);
    }

    /// <summary>The address of frames to the pseudonym of an IPv4 group.</summary>
    public ulong MapGroup(IpAddress group) => ToMac(addresses.Map(group));

    /// <summary>The address of frames to an IPv4 group (RFC 1112 §6.4).</summary>
    public static ulong ToMac(IpAddress group) => (Ipv4Group << 24) | (group.Low & Ipv4GroupBits);

    /// <summary>Reads six bytes as a 48-bit number.</summary>
    public static ulong Read(ReadOnlySpan<byte> bytes) =>
        ((ulong)BinaryPrimitives.ReadUInt16BigEndian(bytes) << 32) | BinaryPrimitives.ReadUInt32BigEndian(bytes[2..]);

    public static void Write(Span<byte> bytes, ulong mac)
    {
        BinaryPrimitives.WriteUInt16BigEndian(bytes, (ushort)(mac >> 32));
        BinaryPrimitives.WriteUInt32BigEndian(bytes[2..], (uint)mac);
    }

    // The local and the internetwork control block (RFC 5771 §4, §5) and 239.255.255.250 (SSDP): groups fixed by standards.
    static bool IsWellKnownGroup(ulong bits) => bits <= 0x1FF || bits == 0x7F_FFFA;

    // IPv6 (RFC 2464 §7), broadcast; IPv4 (RFC 1112 §6.4), bridges (IEEE 802.1Q §8.6.3), Cisco, precision time (IEEE 1588), OSI routing.
    static bool IsGroupOfProtocol(ulong mac) =>
        mac >> 32 == 0x3333 || mac == 0xFFFF_FFFF_FFFF || mac >> 24 is 0x01_005E or 0x01_80C2 or 0x01_000C or 0x01_1B19 or 0x09_002B;

    ulong Hash(ulong mac)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, mac);
        _hash.Replace(bytes);
        bytes[2] = (byte)((bytes[2] & ~Group) | LocallyAdministered);
        return BinaryPrimitives.ReadUInt64BigEndian(bytes) & 0xFFFF_FFFF_FFFF;
    }

    /// <summary>The usual text form, e.g. <c>00:53:00:00:00:01</c>.</summary>
    public static string ToText(ulong mac)
    {
        byte[] bytes = new byte[Bytes];
        Write(bytes, mac);
        return string.Join(':', bytes.Select(value => value.ToString("x2", CultureInfo.InvariantCulture)));
    }
}
