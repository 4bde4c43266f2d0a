using System;
using System.Globalization;

namespace TcpDiag.Wire.Matching;

/// <summary><c>host 10.0.0.1</c>, <c>dst host 2001:db8::/32</c>: an address, or the network it begins. An IPv4 network never contains an IPv6 address, nor the reverse.</summary>
/// <param name="Side">Which end.</param>
/// <param name="Address">The address; bits behind the prefix are ignored.</param>
/// <param name="PrefixBits">Leading bits that count: 0 … 32 for IPv4, 0 … 128 for IPv6.</param>
public sealed record MatchHost(MatchSide Side, IpAddress Address, int PrefixBits) : MatchRule
{
    const int Ipv4Bits = 32;
    const int Ipv6Bits = 128;

    /// <inheritdoc/>
    public override bool IsBroad => PrefixBits == 0;

    /// <summary>The network mask over the 128 bits of an <see cref="IpAddress"/>, in which an IPv4 address stands at the end.</summary>
    public UInt128 Mask => MaskOf(PrefixBits, Width);

    int Width => Address.IsIpv4 ? Ipv4Bits : Ipv6Bits;

    /// <summary>Reads <c>10.0.0.1</c>, <c>10.0.0.0/8</c> or <c>2001:db8::/32</c>.</summary>
    /// <param name="side">Which end is meant.</param>
    /// <param name="text">The text.</param>
    /// <returns>The test; null when the text is neither an address nor a network.</returns>
    public static MatchHost? TryParse(MatchSide side, string text)
    {
        int slash = text.IndexOf('/', StringComparison.Ordinal);
        if (!IpAddress.TryParse(slash < 0 ? text : text[..slash], out IpAddress address))
        {
            return null;
        }

        int width = address.IsIpv4 ? Ipv4Bits : Ipv6Bits;
        int bits = width;
        bool isGood = slash < 0 || int.TryParse(text.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out bits);
        return isGood && bits <= width ? new MatchHost(side, address, bits) : null;
    }

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) =>
        (Side != MatchSide.Destination && Contains(packet.Source.Address)) || (Side != MatchSide.Source && Contains(packet.Destination.Address));

    /// <summary>Whether an address that another test asks for may be the one that this test asks for.</summary>
    /// <param name="other">The other.</param>
    /// <returns>True where this network holds the other, unless they are of opposite ends.</returns>
    public bool Covers(MatchHost other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return (Side == MatchSide.Either || other.Side == MatchSide.Either || Side == other.Side) && PrefixBits <= other.PrefixBits && Contains(other.Address);
    }

    /// <inheritdoc/>
    public override string ToString() => Width == PrefixBits
        ? $"{MatchParser.Text(Side)}host {Address}"
        : string.Create(CultureInfo.InvariantCulture, $"{MatchParser.Text(Side)}host {Address}/{PrefixBits}");

    bool Contains(IpAddress other) => other.IsIpv4 == Address.IsIpv4 && ((ToBits(other) ^ ToBits(Address)) & Mask) == UInt128.Zero;

    static UInt128 ToBits(IpAddress address) => new(address.High, address.Low);

    // A shift by 128 would be one by 0.
    static UInt128 MaskOf(int prefix, int width) => width - prefix == Ipv6Bits ? UInt128.Zero : UInt128.MaxValue << (width - prefix);
}
