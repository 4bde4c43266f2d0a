namespace TcpDiag.Impairment.Matching;

/// <summary><c>port 443</c>, <c>dst port 8000-8099</c>: a TCP or UDP port in a range.</summary>
/// <param name="Side">Which end.</param>
/// <param name="First">The lowest port.</param>
/// <param name="Last">The highest port.</param>
public sealed record MatchPort(MatchSide Side, ushort First, ushort Last) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => First <= 1 && Last == ushort.MaxValue;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) =>
        packet.Protocol is MatchProtocol.Tcp or MatchProtocol.Udp
        && ((Side != MatchSide.Destination && Contains(packet.Source.Port)) || (Side != MatchSide.Source && Contains(packet.Destination.Port)));

    bool Contains(ushort port) => port >= First && port <= Last;
}
