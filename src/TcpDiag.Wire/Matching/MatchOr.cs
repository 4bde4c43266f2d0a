namespace TcpDiag.Wire.Matching;

/// <summary>At least one rule matches; <c>or</c>, or a comma between two values of a test.</summary>
/// <param name="Left">The first rule.</param>
/// <param name="Right">The second rule.</param>
public sealed record MatchOr(MatchRule Left, MatchRule Right) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => Left.IsBroad || Right.IsBroad;

    /// <inheritdoc/>
    public override bool NamesProcess => Left.NamesProcess || Right.NamesProcess;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => Left.Matches(in packet) || Right.Matches(in packet);

    /// <inheritdoc/>
    public override string ToString() => $"{Left} or {Right}";
}
