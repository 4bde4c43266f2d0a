using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

sealed class ReplaceReorderingStage(Chance chance, long delayNs) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (!chance.Next())
        {
            return ImpairmentAction.None;
        }

        packet.DueAt += delayNs - packet.PropagationNs;
        packet.PropagationNs = delayNs;
        return ImpairmentAction.ReorderReplace;
    }
}
