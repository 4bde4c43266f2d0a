using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

/// <summary>
/// The two-state Markov model of Gilbert (1960) and Elliott (1963): a good and a bad state, each with a loss probability of its own.
/// The stationary share of the bad state is p/(p+r), and a stay in it lasts 1/r packets on average.
/// </summary>
/// <param name="GoodToBad">p: probability per packet of going from good to bad, 0 … 1.</param>
/// <param name="BadToGood">r: probability per packet of going from bad to good, 0 … 1.</param>
/// <param name="LossInGood">Loss probability in the good state, 0 … 1.</param>
/// <param name="LossInBad">Loss probability in the bad state, 0 … 1.</param>
public sealed record GilbertElliottLoss(double GoodToBad, double BadToGood, double LossInGood, double LossInBad) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new GilbertElliottLossModel(this, random);
}
