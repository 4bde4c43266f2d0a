namespace TcpDiag.Wire.Matching;

/// <summary>Both rules match; <c>and</c>, or one rule right behind the other.</summary>
/// <param name="Left">The first rule.</param>
/// <param name="Right">The second rule.</param>
public sealed record MatchAnd(MatchRule Left, MatchRule Right) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => Left.IsBroad && Right.IsBroad;

    /// <inheritdoc/>
    public override bool NamesProcess => Left.NamesProcess || Right.NamesProcess;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => Left.Matches(in packet) && Right.Matches(in packet);

    /// <inheritdoc/>
    public override string ToString() => $"{Text(Left)} {Text(Right)}";

    static string Text(MatchRule rule) => rule is MatchOr ? $"({rule})" : rule.ToString();
}
