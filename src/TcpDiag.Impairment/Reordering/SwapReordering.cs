using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Reordering;

/// <summary>
/// A selected packet waits until its next successors have left; with one successor two neighbours are swapped. While one waits, no other is selected.
/// </summary>
/// <param name="Chance">Which packets.</param>
/// <param name="Packets">How many successors pass it (the reordering extent of RFC 4737 §4.2.1), at least 1.</param>
public sealed record SwapReordering(ChanceSettings Chance, int Packets) : ReorderSettings
{
    internal override ILinkStage CreateStage(Xoshiro256 random) => new SwapReorderingStage(new Chance(Chance, random), Packets);
}

/// <summary>Selects packets to hold; the segment hands them to <see cref="Hold"/>, which releases them again.</summary>
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

/// <summary>
/// Holds back at most one packet of a segment until enough successors have been scheduled, then lets it leave right behind the last of them. If too few come,
/// the packet leaves on its own <see cref="LimitNanos"/> late: the last packet of a flow must not be lost.
/// </summary>
sealed class SwapHold(int packets)
{
    // 100 ms: longer than the gap between packets of a busy flow, shorter than the 200–300 ms after which a retransmission timer would fire.
    public const long LimitNanos = 100_000_000;

    int _slot = -1;
    int _left;
    TraceTime _ownDue;

    public bool IsHolding => _slot >= 0;

    /// <summary>Holds the packet just put into <paramref name="slot"/> with the limit added to its due time <paramref name="ownDue"/>.</summary>
    public void Hold(int slot, TraceTime ownDue)
    {
        _slot = slot;
        _left = packets;
        _ownDue = ownDue;
    }

    /// <summary>A successor was scheduled for <paramref name="due"/>.</summary>
    public void OnSuccessor(DepartureHeap departures, TraceTime due)
    {
        _left--;
        if (_left > 0)
        {
            return;
        }

        departures.MoveTo(_slot, due > _ownDue ? due : _ownDue);
        _slot = -1;
    }

    public void OnDeparture(int slot)
    {
        if (slot == _slot)
        {
            _slot = -1;
        }
    }
}
