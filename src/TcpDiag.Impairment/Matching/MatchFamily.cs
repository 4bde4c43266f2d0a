namespace TcpDiag.Impairment.Matching;

/// <summary><c>ip4</c> or <c>ip6</c>.</summary>
/// <param name="Ipv4">Whether IPv4 is meant.</param>
public sealed record MatchFamily(bool Ipv4) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => packet.Source.Address.IsIpv4 == Ipv4;
}
