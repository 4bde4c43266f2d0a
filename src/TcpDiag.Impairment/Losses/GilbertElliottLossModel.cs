using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

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
