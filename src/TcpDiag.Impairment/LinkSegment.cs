using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// One direction of one segment: a packet runs through all stages at the instant it arrives, which settles when it leaves, and then waits for
/// that instant. Nothing is decided later, so the decisions depend on the arrivals alone and not on how late the caller asks.
/// </summary>
sealed class LinkSegment(int number, ILinkStage[] stages, int capacity, DecisionRecorder recorder)
{
    readonly DepartureHeap _departures = new(capacity);
    readonly SwapHold? _swap = (Array.Find(stages, stage => stage is SwapReorderingStage) as SwapReorderingStage)?.Hold;

    public TraceTime NextDue => _departures.NextDue;

    /// <summary>A packet arrives at its DueAt.</summary>
    public void Offer(ref LinkPacket packet)
    {
        packet.PropagationNanos = 0;
        if (_departures.IsFull)
        {
            recorder.Decide(ImpairmentAction.DropCapacity, in packet, number);
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

            recorder.Decide(action, in packet, number);
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
        recorder.Duplicate(in packet);
        if (_departures.IsFull)
        {
            recorder.Decide(ImpairmentAction.DropCapacity, in packet, number);
            return;
        }

        _departures.Push(in packet);
    }
}

/// <summary>
/// Builds the stages of a segment in the order a packet passes them: blackout, loss, corruption, bottleneck, propagation, reordering, duplication.
/// Stages without effect are left out.
/// </summary>
static class LinkSegmentBuilder
{
    static readonly QueueDepth DefaultQueue = new(1000, QueueUnit.Packets);

    public static ILinkStage[] Build(LinkSettings settings, RandomStreams streams, long rttNanos, TraceTime start)
    {
        List<ILinkStage> stages = [];
        stages.AddRange(settings.Blackouts.Select(window => new BlackoutStage(window, start)));
        stages.AddRange(settings.Losses.Select((loss, i) => new LossStage(loss.CreateModel(streams.Open(DecisionKind.Loss, i)))));
        AddCorruption(stages, settings, streams);
        AddBottleneck(stages, settings, rttNanos);
        AddPropagation(stages, settings, streams);
        stages.AddRange(settings.Reorderings.Select((reordering, i) => reordering.CreateStage(streams.Open(DecisionKind.Reordering, i))));
        if (settings.Duplication is { } duplication)
        {
            stages.Add(new DuplicationStage(new Chance(duplication, streams.Open(DecisionKind.Duplication))));
        }

        return [.. stages];
    }

    static void AddCorruption(List<ILinkStage> stages, LinkSettings settings, RandomStreams streams)
    {
        if (settings.Corruption is { } corruption)
        {
            Chance chance = new(corruption, streams.Open(DecisionKind.Corruption));
            stages.Add(new CorruptionStage(chance, streams.Open(DecisionKind.CorruptedBit)));
        }
    }

    static void AddBottleneck(List<ILinkStage> stages, LinkSettings settings, long rttNanos)
    {
        long rate = settings.RateBitsPerSecond;
        if (rate > 0)
        {
            QueueLimit limit = QueueLimit.Resolve(settings.Queue ?? DefaultQueue, rate, rttNanos);
            QueueLimit markAt = QueueLimit.Resolve(settings.EcnThreshold, rate, rttNanos);
            stages.Add(new BottleneckStage(new TokenBucket(rate, settings.BurstBytes), limit, markAt));
        }
    }

    static void AddPropagation(List<ILinkStage> stages, LinkSettings settings, RandomStreams streams)
    {
        JitterSource? jitter = settings.Jitter is { } j ? new JitterSource(j, streams.Open(DecisionKind.Jitter)) : null;
        if (settings.DelayNanos > 0 || jitter is not null)
        {
            stages.Add(new PropagationStage(settings.DelayNanos, jitter, settings.Jitter?.Reorders ?? false));
        }
    }
}
