using System;
using System.Collections.Generic;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Reordering;

/// <summary>Exactly the listed packets take longer than the path's delay, or less long, each by its own amount: what was measured of a real path.</summary>
/// <param name="Nanos">By the number of the packet in its direction (<see cref="LinkPacket.Id"/>): ns more, or less where negative.</param>
public sealed record ListedReordering(IReadOnlyDictionary<long, long> Nanos) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new ListedReorderingStage(Nanos);
}

sealed class ListedReorderingStage(IReadOnlyDictionary<long, long> nanos) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (!nanos.TryGetValue(packet.Id, out long more))
        {
            return ImpairmentAction.None;
        }

        long change = Math.Max(more, -packet.PropagationNanos); // no earlier than the link has sent it
        packet.DueAt += change;
        packet.PropagationNanos += change;
        return ImpairmentAction.ReorderAdd;
    }
}
