using System;
using System.Globalization;
using TcpDiag.Wire;

namespace TcpDiag.Capture;

/// <summary>An address, or all addresses that begin with the same bits.</summary>
/// <param name="Address">The address; bits behind the prefix are zero.</param>
/// <param name="Length">Leading bits that count: 0 … 32 for IPv4, 0 … 128 for IPv6.</param>
public readonly record struct AddressPrefix(IpAddress Address, int Length)
{
    const int Ipv4Bits = 32;

    const int Ipv6Bits = 128;

    /// <summary>Reads <c>10.0.0.1</c>, <c>10.0.0.0/8</c>, <c>2001:db8::/32</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="prefix">The prefix, or the default.</param>
    /// <returns>False when the text is neither an address nor a prefix.</returns>
    public static bool TryParse(string text, out AddressPrefix prefix)
    {
        prefix = default;
        int slash = text.IndexOf('/', StringComparison.Ordinal);
        if (!IpAddress.TryParse(slash < 0 ? text : text[..slash], out IpAddress address))
        {
            return false;
        }

        int bits = address.IsIpv4 ? Ipv4Bits : Ipv6Bits;
        int length = bits;
        if (slash >= 0 && !(int.TryParse(text.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out length) && length <= bits))
        {
            return false;
        }

        UInt128 kept = ToBits(address) & Mask(length, bits);
        prefix = new(new((ulong)(kept >> 64), (ulong)kept), length);
        return true;
    }

    /// <summary>Whether an address begins with these bits. An IPv4 prefix never contains an IPv6 address, nor the reverse.</summary>
    /// <param name="address">The address.</param>
    /// <returns>True when it does.</returns>
    public bool Contains(IpAddress address)
    {
        bool isIpv4 = Address.IsIpv4;
        return address.IsIpv4 == isIpv4
            && (ToBits(address) & Mask(Length, isIpv4 ? Ipv4Bits : Ipv6Bits)) == ToBits(Address);
    }

    /// <inheritdoc/>
    public override string ToString() => Length == (Address.IsIpv4 ? Ipv4Bits : Ipv6Bits)
        ? Address.ToString()
        : string.Create(CultureInfo.InvariantCulture, $"{Address}/{Length}");

    static UInt128 ToBits(IpAddress address) => new(address.High, address.Low);

    // The leading bits of the 16-byte form: an IPv4 address stands in its last 32.
    static UInt128 Mask(int length, int bits)
    {
        int free = bits - length;
        return free == Ipv6Bits ? UInt128.Zero : UInt128.MaxValue << free;
    }
}
