using System;
using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Rates;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Queues;

/// <summary>
/// A link of limited rate that takes packets out of a queue when it is free, and the cross traffic that shares it. Unlike <see cref="BottleneckStage"/> it
/// cannot settle a packet's departure when it comes; it goes from event to event up to the time it is told, so that what it decides follows from the
/// arrivals alone all the same.
/// </summary>
sealed class LinkServer : IQueueEvents
{
    readonly IQueueDiscipline _queue;
    readonly ILinkRate _link;
    readonly LinkOverhead _overhead;
    readonly QueueLimit _limit;
    readonly QueueLimit _markAt;
    readonly DecisionRecorder _recorder;
    readonly int _segment;
    readonly CrossTraffic? _cross;
    TraceTime _clock = TraceTime.Earliest;
    TraceTime _nextStart = TraceTime.Latest;
    long _bytes;

    public LinkServer(LinkServerParts parts, int segment, DecisionRecorder recorder)
    {
        _queue = parts.CreateQueue(this);
        _link = parts.Link;
        _overhead = parts.Overhead;
        _limit = parts.Limit;
        _markAt = parts.MarkAt;
        _cross = parts.Cross;
        _segment = segment;
        _recorder = recorder;
    }

    /// <summary>Own packets that wait.</summary>
    public int Waiting { get; private set; }

    /// <summary>When an own packet may leave the queue next; the end of time when none waits, however much cross traffic there is.</summary>
    public TraceTime NextDue => Waiting > 0 ? _nextStart : TraceTime.Latest;

    /// <summary>An own packet arrives at its DueAt; whatever was due before must have been taken.</summary>
    public void Offer(ref LinkPacket packet)
    {
        packet.CrossFlow = 0;
        Waiting++;
        Enqueue(ref packet);
    }

    /// <summary>Goes on to the next own packet that leaves by <paramref name="now"/>.</summary>
    /// <returns>False when there is none; everything else that happens by then has happened.</returns>
    public bool TryAdvance(TraceTime now, out LinkPacket packet)
    {
        while (true)
        {
            TraceTime crossNext = _cross?.Next ?? TraceTime.Latest;
            if (_nextStart <= now && _nextStart <= crossNext)
            {
                if (TryServe(out packet))
                {
                    return true;
                }
            }
            else if (crossNext <= now)
            {
                _clock = crossNext;
                while (_cross!.TrySend(crossNext, out packet))
                {
                    Enqueue(ref packet);
                }
            }
            else
            {
                packet = default;
                return false;
            }
        }
    }

    /// <inheritdoc/>
    public void OnDrop(ref LinkPacket packet, ImpairmentAction reason, TraceTime now)
    {
        _bytes -= packet.LengthBytes;
        if (packet.CrossFlow > 0)
        {
            _cross!.OnDrop(packet.CrossFlow, packet.Id);
            return;
        }

        Waiting--;
        packet.DueAt = now;
        _recorder.Decide(reason, in packet, _segment);
    }

    /// <inheritdoc/>
    public void OnMark(ref LinkPacket packet, TraceTime now)
    {
        if (packet.CrossFlow == 0)
        {
            LinkPacket marked = packet;
            marked.DueAt = now; // in the queue it is when the packet came
            _recorder.Decide(ImpairmentAction.MarkEcn, in marked, _segment);
        }
    }

    void Enqueue(ref LinkPacket packet)
    {
        TraceTime now = packet.DueAt;
        _clock = now > _clock ? now : _clock;
        bool isAdmitted = _limit.Fits(_queue.Packets, _bytes, packet.LengthBytes);
        if (isAdmitted && packet.Ecn is EcnCodepoint.Ect0 or EcnCodepoint.Ect1 && _markAt.IsReachedBy(_queue.Packets, _bytes))
        {
            EcnMarking.TryMark(ref packet, this, now);
        }

        _bytes += packet.LengthBytes;
        _queue.Enqueue(ref packet, _clock);
        _nextStart = _queue.Packets > 0 ? _link.NextStart(_clock) : TraceTime.Latest;
    }

    // One turn of the link; an own packet comes back at the end of its transmission.
    bool TryServe(out LinkPacket packet)
    {
        _clock = _nextStart;
        bool isOwn = false;
        if (_queue.TryDequeue(_clock, out packet))
        {
            _bytes -= packet.LengthBytes;
            packet.DueAt = _link.Take(_clock, _overhead.OnWire(packet.LengthBytes));
            isOwn = packet.CrossFlow == 0;
            Waiting -= isOwn ? 1 : 0;
            if (!isOwn)
            {
                _cross!.OnDelivered(packet.CrossFlow, packet.Id, packet.LengthBytes, packet.DueAt);
            }
        }

        _nextStart = _queue.Packets > 0 ? _link.NextStart(_clock) : TraceTime.Latest;
        return isOwn;
    }
}

/// <summary>What a <see cref="LinkServer"/> is made of.</summary>
/// <param name="CreateQueue">Creates the queue for whoever hears its events.</param>
/// <param name="Link">The rate.</param>
/// <param name="Overhead">What the link layer adds.</param>
/// <param name="Limit">The depth of the queue.</param>
/// <param name="MarkAt">The depth from which ECN-capable packets are marked on arrival.</param>
/// <param name="Cross">Other traffic; null for none.</param>
sealed record LinkServerParts(
    Func<IQueueEvents, IQueueDiscipline> CreateQueue, ILinkRate Link, LinkOverhead Overhead, QueueLimit Limit, QueueLimit MarkAt, CrossTraffic? Cross);
