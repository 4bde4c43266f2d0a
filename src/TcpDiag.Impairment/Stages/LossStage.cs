using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Losses;

namespace TcpDiag.Impairment.Stages;

sealed class LossStage(ILossModel model) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) =>
        model.Loses(in packet) ? ImpairmentAction.DropLoss : ImpairmentAction.None;
}
