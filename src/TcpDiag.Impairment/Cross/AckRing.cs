using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Cross;

/// <summary>The acknowledgments on their way back to a flow, in the order of its packets; a queue keeps the order within a flow.</summary>
sealed class AckRing
{
    readonly Queue<(long Id, long SentAt, TraceTime At)> _acks = new();
    readonly Queue<long> _sentAt = new();
    TraceTime _latest = TraceTime.Earliest;
    long _first = 1;

    /// <summary>When the next one arrives; the end of time when none is on its way.</summary>
    public TraceTime Next => _acks.TryPeek(out (long Id, long SentAt, TraceTime At) ack) ? ack.At : TraceTime.Latest;

    /// <summary>The next packet was sent.</summary>
    public void OnSent(TraceTime now) => _sentAt.Enqueue(now.Nanoseconds);

    /// <summary>A packet was delivered; those before it have been delivered or dropped.</summary>
    public void OnDelivered(long id, TraceTime ackAt)
    {
        long sentAt = ackAt.Nanoseconds;
        for (; _first <= id && _sentAt.TryDequeue(out sentAt); _first++)
        {
        }

        _latest = ackAt > _latest ? ackAt : _latest; // the way back keeps the order
        _acks.Enqueue((id, sentAt, _latest));
    }

    /// <summary>Takes an acknowledgment that has arrived.</summary>
    public bool TryTake(TraceTime now, out long id, out long sentAt)
    {
        bool has = Next <= now && _acks.Count > 0;
        (id, sentAt, _) = has ? _acks.Dequeue() : default;
        return has;
    }
}

/// <summary>The packets of a flow that were dropped and are not known to be lost yet, in about the order they were sent in.</summary>
sealed class DropList
{
    readonly Queue<long> _ids = new();

    public void Add(long id) => _ids.Enqueue(id);

    /// <summary>Takes the oldest one if it was sent before another packet.</summary>
    public bool TryTakeBelow(long id, out long lost) => _ids.TryPeek(out lost) && lost < id && _ids.TryDequeue(out lost);
}
