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

/// <summary>Starts in the good state; the state moves before each packet, then the state's loss probability decides.</summary>
sealed class GilbertElliottLossModel(GilbertElliottLoss settings, Xoshiro256 random) : ILossModel
{
    Xoshiro256 _random = random;
    bool _bad;

    public bool Loses(in LinkPacket packet)
    {
        double leaves = _bad ? settings.BadToGood : settings.GoodToBad;
        if (_random.NextUnit() < leaves)
        {
            _bad = !_bad;
        }

        double loss = _bad ? settings.LossInBad : settings.LossInGood;
        return _random.NextUnit() < loss;
    }
}
