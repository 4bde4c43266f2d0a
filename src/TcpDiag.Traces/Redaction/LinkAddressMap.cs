using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Replaces MAC addresses by locally administered ones (IEEE 802 §8.4), without the maker. Zero, broadcast and groups stay, but for the group of an IPv6 solicited-node address
/// (RFC 2464 §7), which follows that address.
/// </summary>
/// <param name="key">Where the secret comes from.</param>
/// <param name="addresses">Maps what groups are made of.</param>
sealed class LinkAddressMap(RedactionKey key, AddressMap addresses)
{
    /// <summary>Bytes of an address.</summary>
    public const int Bytes = 6;

    const byte Group = 0x01;
    const byte LocallyAdministered = 0x02;
    const ulong SolicitedGroup = 0x3333_FF;
    const ulong SolicitedHigh = 0xFF02_0000_0000_0000;
    const ulong SolicitedLow = 0x1_FF00_0000;

    readonly KeyedHash _hash = new(key, "link addresses");

    /// <summary>Maps an address.</summary>
    /// <param name="mac">The address as a 48-bit number.</param>
    /// <returns>The address that stands for it.</returns>
    public ulong Map(ulong mac)
    {
        if (mac >> 24 == SolicitedGroup)
        {
            IpAddress mapped = addresses.Map(new(SolicitedHigh, SolicitedLow | (mac & 0xFF_FFFF)));
            return (SolicitedGroup << 24) | (mapped.Low & 0xFF_FFFF);
        }

        if (mac == 0 || ((mac >> 40) & Group) != 0)
        {
            return mac;
        }

        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, mac);
        _hash.Replace(bytes);
        bytes[2] = (byte)((bytes[2] & ~Group) | LocallyAdministered);
        return BinaryPrimitives.ReadUInt64BigEndian(bytes) & 0xFFFF_FFFF_FFFF;
    }

    /// <summary>Reads an address as a number.</summary>
    /// <param name="bytes">Six bytes.</param>
    /// <returns>The number.</returns>
    public static ulong Read(ReadOnlySpan<byte> bytes) =>
        ((ulong)BinaryPrimitives.ReadUInt16BigEndian(bytes) << 32) | BinaryPrimitives.ReadUInt32BigEndian(bytes[2..]);

    /// <summary>Writes a number as an address.</summary>
    /// <param name="bytes">Six bytes.</param>
    /// <param name="mac">The number.</param>
    public static void Write(Span<byte> bytes, ulong mac)
    {
        BinaryPrimitives.WriteUInt16BigEndian(bytes, (ushort)(mac >> 32));
        BinaryPrimitives.WriteUInt32BigEndian(bytes[2..], (uint)mac);
    }
}
