using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Queues;

/// <summary>
/// PIE (RFC 8033): packets are dropped at random as they come (§4.1), by <see cref="PieProbability"/> (§4.2), after a burst allowance (§4.4), at distances
/// that do not vary much (§5.4). The queueing delay is that of the packet transmitted last (§4.3, by timestamps), and zero for an empty queue.
/// </summary>
sealed class PieDiscipline(PieSettings settings, QueueLimit limit, IQueueEvents events, Xoshiro256 random, TraceTime start) : IQueueDiscipline
{
    const double NanosPerSecond = 1e9;

    // RFC 8033 §4.4: MAX_BURST.
    const long MaxBurstNanos = 150_000_000;

    // RFC 8033 §4.1: with less than two packets, or a low delay and probability, nothing is dropped at random.
    const int MeanPacketBytes = 1500;
    const double LowProbability = 0.2;

    // RFC 8033 §5.1 and §5.4.
    const double LargestMarked = 0.1;
    const double FirstAfter = 0.85;
    const double LastAfter = 8.5;

    readonly PacketQueue _queue = new();
    readonly double _qdelayRef = settings.ReferenceNanos / NanosPerSecond;
    PieProbability _probability = new(settings.ReferenceNanos / NanosPerSecond);
    Xoshiro256 _random = random;
    TraceTime _nextUpdate = start + settings.UpdateNanos;
    long _burstAllowance = MaxBurstNanos;
    double _accumulated;
    double _qdelay;

    /// <inheritdoc/>
    public int Packets => _queue.Packets;

    /// <inheritdoc/>
    public void Enqueue(ref LinkPacket packet, TraceTime now)
    {
        UpdateTo(now);
        if (!limit.Fits(_queue.Packets, _queue.Bytes, packet.LengthBytes))
        {
            _accumulated = 0;
            events.OnDrop(ref packet, ImpairmentAction.DropQueue, now);
        }
        else if (_burstAllowance == 0 && DropsEarly() && !TryMark(ref packet, now))
        {
            events.OnDrop(ref packet, ImpairmentAction.DropAqm, now);
        }
        else
        {
            _queue.Add(in packet);
        }
    }

    /// <inheritdoc/>
    public bool TryDequeue(TraceTime now, out LinkPacket packet)
    {
        UpdateTo(now);
        bool found = _queue.TryTake(out packet);
        _qdelay = found && _queue.Packets > 0 ? (now - packet.DueAt) / NanosPerSecond : 0;
        return found;
    }

    // drop_early() of RFC 8033 §4.1 with §5.4.
    bool DropsEarly()
    {
        double probability = _probability.DropProb;
        if ((_probability.QdelayOld < _qdelayRef / 2 && probability < LowProbability) || _queue.Bytes <= 2 * MeanPacketBytes)
        {
            return false;
        }

        _accumulated = probability == 0 ? 0 : _accumulated + probability;
        if (_accumulated < FirstAfter || (_accumulated < LastAfter && _random.NextUnit() >= probability))
        {
            return false;
        }

        _accumulated = 0;
        return true;
    }

    bool TryMark(ref LinkPacket packet, TraceTime now) =>
        settings.MarksEcn && _probability.DropProb <= LargestMarked && EcnMarking.TryMark(ref packet, events, now);

    // Between two packets nothing changes but the clock, so the updates that were due can be made up for.
    void UpdateTo(TraceTime now)
    {
        while (_nextUpdate <= now)
        {
            _probability.Update(_qdelay);
            _burstAllowance = IsQuiet ? MaxBurstNanos : long.Max(0, _burstAllowance - settings.UpdateNanos);
            _nextUpdate += settings.UpdateNanos;
            if (IsIdle)
            {
                SkipTo(now);
            }
        }
    }

    // RFC 8033 §4.4: the allowance comes back when the congestion is over.
    bool IsQuiet => _probability.DropProb == 0 && _qdelay < _qdelayRef / 2 && _probability.QdelayOld < _qdelayRef / 2;

    // No update changes anything any more.
    bool IsIdle => _qdelay == 0 && _probability is { DropProb: 0, QdelayOld: 0 };

    void SkipTo(TraceTime now)
    {
        long missed = now - _nextUpdate;
        _nextUpdate += missed > 0 ? missed / settings.UpdateNanos * settings.UpdateNanos : 0;
    }
}
