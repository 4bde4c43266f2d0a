using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

sealed class BlackoutStage(BlackoutWindow window, TraceTime start) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) =>
        window.Contains(packet.DueAt - start) ? ImpairmentAction.DropBlackout : ImpairmentAction.None;
}
