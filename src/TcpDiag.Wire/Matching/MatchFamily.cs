namespace TcpDiag.Wire.Matching;

/// <summary><c>ip4</c> or <c>ip6</c>.</summary>
/// <param name="IsIpv4">Whether IPv4 is meant.</param>
public sealed record MatchFamily(bool IsIpv4) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => packet.Source.Address.IsIpv4 == IsIpv4;

    /// <inheritdoc/>
    public override string ToString() => IsIpv4 ? "ip4" : "ip6";
}
