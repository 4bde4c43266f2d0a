using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Delivery;

/// <summary>
/// How fast the path delivers one sender's data. Over rounds, a round trip each: the highest rate that two of them held, and the time in which a queue stood
/// on the path, so that it was full whatever the sender did. Over short trains of acknowledgments: the rate at which a burst leaves the slowest link, which
/// shows what the path would give also to a sender that seldom fills it (packet dispersion: V. Jacobson, "Congestion avoidance and control", 1988, figure 1).
/// Of recoveries only rounds count that SACK shows: else an acknowledgment covers there what had arrived before.
/// </summary>
struct DeliveryRate
{
    TraceTime _roundStart;
    TraceTime _trainStart;
    TraceTime _latest; // the latest that counted
    long _roundBytes;
    long _fullNanos;
    long _fullBytes;
    float _best; // bytes per ns
    float _lastRate; // of the round before; 0 when it does not count
    int _trainBytes;
    uint _roundMinRtt; // ns, at most 4.2 s
    uint _latestRtt; // the latest sample outside of recoveries; 0 before any
    uint _lossRtt; // the shortest that was the latest when a recovery began; 0 before any
    bool _isOn;
    bool _isRecovering;
    StreamingQuantile _trains;

    /// <summary>What went on while the receive window was full; none when it never was.</summary>
    public Pooled<FullWindow> FullWindow;

    /// <summary>What gets through between losses; none before any.</summary>
    public Pooled<TokenBucketWatch> Bucket;

    /// <summary>What was measured; null when no round was.</summary>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    public readonly DeliverySummary? Summarise(int mss)
    {
        float train = _trains.Count >= Thresholds.MinTrains ? _trains.Value(Thresholds.TrainQuantile) : 0;
        return _best == 0 && train == 0
            ? null
            : new DeliverySummary
            {
                BestBitsPerSecond = _best > 0 ? _best * 8e9 : null,
                BurstBitsPerSecond = train > 0 ? train * 8e9 : null,
                PathFullTime = _fullNanos,
                PathFullBytes = _fullBytes,
                Bucket = Bucket.IsAny ? Bucket.Value.Fit(mss) : null,
                LossRtt = _lossRtt,
            };
    }

    /// <summary>Takes in that an acknowledgment covers new data.</summary>
    /// <param name="now">When it came.</param>
    /// <param name="bytes">How much.</param>
    /// <param name="inFlight">What was in flight before it, bytes.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <param name="rtt">The round trips up to it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnDelivered(TraceTime now, int bytes, int inFlight, int mss, RoundTrips rtt)
    {
        _isRecovering = false;
        if (!TryBegin(now, rtt))
        {
            return;
        }

        if (rtt.SampleNanos > 0)
        {
            _roundMinRtt = Math.Min(_roundMinRtt, rtt.SampleNanos);
            _latestRtt = rtt.SampleNanos;
        }

        _trainBytes += bytes;
        if (now - _latest > rtt.SrttNanos / 2)
        {
            (_trainStart, _trainBytes) = (now, 0); // a new burst: the gap before it says nothing of the path
        }

        _latest = now;
        if (_trainBytes >= Thresholds.MinTrainSegments * mss && _trainBytes >= Math.Min(inFlight / 2, Thresholds.MaxTrainSegments * mss))
        {
            EndTrain(now);
        }

        AddToRound(now, bytes, mss, rtt);
    }

    /// <summary>Takes in that a recovery goes on: the round trip before it began was that of a packet right ahead of the loss.</summary>
    public void OnRecovery()
    {
        if (!_isRecovering && _latestRtt > 0)
        {
            _lossRtt = _lossRtt > 0 ? Math.Min(_lossRtt, _latestRtt) : _latestRtt;
        }

        _isRecovering = true;
    }

    /// <summary>
    /// Takes in what arrived during a recovery, as SACK shows. Rounds count; a train does not, as what is sent then follows the sender's own pace, nor does a
    /// queue, of which a few samples show too little.
    /// </summary>
    /// <param name="now">When it came.</param>
    /// <param name="bytes">How much.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <param name="rtt">The round trips up to it.</param>
    public void OnDeliveredInRecovery(TraceTime now, int bytes, int mss, RoundTrips rtt)
    {
        if (TryBegin(now, rtt))
        {
            _trainStart = _latest = now;
            _trainBytes = 0;
            AddToRound(now, bytes, mss, rtt);
        }
    }

    /// <summary>Takes in that a recovery goes on, or something was not captured: what goes on now does not count.</summary>
    public void Interrupt()
    {
        _isOn = false;
        _lastRate = 0;
    }

    // A capture that begins later: how long a round is does not show yet.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool TryBegin(TraceTime now, RoundTrips rtt)
    {
        if (_isOn && rtt.SrttNanos != 0)
        {
            return true;
        }

        Restart(now);
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void AddToRound(TraceTime now, int bytes, int mss, RoundTrips rtt)
    {
        _roundBytes += bytes;
        if (now - _roundStart >= Math.Max(rtt.SrttNanos, 1))
        {
            EndRound(now, mss, rtt.MinNanos);
        }
    }

    void Restart(TraceTime now)
    {
        _isOn = true;
        _roundStart = _trainStart = _latest = now;
        _roundBytes = _trainBytes = 0;
        _roundMinRtt = uint.MaxValue;
    }

    void EndTrain(TraceTime now)
    {
        _trains.Add((float)_trainBytes / Math.Max(now - _trainStart, 1), Thresholds.TrainQuantile); // a coarse clock may show no time at all
        _trainStart = now;
        _trainBytes = 0;
    }

    void EndRound(TraceTime now, int mss, uint minRtt)
    {
        long nanos = now - _roundStart;
        float rate = (float)_roundBytes / nanos;
        float both = rate < _lastRate ? rate : _lastRate; // of two in a row
        _best = both > _best ? both : _best;
        _lastRate = rate;
        if (HasQueue(rate, mss, minRtt))
        {
            _fullNanos += nanos;
            _fullBytes += _roundBytes;
        }

        _roundStart = now;
        _roundBytes = 0;
        _roundMinRtt = uint.MaxValue;
    }

    // Not even the fastest segment of the round found the path empty. Delayed acknowledgments and interrupts make every sample of a few segments longer.
    readonly bool HasQueue(float rate, int mss, uint minRtt)
    {
        if (_roundMinRtt == uint.MaxValue || rate <= 0)
        {
            return false;
        }

        uint delay = _roundMinRtt - minRtt;
        return delay >= minRtt / Thresholds.QueueDelayDivisor && delay >= Thresholds.MinQueueNanos
            && delay >= Thresholds.MinQueueSegments * mss / (double)rate; // the time they take on the slowest link
    }
}

/// <summary>The round trips of a connection so far.</summary>
/// <param name="SrttNanos">SRTT (RFC 6298), nanoseconds; 0 before a sample.</param>
/// <param name="MinNanos">Smallest sample, without single ones far below SRTT, nanoseconds, at most 4.2 s; 0 before any.</param>
/// <param name="SampleNanos">The sample that the latest acknowledgment gave, nanoseconds, at most 4.2 s; 0 without one.</param>
readonly record struct RoundTrips(long SrttNanos, uint MinNanos, uint SampleNanos);
