using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>A chosen packet is delayed by d instead of the propagation delay and its jitter: with a small d it arrives early, in front of everything under way.</summary>
/// <param name="Chance">Which packets.</param>
/// <param name="DelayNs">d in nanoseconds, counted from the end of serialisation.</param>
public sealed record ReplaceReordering(ChanceSettings Chance, long DelayNs) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new ReplaceReorderingStage(new Chance(Chance, random), DelayNs);
}
