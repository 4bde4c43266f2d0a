namespace TcpDiag.Wire.Matching;

/// <summary>The rule does not match; <c>not</c>.</summary>
/// <param name="Rule">The rule.</param>
public sealed record MatchNot(MatchRule Rule) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool NamesProcess => Rule.NamesProcess;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => !Rule.Matches(in packet);

    /// <inheritdoc/>
    public override string ToString() => Rule is MatchAnd or MatchOr ? $"not ({Rule})" : $"not {Rule}";
}
