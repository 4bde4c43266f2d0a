using TcpDiag.Impairment.Decisions;

namespace TcpDiag.Impairment.Stages;

/// <summary>One idea of impairment. Packets come in the order of <see cref="LinkPacket.DueAt"/> as far as earlier stages keep it.</summary>
interface ILinkStage
{
    /// <summary>Decides about a packet that reaches the stage at its DueAt, and may move that instant, or set marks.</summary>
    /// <returns>What was done, for the log; a drop ends the packet's way.</returns>
    ImpairmentAction Process(ref LinkPacket packet);
}
