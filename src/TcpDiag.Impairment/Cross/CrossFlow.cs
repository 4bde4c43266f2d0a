using System;
using System.Collections.Generic;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Cross;

/// <summary>
/// A TCP flow that always has data: <see cref="CongestionWindow"/> decides how much it may have under way. Every packet is acknowledged, one round-trip time
/// after it left the link, give or take what a host needs to answer; nothing else delays or loses packets. A dropped one is noticed when three packets sent
/// later are acknowledged (RFC 5681 §3.2, RFC 6675), or when nothing is acknowledged for an RTO. New data stands for what would be sent again: the link cannot
/// tell them apart.
/// </summary>
sealed class CrossFlow : ICrossSource
{
    const int Smss = 1448;
    const int InitialWindowSegments = 10; // RFC 6928
    const int DupThresh = 3;

    // Linux: the least RTO. It is measured from the last acknowledgment.
    const long MinRtoNanos = 200_000_000;

    // Without it the packets of a flow would come exactly when others leave, and find a full queue each time (Floyd and Jacobson, "On Traffic Phase Effects
    // in Packet-Switched Gateways", 1992, §4: a random time to process removes that). A twentieth of the round trip, at most 1 ms.
    const long LargestAnswerNanos = 1_000_000;
    const int AnswersPerRtt = 20;

    readonly string _name;
    readonly long _rttNanos;
    readonly long _answerNanos;
    Xoshiro256 _random;
    readonly TraceTime _end;
    readonly AckRing _acks = new();
    readonly DropList _drops = new();
    CongestionWindow _window;
    TraceTime _rtoAt = TraceTime.Latest;
    TraceTime _now;
    long _sent;
    long _flight;
    long _recover;
    long _ignored;
    long _srttNanos;
    long _delivered;
    long _dropped;
    int _timeouts;
    bool _maySend = true;

    public CrossFlow(CrossFlows settings, TraceTime start, Xoshiro256 random)
    {
        _random = random;
        _answerNanos = Math.Min(LargestAnswerNanos, settings.RttNanos / AnswersPerRtt);
        _name = settings.Algorithm == CongestionAlgorithm.Cubic ? "cubic" : "reno";
        _rttNanos = settings.RttNanos;
        _srttNanos = settings.RttNanos;
        _now = start + settings.StartNanos;
        _end = new TraceTime(Math.Min(long.MaxValue - _now.Nanoseconds, settings.LengthNanos) + _now.Nanoseconds);
        CongestionTraits traits = CongestionTraits.Linux with
        {
            Algorithm = settings.Algorithm,
            Exit = settings.Algorithm == CongestionAlgorithm.Cubic ? SlowStartExit.LinuxHyStart : SlowStartExit.LossOnly,
        };
        _window = new CongestionWindow(traits, Smss, InitialWindowSegments * Smss);
    }

    /// <inheritdoc/>
    public CrossReport Report => new(_name, _delivered, _dropped);

    /// <inheritdoc/>
    public TraceTime Next => _now >= _end ? TraceTime.Latest : _maySend ? _now : _acks.Next < _rtoAt ? _acks.Next : _rtoAt;

    long WindowPackets => Math.Max(1, _window.Cwnd / Smss);

    /// <inheritdoc/>
    public bool TrySend(TraceTime now, out long id)
    {
        _now = now > _now ? now : _now;
        while (_acks.TryTake(_now, out long acked, out long sentAt))
        {
            OnAck(acked, sentAt);
        }

        if (_now >= _rtoAt)
        {
            OnTimeout();
        }

        id = _sent + 1;
        _maySend = _flight < WindowPackets && _now < _end;
        if (!_maySend)
        {
            return false;
        }

        _sent++;
        _flight++;
        _rtoAt = _rtoAt == TraceTime.Latest ? _now + Rto : _rtoAt;
        _acks.OnSent(_now);
        return true;
    }

    /// <inheritdoc/>
    public void OnDelivered(long id, int lengthBytes, TraceTime now)
    {
        _delivered += lengthBytes;
        _acks.OnDelivered(id, now + (_rttNanos - (_answerNanos / 2) + _random.NextBetween(0, _answerNanos)));
    }

    /// <inheritdoc/>
    public void OnDrop(long id)
    {
        _dropped++;
        _drops.Add(id);
    }

    long Rto => Math.Max(MinRtoNanos, 2 * _srttNanos) << Math.Min(_timeouts, 6);

    void OnAck(long id, long sentAtNanos)
    {
        if (id <= _ignored)
        {
            return; // counted as lost by a timeout
        }

        _flight--;
        _timeouts = 0;
        _rtoAt = _flight > 0 ? _now + Rto : TraceTime.Latest;
        long rtt = _now.Nanoseconds - sentAtNanos;
        _srttNanos += (rtt - _srttNanos) / 8; // RFC 6298 §2
        while (_drops.TryTakeBelow(id - DupThresh + 1, out long lost))
        {
            OnLost(lost);
        }

        if (id > _recover)
        {
            AckOfNewData ack = new(_now, Smss, rtt, _srttNanos, new SequenceNumber((uint)(id * Smss)), new SequenceNumber((uint)(_sent * Smss)));
            _window.OnAckReceived(in ack, isCwndLimited: true);
        }
    }

    void OnLost(long id)
    {
        if (id <= _ignored)
        {
            return;
        }

        _flight--;
        if (id > _recover)
        {
            _recover = _sent;
            _window.OnLoss(_window.Cwnd);
        }
    }

    void OnTimeout()
    {
        _window.OnTimeout(_window.Cwnd, isRepeated: _timeouts > 0);
        _timeouts++;
        _recover = _ignored = _sent;
        _flight = 0;
        _rtoAt = TraceTime.Latest;
    }
}

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
