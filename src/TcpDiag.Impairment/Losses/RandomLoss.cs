using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

/// <summary>Packets are lost at random (Bernoulli, or correlated), or one in every n.</summary>
/// <param name="Chance">Which packets.</param>
public sealed record RandomLoss(ChanceSettings Chance) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new RandomLossModel(new Chance(Chance, random));
}

sealed class RandomLossModel(Chance chance) : ILossModel
{
    public bool Loses(in LinkPacket packet) => chance.Next();
}

/// <summary>Bursts of consecutive packets are lost; no burst begins within another.</summary>
/// <param name="Chance">Which packets start a burst.</param>
/// <param name="Packets">Packets of a burst, at least 1.</param>
public sealed record BurstLoss(ChanceSettings Chance, int Packets) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new BurstLossModel(new Chance(Chance, random), Packets);
}

sealed class BurstLossModel(Chance chance, int packets) : ILossModel
{
    int _left;

    public bool Loses(in LinkPacket packet)
    {
        if (_left == 0 && chance.Next())
        {
            _left = packets;
        }

        if (_left == 0)
        {
            return false;
        }

        _left--;
        return true;
    }
}
