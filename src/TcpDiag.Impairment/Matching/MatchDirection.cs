namespace TcpDiag.Impairment.Matching;

/// <summary><c>out</c> or <c>in</c>.</summary>
/// <param name="Direction">The direction.</param>
public sealed record MatchDirection(LinkDirection Direction) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => packet.Direction == Direction;
}
