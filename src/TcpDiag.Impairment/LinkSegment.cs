using System;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// One direction of one segment: a packet runs through all stages at the instant it arrives, which settles when it leaves, and then waits for
/// that instant. Nothing is decided later, so the decisions depend on the arrivals alone and not on how late the caller asks.
/// </summary>
sealed class LinkSegment(int number, ILinkStage[] stages, int capacity, DecisionDesk desk)
{
    readonly DepartureHeap _departures = new(capacity);
    readonly SwapHold? _swap = (Array.Find(stages, stage => stage is SwapReorderingStage) as SwapReorderingStage)?.Hold;

    public TraceTime NextDue => _departures.NextDue;

    /// <summary>A packet arrives at its DueAt.</summary>
    public void Offer(ref LinkPacket packet)
    {
        packet.PropagationNs = 0;
        if (_departures.IsFull)
        {
            desk.Decide(ImpairmentAction.DropCapacity, in packet, number);
            return;
        }

        bool duplicated = false;
        foreach (ILinkStage stage in stages)
        {
            ImpairmentAction action = stage.Process(ref packet);
            if (action == ImpairmentAction.None)
            {
                continue;
            }

            desk.Decide(action, in packet, number);
            if (action.IsDrop())
            {
                return;
            }

            duplicated |= action == ImpairmentAction.Duplicate;
        }

        Admit(ref packet);
        if (duplicated)
        {
            AdmitCopy(ref packet);
        }
    }

    /// <summary>Takes the earliest packet out; there must be one.</summary>
    public void Take(out LinkPacket packet)
    {
        int slot = _departures.Pop(out packet);
        _swap?.OnDeparture(slot);
    }

    void Admit(ref LinkPacket packet)
    {
        if (_swap is null)
        {
            _departures.Push(in packet);
        }
        else
        {
            AdmitWithSwap(_swap, ref packet);
        }
    }

    void AdmitWithSwap(SwapHold swap, ref LinkPacket packet)
    {
        if ((packet.Marks & PacketMarks.Held) != PacketMarks.None)
        {
            TraceTime ownDue = packet.DueAt;
            packet.Marks &= ~PacketMarks.Held;
            packet.DueAt = ownDue + SwapHold.LimitNs;
            swap.Hold(_departures.Push(in packet), ownDue);
            return;
        }

        _departures.Push(in packet);
        if (swap.IsHolding)
        {
            swap.OnSuccessor(_departures, packet.DueAt);
        }
    }

    void AdmitCopy(ref LinkPacket packet)
    {
        packet.Marks |= PacketMarks.Copy;
        desk.Duplicate(in packet);
        if (_departures.IsFull)
        {
            desk.Decide(ImpairmentAction.DropCapacity, in packet, number);
            return;
        }

        _departures.Push(in packet);
    }
}
