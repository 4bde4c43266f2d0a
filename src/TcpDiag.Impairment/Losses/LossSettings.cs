using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Losses;

/// <summary>Which packets are lost.</summary>
public abstract record LossSettings
{
    private protected LossSettings()
    {
    }

    internal abstract ILossModel CreateModel(Xoshiro256 random);
}

/// <summary>Decides packet by packet which ones are lost.</summary>
interface ILossModel
{
    bool Loses(in LinkPacket packet);
}

sealed class LossStage(ILossModel model) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) =>
        model.Loses(in packet) ? ImpairmentAction.DropLoss : ImpairmentAction.None;
}
