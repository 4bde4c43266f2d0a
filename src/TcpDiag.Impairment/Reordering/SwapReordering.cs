using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>A chosen packet waits until its next successors have left; with one successor two neighbours are swapped. While one waits no other is chosen.</summary>
/// <param name="Chance">Which packets.</param>
/// <param name="Packets">How many successors pass it (the reordering extent of RFC 4737 §4.2.1), at least 1.</param>
public sealed record SwapReordering(ChanceSettings Chance, int Packets) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new SwapReorderingStage(new Chance(Chance, random), Packets);
}
