using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

/// <summary>Each packet is lost by chance (Bernoulli, or correlated), or one in every so many.</summary>
/// <param name="Chance">Which packets.</param>
public sealed record RandomLoss(ChanceSettings Chance) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new RandomLossModel(new Chance(Chance, random));
}
