namespace TcpDiag.Wire.Matching;

/// <summary><c>out</c> or <c>in</c>.</summary>
/// <param name="IsOut">Whether packets that leave are meant.</param>
public sealed record MatchDirection(bool IsOut) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) => packet.IsOut == IsOut;

    /// <inheritdoc/>
    public override string ToString() => IsOut ? "out" : "in";
}
