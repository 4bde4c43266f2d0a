using System;
using System.Collections.Generic;
using System.Numerics;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Reordering;

/// <summary>Which packets are taken out of their order, and how.</summary>
public abstract record ReorderSettings
{
    private protected ReorderSettings()
    {
    }

    internal abstract ILinkStage CreateStage(Xoshiro256 random);
}

/// <summary>
/// A selected packet is delayed by d instead of the propagation delay and its jitter: with a small d it arrives early, ahead of everything under way.
/// </summary>
/// <param name="Chance">Which packets.</param>
/// <param name="DelayNanos">d in nanoseconds, counted from the end of serialisation.</param>
public sealed record ReplaceReordering(ChanceSettings Chance, long DelayNanos) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new ReplaceReorderingStage(new Chance(Chance, random), DelayNanos);
}

sealed class ReplaceReorderingStage(Chance chance, long delayNanos) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (!chance.Next())
        {
            return ImpairmentAction.None;
        }

        packet.DueAt += delayNanos - packet.PropagationNanos;
        packet.PropagationNanos = delayNanos;
        return ImpairmentAction.ReorderReplace;
    }
}

/// <summary>A selected packet is delayed by d on top of the path's delay: it arrives late.</summary>
/// <param name="Chance">Which packets.</param>
/// <param name="DelayNanos">d in nanoseconds.</param>
public sealed record AddReordering(ChanceSettings Chance, long DelayNanos) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new AddReorderingStage(new Chance(Chance, random), DelayNanos);
}

sealed class AddReorderingStage(Chance chance, long delayNanos) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (!chance.Next())
        {
            return ImpairmentAction.None;
        }

        packet.DueAt += delayNanos;
        return ImpairmentAction.ReorderAdd;
    }
}

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

/// <summary>A selected packet overtakes packets under way, as many as there are up to a number.</summary>
/// <param name="Chance">Which packets.</param>
/// <param name="Packets">How many it overtakes at most, at least 1.</param>
public sealed record AheadReordering(ChanceSettings Chance, int Packets) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new AheadReorderingStage(new Chance(Chance, random), Packets);
}

/// <summary>
/// Remembers when the last packets leave and puts a selected packet one nanosecond ahead of the n-th of them, but not before the end of its own
/// serialisation: it cannot leave before it has arrived.
/// </summary>
sealed class AheadReorderingStage : ILinkStage
{
    readonly Chance _chance;
    readonly int _packets;
    readonly TraceTime[] _due;
    int _seen;

    public AheadReorderingStage(Chance chance, int packets)
    {
        _chance = chance;
        _packets = packets;
        _due = new TraceTime[BitOperations.RoundUpToPowerOf2((uint)packets)];
        System.Array.Fill(_due, new TraceTime(long.MinValue));
    }

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        int mask = _due.Length - 1;
        if (_chance.Next())
        {
            TraceTime target = _due[(_seen - _packets) & mask];
            TraceTime earliest = packet.DueAt + -packet.PropagationNanos;
            packet.DueAt = target > earliest ? target + -1 : earliest;
            return ImpairmentAction.ReorderAhead;
        }

        _due[_seen & mask] = packet.DueAt;
        _seen++;
        return ImpairmentAction.None;
    }
}
