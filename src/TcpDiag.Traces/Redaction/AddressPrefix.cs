using System.Globalization;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>The first bits of an address: a network.</summary>
/// <param name="Address">The bits; all others are zero.</param>
/// <param name="Bits">How many, of 32 or 128.</param>
readonly record struct AddressPrefix(IpAddress Address, int Bits)
{
    const int AllBits = 128;
    const int Ipv4Offset = 96;

    /// <summary>Whether nothing is left open: it is an address.</summary>
    public bool IsWhole => Bits == WidthOf(Address);

    /// <summary>The bits of addresses of a family.</summary>
    /// <param name="address">One of them.</param>
    /// <returns>32 or 128.</returns>
    public static int WidthOf(IpAddress address) => address.IsIpv4 ? AllBits - Ipv4Offset : AllBits;

    /// <summary>The network of an address.</summary>
    /// <param name="address">The address.</param>
    /// <param name="bits">How many of its bits belong to the network.</param>
    /// <returns>The network.</returns>
    public static AddressPrefix Of(IpAddress address, int bits)
    {
        IpAddress none = address.IsIpv4 ? IpAddress.FromIpv4(0) : default;
        return new(Joined(address, none, bits), bits);
    }

    /// <summary>Puts an address together from two of the same family.</summary>
    /// <param name="front">Where the first bits come from.</param>
    /// <param name="back">Where the others come from.</param>
    /// <param name="bits">How many are the first.</param>
    /// <returns>The address.</returns>
    public static IpAddress Joined(IpAddress front, IpAddress back, int bits)
    {
        int of128 = bits + AllBits - WidthOf(front);
        ulong high = Mask(of128);
        ulong low = Mask(of128 - 64);
        return new((back.High & ~high) | (front.High & high), (back.Low & ~low) | (front.Low & low));
    }

    /// <summary>Its usual text form.</summary>
    /// <returns>E.g. <c>192.0.2.0/24</c>.</returns>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Address}/{Bits}");

    static ulong Mask(int bits) => bits switch
    {
        <= 0 => 0,
        >= 64 => ulong.MaxValue,
        _ => ~(ulong.MaxValue >> bits),
    };
}
