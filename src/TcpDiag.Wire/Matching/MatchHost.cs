using System;
using System.Globalization;

namespace TcpDiag.Wire.Matching;

/// <summary>
/// <c>host 10.0.0.1</c>, <c>dst host 2001:db8::/32</c>: an address or a network. An IPv4 network never contains an IPv6 address, nor the reverse.
/// </summary>
/// <param name="Side">Which end.</param>
/// <param name="Address">The address; bits behind the prefix are ignored.</param>
/// <param name="PrefixBits">Leading bits that count: 0 … 32 for IPv4, 0 … 128 for IPv6.</param>
public sealed record MatchHost(MatchSide Side, IpAddress Address, int PrefixBits) : MatchRule
{
    const int Ipv4Bits = 32;
    const int Ipv6Bits = 128;

    /// <inheritdoc/>
    public override bool IsBroad => PrefixBits == 0;

    /// <summary>The network mask over the 128 bits of an <see cref="IpAddress"/>, of which an IPv4 address is the last 32.</summary>
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

    /// <summary>Whether this test may select an address that another test selects.</summary>
    /// <param name="other">The other.</param>
    /// <returns>True where this network contains the other, unless they are of opposite ends.</returns>
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

    // A shift by 128 would be a shift by 0.
    static UInt128 MaskOf(int prefix, int width) => width - prefix == Ipv6Bits ? UInt128.Zero : UInt128.MaxValue << (width - prefix);
}

/// <summary>Which end of a packet a host or port test applies to.</summary>
public enum MatchSide
{
    /// <summary>Either end.</summary>
    Either = 0,

    /// <summary><c>src</c>: where the packet comes from.</summary>
    Source = 1,

    /// <summary><c>dst</c>: where the packet goes.</summary>
    Destination = 2,
}

/// <summary><c>port 443</c>, <c>dst port 8000-8099</c>: a TCP or UDP port in a range.</summary>
/// <param name="Side">Which end.</param>
/// <param name="First">The lowest port.</param>
/// <param name="Last">The highest port.</param>
public sealed record MatchPort(MatchSide Side, ushort First, ushort Last) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => First <= 1 && Last == ushort.MaxValue;

    /// <summary>Reads <c>443</c> or <c>8000-8099</c>.</summary>
    /// <param name="side">Which end is meant.</param>
    /// <param name="text">The text.</param>
    /// <returns>The test; null when the text is not a range of ports.</returns>
    public static MatchPort? TryParse(MatchSide side, string text)
    {
        string[] ends = text.Split('-');
        return ends.Length <= 2
            && ushort.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out ushort first)
            && ushort.TryParse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture, out ushort last)
            && first <= last
            ? new MatchPort(side, first, last)
            : null;
    }

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) =>
        packet.Protocol is IpProtocol.Tcp or IpProtocol.Udp
        && ((Side != MatchSide.Destination && Contains(packet.Source.Port)) || (Side != MatchSide.Source && Contains(packet.Destination.Port)));

    /// <summary>Whether this test may select a port that another test selects.</summary>
    /// <param name="other">The other.</param>
    /// <returns>True where this range contains the other, unless they are of opposite ends.</returns>
    public bool Covers(MatchPort other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return (Side == MatchSide.Either || other.Side == MatchSide.Either || Side == other.Side) && Contains(other.First) && Contains(other.Last);
    }

    /// <inheritdoc/>
    public override string ToString() => First == Last
        ? string.Create(CultureInfo.InvariantCulture, $"{MatchParser.Text(Side)}port {First}")
        : string.Create(CultureInfo.InvariantCulture, $"{MatchParser.Text(Side)}port {First}-{Last}");

    bool Contains(ushort port) => port >= First && port <= Last;
}
