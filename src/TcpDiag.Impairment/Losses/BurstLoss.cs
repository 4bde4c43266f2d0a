using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

/// <summary>By chance a burst of consecutive packets is lost; no new burst begins within one.</summary>
/// <param name="Chance">Which packets begin a burst.</param>
/// <param name="Packets">Packets of a burst, at least 1.</param>
public sealed record BurstLoss(ChanceSettings Chance, int Packets) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new BurstLossModel(new Chance(Chance, random), Packets);
}
