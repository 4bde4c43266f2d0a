using System;
using System.Globalization;

namespace TcpDiag.Wire.Matching;

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
    /// <returns>The test; null when the text is no range of ports.</returns>
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

    /// <summary>Whether a port that another test asks for may be the one that this test asks for.</summary>
    /// <param name="other">The other.</param>
    /// <returns>True where this range holds the other, unless they are of opposite ends.</returns>
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
