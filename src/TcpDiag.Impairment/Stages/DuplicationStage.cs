using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Stages;

/// <summary>Chooses packets to send twice; the segment makes the copy, which leaves right behind its original.</summary>
sealed class DuplicationStage(Chance chance) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) => chance.Next() ? ImpairmentAction.Duplicate : ImpairmentAction.None;
}
