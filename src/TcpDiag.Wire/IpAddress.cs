using System;
using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Unicode;

namespace TcpDiag.Wire;

/// <summary>
/// An IPv4 or IPv6 address as 16 bytes in two words, cheap to copy, compare and hash. An IPv4 address is held in its
/// IPv4-mapped form ::ffff:a.b.c.d (RFC 4291 §2.5.5.2), so both families share one representation.
/// </summary>
/// <param name="High">The first eight bytes, big-endian.</param>
/// <param name="Low">The last eight bytes, big-endian.</param>
public readonly record struct IpAddress(ulong High, ulong Low)
{
    /// <summary>Bytes of the longest text form: an IPv6 address that ends as an IPv4 one.</summary>
    public const int MaxTextBytes = 45;

    const ulong MappedPrefix = 0x0000_FFFF_0000_0000;

    /// <summary>Whether this is an IPv4 address.</summary>
    public bool IsIpv4 => High == 0 && (Low & 0xFFFF_FFFF_0000_0000) == MappedPrefix;

    /// <summary>Whether every address bit is zero (0.0.0.0 or ::), as in a listening socket.</summary>
    public bool IsUnspecified => High == 0 && (Low == 0 || Low == MappedPrefix);

    /// <summary>An IPv4 address from its 32 bits in host order (a.b.c.d with a in the top byte).</summary>
    /// <param name="hostOrder">The 32 bits.</param>
    /// <returns>The address.</returns>
    public static IpAddress FromIpv4(uint hostOrder) => new(0, MappedPrefix | hostOrder);

    /// <summary>Reads an address in the form of an IP header.</summary>
    /// <param name="bytes">4 bytes (IPv4) or 16 bytes (IPv6), network order.</param>
    /// <returns>The address.</returns>
    /// <exception cref="ArgumentException">The span has another length.</exception>
    public static IpAddress Read(ReadOnlySpan<byte> bytes) => bytes.Length switch
    {
        4 => FromIpv4(BinaryPrimitives.ReadUInt32BigEndian(bytes)),
        16 => new(BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[8..])),
        _ => throw new ArgumentException("An IP address has 4 or 16 bytes.", nameof(bytes)),
    };

    /// <summary>Reads an address in its usual text form.</summary>
    /// <param name="text">E.g. <c>10.0.0.1</c> or <c>2001:db8::1</c>.</param>
    /// <param name="address">The address, or the default.</param>
    /// <returns>False when the text is not an address.</returns>
    public static bool TryParse(string? text, out IpAddress address)
    {
        address = default;
        if (!IPAddress.TryParse(text, out IPAddress? parsed))
        {
            return false;
        }

        address = Read(parsed.GetAddressBytes());
        return true;
    }

    /// <summary>Writes the address in the form of an IP header.</summary>
    /// <param name="destination">At least 16 bytes.</param>
    /// <returns>The bytes written: 4 (IPv4) or 16 (IPv6).</returns>
    public int Write(Span<byte> destination)
    {
        if (IsIpv4)
        {
            BinaryPrimitives.WriteUInt32BigEndian(destination, (uint)Low);
            return 4;
        }

        BinaryPrimitives.WriteUInt64BigEndian(destination, High);
        BinaryPrimitives.WriteUInt64BigEndian(destination[8..], Low);
        return 16;
    }

    /// <summary>The usual text form (RFC 5952 for IPv6).</summary>
    /// <returns>The text.</returns>
    public override string ToString()
    {
        Span<byte> text = stackalloc byte[MaxTextBytes];
        return Encoding.ASCII.GetString(text[..Format(text)]);
    }

    /// <summary>Writes the usual text form (RFC 5952 for IPv6).</summary>
    /// <param name="destination">At least <see cref="MaxTextBytes"/>.</param>
    /// <returns>The bytes written, all of them ASCII.</returns>
    public int Format(Span<byte> destination)
    {
        int length;
        if (IsIpv4)
        {
            uint address = (uint)Low;
            _ = Utf8.TryWrite(
                destination, CultureInfo.InvariantCulture, $"{address >> 24}.{(byte)(address >> 16)}.{(byte)(address >> 8)}.{(byte)address}", out length);
        }
        else
        {
            Span<byte> bytes = stackalloc byte[16];
            _ = new IPAddress(bytes[..Write(bytes)]).TryFormat(destination, out length);
        }

        return length;
    }
}
