using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>A chosen packet jumps in front of packets under way, as many as there are up to a number.</summary>
/// <param name="Chance">Which packets.</param>
/// <param name="Packets">How many it overtakes, at least 1.</param>
public sealed record AheadReordering(ChanceSettings Chance, int Packets) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new AheadReorderingStage(new Chance(Chance, random), Packets);
}
