using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>Chooses packets to be held; the segment hands them to <see cref="Hold"/>, which lets them go again.</summary>
sealed class SwapReorderingStage(Chance chance, int packets) : ILinkStage
{
    public SwapHold Hold { get; } = new(packets);

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (Hold.IsHolding || !chance.Next())
        {
            return ImpairmentAction.None;
        }

        packet.Marks |= PacketMarks.Held;
        return ImpairmentAction.ReorderSwap;
    }
}
