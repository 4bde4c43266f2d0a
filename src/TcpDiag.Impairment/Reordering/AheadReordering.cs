using System.Numerics;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Reordering;

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
