using System.Globalization;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Filtering;

/// <summary>An address, or all addresses with the same first bits.</summary>
/// <param name="Address">The address; bits behind the prefix do not count.</param>
/// <param name="PrefixLength">Bits that must agree, of the 128 in which both families are held.</param>
public readonly record struct AddressRange(IpAddress Address, int PrefixLength)
{
    const int AddressBits = 128;
    const int MappedBits = 96;

    /// <summary>Reads an address, or an address and a prefix length.</summary>
    /// <param name="text">E.g. <c>10.0.0.1</c>, <c>10.0.0.0/8</c> or <c>2001:db8::/32</c>.</param>
    /// <param name="range">The range.</param>
    /// <returns>False when the text is neither.</returns>
    public static bool TryParse(string? text, out AddressRange range)
    {
        range = default;
        string[] parts = (text ?? string.Empty).Split('/');
        if (parts.Length > 2 || !IpAddress.TryParse(parts[0], out IpAddress address))
        {
            return false;
        }

        int offset = address.IsIpv4 ? MappedBits : 0;
        int prefix = AddressBits - offset;
        bool isRange = parts.Length == 1
            || (int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out prefix) && prefix <= AddressBits - offset);
        range = new AddressRange(address, offset + prefix);
        return isRange;
    }

    /// <summary>Whether an address lies in the range.</summary>
    /// <param name="other">The address.</param>
    /// <returns>True when the first bits agree.</returns>
    public bool Contains(IpAddress other) =>
        ((Address.High ^ other.High) & Mask(PrefixLength)) == 0 && ((Address.Low ^ other.Low) & Mask(PrefixLength - 64)) == 0;

    static ulong Mask(int bits) => bits switch
    {
        <= 0 => 0,
        >= 64 => ulong.MaxValue,
        _ => ulong.MaxValue << (64 - bits),
    };
}
