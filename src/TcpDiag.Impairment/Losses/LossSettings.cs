using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

/// <summary>Which packets are lost.</summary>
public abstract record LossSettings
{
    private protected LossSettings()
    {
    }

    internal abstract ILossModel CreateModel(Xoshiro256 random);
}
