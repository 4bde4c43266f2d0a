using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>A chosen packet is delayed by d on top of the path's delay: it arrives late.</summary>
/// <param name="Chance">Which packets.</param>
/// <param name="DelayNs">d in nanoseconds.</param>
public sealed record AddReordering(ChanceSettings Chance, long DelayNs) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new AddReorderingStage(new Chance(Chance, random), DelayNs);
}
