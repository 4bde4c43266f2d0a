using System;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>Adds the propagation delay and its jitter. Without <see cref="JitterSettings.Reorders"/> packets keep their order.</summary>
sealed class PropagationStage(long delayNs, JitterSource? jitter, bool reorders) : ILinkStage
{
    TraceTime _last = new(long.MinValue);

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        TraceTime sent = packet.DueAt;
        long delay = jitter is null ? delayNs : Math.Max(0, delayNs + jitter.Next());
        TraceTime due = sent + delay;
        if (!reorders && due < _last)
        {
            due = _last;
        }

        _last = due;
        packet.DueAt = due;
        packet.PropagationNs = due - sent;
        return ImpairmentAction.None;
    }
}
