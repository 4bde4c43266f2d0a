using System;
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
        if (!limit.Admits(ref packet, _queue.Packets, _queue.Bytes, events, now))
        {
            _accumulated = 0;
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

/// <summary>
/// The drop probability of PIE (RFC 8033 §4.2, with §5.5's cap on its growth): a PI controller on the queueing delay, whose gain is smaller the smaller the
/// probability is. Delays are seconds, as in the RFC.
/// </summary>
struct PieProbability(double qdelayRef)
{
    // RFC 8033 §4.2: alpha and beta in Hz.
    const double Alpha = 0.125;
    const double Beta = 1.25;

    // RFC 8033 §4.2: an idle queue forgets.
    const double Decay = 0.98;

    // RFC 8033 §5.5.
    const double CapFrom = 0.1;
    const double LargestStep = 0.02;

    /// <summary>PIE->drop_prob_.</summary>
    public double DropProb { get; private set; }

    /// <summary>PIE->qdelay_old_, seconds.</summary>
    public double QdelayOld { get; private set; }

    /// <summary>Computes the probability anew; once every T_UPDATE.</summary>
    /// <param name="qdelay">current_qdelay, seconds.</param>
    public void Update(double qdelay)
    {
        double p = ((Alpha * (qdelay - qdelayRef)) + (Beta * (qdelay - QdelayOld))) / Damping(DropProb);
        p = DropProb >= CapFrom ? Math.Min(p, LargestStep) : p;
        double next = DropProb + p;
        if (qdelay == 0 && QdelayOld == 0)
        {
            next *= Decay;
        }

        DropProb = Math.Clamp(next, 0, 1);
        QdelayOld = qdelay;
    }

    // RFC 8033 §4.2, the table of drop_prob_ and the divisor.
    static double Damping(double probability) => probability switch
    {
        < 0.000001 => 2048,
        < 0.00001 => 512,
        < 0.0001 => 128,
        < 0.001 => 32,
        < 0.01 => 8,
        < 0.1 => 2,
        _ => 1,
    };
}
