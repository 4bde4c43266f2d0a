using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Follows a sender's first slow start to its end, and counts the reductions of its window. What is in flight doubles each round trip in slow start (RFC 5681
/// §3.1) and grows by a quarter in conservative slow start (RFC 9406 §4.2): it is over with the first of two rounds that grow less. Why, a HyStart shows that
/// is given the same acknowledgments. Captured at the sender only: elsewhere what it had in flight does not show.
/// </summary>
struct SlowStartWatch
{
    const int SlowRounds = 2;
    const double MinGrowth = 1.35; // a round in slow start: 1.5 where each of two segments' acknowledgments adds one; less is conservative slow start or none
    const double MaxCutShare = 0.9; // what is left after a reduction, at most: CUBIC leaves 0.7, Reno 0.5 (RFC 9438 §4.6, RFC 5681 §3.1)

    LinuxHyStart _hyStart;
    SequenceNumber _roundEnd;
    TracePosition _roundStart;
    bool _hasRound; // a whole one was seen
    bool _isRoundOpen;
    int _peak; // most in flight in this round, bytes
    int _lastPeak; // in the round before; 0 when that one does not count
    int _before; // in flight when a recovery began, until a whole round after it shows what it left; else 0
    int _slow;
    int _cuts;
    int _triggerBytes; // in flight when HyStart would have ended slow start; 0 before that
    long _earlyNanos; // sample of the first packet that overtook others by enough
    TracePosition _earlyAt;
    long _delayNanos; // RTT at the exit
    SlowStartCause _cause;
    int _exitBytes; // of the first of two slow rounds, so that it is not one yet until the second
    TracePosition _exitAt;
    bool _isOver;
    TraceTime _doubled;

    /// <summary>What was seen; null when no round was.</summary>
    public readonly SlowStartSummary? Summary => !_hasRound ? null
        : !HasExit && _earlyNanos == 0 ? SlowStartSummary.WithoutExit(_cause, _cuts)
        : new SlowStartSummary
        {
            Cause = _cause,
            ExitBytes = HasExit ? _exitBytes : null,
            Exit = HasExit ? _exitAt : null,
            ExitRtt = HasExit ? _delayNanos : null,
            EarlyRtt = _earlyNanos > 0 ? _earlyNanos : null,
            Early = _earlyNanos > 0 ? _earlyAt : null,
            DoublingTime = HasExit && _doubled > _exitAt.Time ? _doubled - _exitAt.Time : null,
            Reductions = _cuts,
        };

    /// <summary>Whether slow start is over: samples are of no use any more.</summary>
    public readonly bool IsOver => _isOver;

    readonly bool HasExit => _isOver && _exitBytes > 0;

    /// <summary>Whether the time of a send matters: slow start ended, and twice as much as then was not in flight since.</summary>
    public readonly bool AwaitsDoubling => HasExit && _doubled == default;

    /// <summary>In flight up to which no send matters after slow start, bytes: less is not twice as much as then.</summary>
    public readonly int BytesToDouble => AwaitsDoubling ? 2 * _exitBytes : int.MaxValue;

    /// <summary>Takes in what was in flight after sends, bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnFlight(int inFlight) => _peak = Math.Max(_peak, inFlight);

    /// <summary>Takes in what is in flight after a send that may be twice as much as slow start ended with, bytes.</summary>
    public void OnDoubled(int inFlight, TraceTime now) => _doubled = inFlight >= 2 * _exitBytes ? now : default;

    /// <summary>Takes in an acknowledgment, before slow start is over.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="srttNanos">SRTT, nanoseconds.</param>
    public void OnSample(in SlowStartAck ack, long srttNanos)
    {
        bool isEarly = ack.IsSack && ack.RttNanos > 0 && ack.RttNanos + DelayIncrease.RttThreshNanos(ack.RttNanos) <= srttNanos;
        if (isEarly && _earlyNanos == 0)
        {
            (_earlyNanos, _earlyAt) = (ack.RttNanos, ack.At);
        }

        bool wasOn = _hyStart.Trigger == HyStartTrigger.None;
        _hyStart.OnAckReceived(ack.At.Time, ack.Una, ack.Max, ack.RttNanos, (double)ack.InFlight / ack.Mss, isPaced: false);
        if (wasOn && _hyStart.Trigger != HyStartTrigger.None)
        {
            _triggerBytes = ack.InFlight;
        }
    }

    /// <summary>Takes in a sample at a window that HyStart does not test.</summary>
    /// <param name="now">When it came.</param>
    /// <param name="una">SND.UNA after it.</param>
    /// <param name="max">SND.MAX.</param>
    /// <param name="rttNanos">The sample, nanoseconds.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnLowWindow(TraceTime now, SequenceNumber una, SequenceNumber max, long rttNanos) => _hyStart.OnLowWindow(now, una, max, rttNanos);

    /// <summary>Takes in that a recovery began, or the window was cut.</summary>
    /// <param name="inFlight">Most in flight before it, bytes.</param>
    public void OnRecovery(int inFlight)
    {
        _before = Math.Max(_before, inFlight);
        Interrupt();
    }

    /// <summary>Takes in that the capture has a gap: this round and the one before say nothing.</summary>
    public void Interrupt()
    {
        _isRoundOpen = false;
        _lastPeak = 0;
        _peak = 0;
        _slow = 0;
    }

    /// <summary>
    /// Whether an acknowledgment of new data outside recovery ends a round: the first beyond what had been sent up to its beginning does, and the first of all
    /// begins one.
    /// </summary>
    /// <param name="una">SND.UNA after it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool EndsRound(SequenceNumber una) => !_isRoundOpen || una > _roundEnd;

    /// <summary>Takes in an acknowledgment that ends a round.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="srttNanos">SRTT, nanoseconds.</param>
    /// <param name="isHeldElsewhere">Whether something else than the congestion window held the sender of late: then the round does not count.</param>
    public void OnRound(in SlowStartAck ack, long srttNanos, bool isHeldElsewhere)
    {
        if (isHeldElsewhere)
        {
            (_lastPeak, _slow) = (0, 0);
        }
        else if (_isRoundOpen && _peak > 0)
        {
            _hasRound = true;
            EndRound(srttNanos);
        }

        _isRoundOpen = true;
        _roundEnd = ack.Max;
        _roundStart = ack.At;
        _peak = 0;
    }

    void EndRound(long srttNanos)
    {
        if (_before > 0)
        {
            bool isCut = _peak < MaxCutShare * _before;
            _cuts += isCut ? 1 : 0;
            _before = 0;
            if (isCut && !IsOver)
            {
                (_cause, _exitBytes, _isOver) = (SlowStartCause.Reduction, 0, true);
            }
        }
        else if (_lastPeak > 0 && !IsOver)
        {
            Judge(srttNanos);
        }

        _lastPeak = _peak;
    }

    void Judge(long srttNanos)
    {
        _slow = _peak < MinGrowth * _lastPeak ? _slow + 1 : 0;
        if (_slow == 1)
        {
            (_exitBytes, _exitAt) = (_peak, _roundStart);
            _delayNanos = srttNanos;
        }
        else if (_slow == SlowRounds)
        {
            (_cause, _isOver) = (CauseOf(_exitBytes), true);
        }
    }

    // The reference may have ended slow start at quite another window: then something else did.
    readonly SlowStartCause CauseOf(int bytes)
    {
        bool isSame = _triggerBytes > 0 && 2 * _triggerBytes >= bytes && _triggerBytes <= 2 * bytes;
        return (isSame, _hyStart.Trigger) switch
        {
            (true, HyStartTrigger.Delay) => _earlyNanos > 0 ? SlowStartCause.EarlyPacket : SlowStartCause.Delay,
            (true, HyStartTrigger.AckTrain) => SlowStartCause.AckTrain,
            _ => SlowStartCause.Unknown,
        };
    }
}

/// <summary>An acknowledgment as the sender saw it, with new data or SACK blocks.</summary>
/// <param name="At">The packet.</param>
/// <param name="Una">SND.UNA after it.</param>
/// <param name="Max">SND.MAX.</param>
/// <param name="InFlight">In flight before it, bytes.</param>
/// <param name="Mss">Payload of a full segment, bytes.</param>
/// <param name="RttNanos">Since the newest segment that it reports was sent, nanoseconds; 0 when that is not known.</param>
/// <param name="IsSack">Whether SACK blocks report that segment: others, sent before it, are missing.</param>
readonly record struct SlowStartAck(TracePosition At, SequenceNumber Una, SequenceNumber Max, int InFlight, int Mss, long RttNanos, bool IsSack);
