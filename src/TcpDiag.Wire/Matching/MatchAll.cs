namespace TcpDiag.Wire.Matching;

/// <summary><c>all</c>: every packet.</summary>
public sealed record MatchAll : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => true;

    /// <inheritdoc/>
    public override string ToString() => "all";
}
