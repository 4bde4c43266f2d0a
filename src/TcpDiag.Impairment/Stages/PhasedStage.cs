using System.Runtime.InteropServices;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>A stage whose settings change during the run: a packet goes through the one of the phase in which it arrives here.</summary>
sealed class PhasedStage(StagePhase[] phases) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        int at = phases.Length - 1;
        while (at > 0 && packet.DueAt < phases[at].From)
        {
            at--;
        }

        return phases[at].Stage?.Process(ref packet) ?? ImpairmentAction.None;
    }
}

/// <summary>One phase of a stage.</summary>
/// <param name="From">When it begins; the first holds before as well.</param>
/// <param name="Stage">What acts then; null for nothing.</param>
[StructLayout(LayoutKind.Auto)]
readonly record struct StagePhase(TraceTime From, ILinkStage? Stage);
