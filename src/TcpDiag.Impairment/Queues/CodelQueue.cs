using System;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Queues;

/// <summary>
/// CoDel (RFC 8289 §5): the packet at the head is dropped once the sojourn time has stayed above TARGET for INTERVAL, the next one INTERVAL/√count after
/// that, until it falls below TARGET. One queue of FQ-CoDel, or all of a link.
/// </summary>
sealed class CodelQueue(CodelParameters parameters, IQueueEvents events)
{
    // RFC 8289 §5.2: MAXPACKET, "should use interface MTU": with no more than one packet waiting nothing is dropped.
    const int MaxPacket = 1500;

    // RFC 8289 §5.5: above TARGET again within so many intervals, dropping goes on at the rate it had.
    const int RecentIntervals = 16;

    readonly PacketQueue _queue = new();
    TraceTime? _firstAboveTime;
    TraceTime _dropNext;
    uint _count;
    uint _lastCount;
    bool _dropping;

    public int Packets => _queue.Packets;

    public long Bytes => _queue.Bytes;

    /// <summary>count: drops since dropping began.</summary>
    public uint Count => _count;

    public void Add(in LinkPacket packet) => _queue.Add(in packet);

    /// <summary>Drops the packet at the head because of others' lack of room.</summary>
    public void DropHead(TraceTime now)
    {
        if (_queue.TryTake(out LinkPacket packet))
        {
            events.OnDrop(ref packet, ImpairmentAction.DropQueue, now);
        }
    }

    /// <summary>deque() of RFC 8289 §5.5.</summary>
    public bool TryDequeue(TraceTime now, out LinkPacket packet)
    {
        bool found = TryTake(now, out packet, out bool okToDrop);
        if (_dropping)
        {
            found = GoOnDropping(now, ref packet, found, okToDrop);
        }
        else if (okToDrop)
        {
            found = BeginDropping(now, ref packet);
        }

        return found;
    }

    // The next drop may be due already when the backlog is large, hence the loop.
    bool GoOnDropping(TraceTime now, ref LinkPacket packet, bool found, bool okToDrop)
    {
        _dropping = okToDrop;
        while (_dropping && now >= _dropNext)
        {
            _count++;
            if (TryMark(ref packet, now))
            {
                _dropNext = ControlLaw(_dropNext, parameters.IntervalNanos, _count);
                return true;
            }

            events.OnDrop(ref packet, ImpairmentAction.DropAqm, now);
            found = TryTake(now, out packet, out _dropping);
            _dropNext = _dropping ? ControlLaw(_dropNext, parameters.IntervalNanos, _count) : _dropNext;
        }

        return found;
    }

    bool BeginDropping(TraceTime now, ref LinkPacket packet)
    {
        bool found = true;
        if (!TryMark(ref packet, now))
        {
            events.OnDrop(ref packet, ImpairmentAction.DropAqm, now);
            found = TryTake(now, out packet, out _);
        }

        _dropping = true;
        uint delta = _count - _lastCount;
        bool isRecent = now - _dropNext < RecentIntervals * parameters.IntervalNanos;
        _count = delta > 1 && isRecent ? delta : 1;
        _dropNext = ControlLaw(now, parameters.IntervalNanos, _count);
        _lastCount = _count;
        return found;
    }

    // dodequeue() of RFC 8289 §5.6.
    bool TryTake(TraceTime now, out LinkPacket packet, out bool okToDrop)
    {
        okToDrop = false;
        if (!_queue.TryTake(out packet))
        {
            _firstAboveTime = null;
            return false;
        }

        if (now - packet.DueAt < parameters.TargetNanos || _queue.Bytes <= MaxPacket)
        {
            _firstAboveTime = null;
        }
        else if (_firstAboveTime is not { } above)
        {
            _firstAboveTime = now + parameters.IntervalNanos;
        }
        else
        {
            okToDrop = now >= above;
        }

        return true;
    }

    bool TryMark(ref LinkPacket packet, TraceTime now) => parameters.MarksEcn && EcnMarking.TryMark(ref packet, events, now);

    /// <summary>When the next drop is due: t + INTERVAL/√count (RFC 8289 §5.4). IEEE 754 rounds √ and ÷ exactly, so every platform agrees.</summary>
    public static TraceTime ControlLaw(TraceTime t, long intervalNanos, uint count) => t + (long)(intervalNanos / Math.Sqrt(count));
}

/// <summary>TARGET and INTERVAL of RFC 8289 in ns, and whether ECN-capable packets are marked.</summary>
readonly record struct CodelParameters(long TargetNanos, long IntervalNanos, bool MarksEcn);

/// <summary>One CoDel queue in front of a link, with tail drop when it is full.</summary>
sealed class CodelDiscipline(CodelSettings settings, QueueLimit limit, IQueueEvents events) : IQueueDiscipline
{
    readonly CodelQueue _queue = new(new CodelParameters(settings.TargetNanos, settings.IntervalNanos, settings.MarksEcn), events);

    /// <inheritdoc/>
    public int Packets => _queue.Packets;

    /// <inheritdoc/>
    public void Enqueue(ref LinkPacket packet, TraceTime now)
    {
        if (limit.Admits(ref packet, _queue.Packets, _queue.Bytes, events, now))
        {
            _queue.Add(in packet);
        }
    }

    /// <inheritdoc/>
    public bool TryDequeue(TraceTime now, out LinkPacket packet) => _queue.TryDequeue(now, out packet);
}
