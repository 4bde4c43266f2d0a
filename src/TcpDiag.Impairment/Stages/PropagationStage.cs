using System;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>Adds the propagation delay and its jitter. Unless jitter may reorder, packets keep their order, also where a shorter delay follows a longer
/// one.</summary>
sealed class PropagationStage(long delayNanos, IJitter? jitter, LastDeparture? last) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        TraceTime sent = packet.DueAt;
        TraceTime due = sent + (jitter is null ? delayNanos : Math.Max(0, delayNanos + jitter.Next(sent)));
        if (last is not null)
        {
            due = due < last.Time ? last.Time : due;
            last.Time = due;
        }

        packet.DueAt = due;
        packet.PropagationNanos += due - sent;
        return ImpairmentAction.None;
    }
}

/// <summary>When the packet before leaves: shared by all stages of a segment that keep the order.</summary>
sealed class LastDeparture
{
    public TraceTime Time { get; set; } = TraceTime.Earliest;
}
