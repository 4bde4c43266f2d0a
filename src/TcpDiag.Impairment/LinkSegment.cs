using System;
using System.Collections.Generic;
using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Queues;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// One direction of one segment: a packet runs through all stages at the instant it arrives, which settles when it leaves, and then waits for that instant.
/// Where its way through the queue depends on packets that come later, it waits there first and goes through the rest when the link takes it. Decisions are
/// made at emulated instants, in their order, so they depend on the arrivals alone and not on how late the caller asks.
/// </summary>
sealed class LinkSegment
{
    readonly int _number;
    readonly ILinkStage[] _front;
    readonly LinkServer? _server;
    readonly ILinkStage[] _rest;
    readonly int _capacity;
    readonly DecisionRecorder _recorder;
    readonly DepartureHeap _departures;
    readonly CrossTraffic? _cross;
    readonly SwapHold? _swap;

    public LinkSegment(int number, SegmentStages stages, int capacity, DecisionRecorder recorder)
    {
        _number = number;
        _front = stages.Front;
        _rest = stages.Rest;
        _capacity = capacity;
        _recorder = recorder;
        _departures = new DepartureHeap(capacity);
        _server = stages.Server is { } parts ? new LinkServer(parts, number, recorder) : null;
        _cross = stages.Server?.Cross;
        _swap = (Array.Find(stages.AfterQueue, stage => stage is SwapReorderingStage) as SwapReorderingStage)?.Hold;
    }

    /// <summary>When something happens next: a packet leaves the segment, or its queue.</summary>
    public TraceTime NextDue => _server is not null && _server.NextDue < _departures.NextDue ? _server.NextDue : _departures.NextDue;

    /// <summary>What became of the cross traffic.</summary>
    public IReadOnlyList<CrossReport> CrossReports => _cross?.Reports ?? [];

    /// <summary>A packet arrives at its DueAt.</summary>
    public void Offer(ref LinkPacket packet)
    {
        packet.PropagationNanos = 0;
        if (IsFull)
        {
            _recorder.Decide(ImpairmentAction.DropCapacity, in packet, _number);
            return;
        }

        TraceTime now = packet.DueAt;
        if (!TryPass(_front, ref packet, out bool duplicated))
        {
            return;
        }

        if (_server is null)
        {
            Admit(ref packet, duplicated);
            return;
        }

        AdvanceTo(now);
        _server.Offer(ref packet);
        AdvanceTo(now);
    }

    /// <summary>Lets happen in the queue what happens there by an instant.</summary>
    public void AdvanceTo(TraceTime now)
    {
        if (_server is not null)
        {
            Serve(_server, now);
        }
    }

    /// <summary>Takes the earliest packet out; there must be one.</summary>
    public void Take(out LinkPacket packet)
    {
        int slot = _departures.Pop(out packet);
        _swap?.OnDeparture(slot);
    }

    /// <summary>Whether a packet leaves by an instant.</summary>
    public bool HasDeparture(TraceTime now) => _departures.NextDue <= now;

    void Serve(LinkServer server, TraceTime now)
    {
        while (server.TryAdvance(now, out LinkPacket packet))
        {
            if (TryPass(_rest, ref packet, out bool duplicated))
            {
                Admit(ref packet, duplicated);
            }
        }
    }

    bool IsFull => _departures.Count + (_server?.Waiting ?? 0) >= _capacity;

    bool TryPass(ILinkStage[] stages, ref LinkPacket packet, out bool duplicated)
    {
        duplicated = false;
        foreach (ILinkStage stage in stages)
        {
            ImpairmentAction action = stage.Process(ref packet);
            if (action == ImpairmentAction.None)
            {
                continue;
            }

            _recorder.Decide(action, in packet, _number);
            if (action.IsDrop())
            {
                return false;
            }

            duplicated |= action == ImpairmentAction.Duplicate;
        }

        return true;
    }

    void Admit(ref LinkPacket packet, bool duplicated)
    {
        if (_swap is null)
        {
            _departures.Push(in packet);
        }
        else
        {
            AdmitWithSwap(_swap, ref packet);
        }

        if (duplicated)
        {
            AdmitCopy(ref packet);
        }
    }

    void AdmitWithSwap(SwapHold swap, ref LinkPacket packet)
    {
        if ((packet.Marks & PacketMarks.Held) != PacketMarks.None)
        {
            TraceTime ownDue = packet.DueAt;
            packet.Marks &= ~PacketMarks.Held;
            packet.DueAt = ownDue + SwapHold.LimitNanos;
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
        _recorder.Duplicate(in packet);
        if (IsFull)
        {
            _recorder.Decide(ImpairmentAction.DropCapacity, in packet, _number);
            return;
        }

        _departures.Push(in packet);
    }
}
