using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// What made a sender send a segment again, from what it knew at that instant. A timer shows by silence: nothing sent and nothing heard for as
/// long as the timer takes. A tail loss probe is the last segment, alone, with nothing SACKed (RFC 8985 §7); a timeout sends SND.UNA
/// (RFC 6298 §5.4), and what follows until everything sent by then is acknowledged belongs to it. Otherwise SACK blocks or duplicate
/// acknowledgments are the cause (RFC 5681 §3.2, RFC 8985 §6). Where the sender's stack named the cause itself, that decides.
/// </summary>
struct RetransmissionClassifier
{
    RetransmissionTrigger _episode; // what began the recovery that goes on: Fast, Rto, or Unknown when none does
    SequenceNumber _recoveryPoint; // SND.MAX when it began
    TraceTime _begin; // when it began; by the timer: when that last expired
    SequenceNumber _probeEnd;

    /// <summary>Whether a tail loss probe waits for its answer.</summary>
    public bool IsProbeOut { get; private set; }

    /// <summary>Takes in that SND.UNA moved: a probe may be answered.</summary>
    public void OnAdvance(SequenceNumber ack) => IsProbeOut &= ack < _probeEnd;

    /// <summary>Classifies a segment, and takes note of the recovery it begins or belongs to.</summary>
    /// <param name="sent">The end, before the segment.</param>
    /// <param name="recovery">What else is known of its losses.</param>
    /// <param name="item">The segment.</param>
    /// <param name="latest">Position of the latest earlier retransmission of the same data, or −1.</param>
    /// <param name="handshakeNanos">RTT of the handshake; 0 when not measured.</param>
    /// <param name="named">What the sender's stack named; unknown when nothing.</param>
    /// <returns>The trigger.</returns>
    public RetransmissionTrigger Classify(
        in SendState sent, in LossRecovery recovery, in Retransmission item, int latest, long handshakeNanos, RetransmissionTrigger named)
    {
        if (_episode != RetransmissionTrigger.Unknown && sent.Space.SndUna >= _recoveryPoint)
        {
            _episode = RetransmissionTrigger.Unknown;
        }

        bool hasEvidence = HasEvidence(sent, recovery.Sacked);
        if (named != RetransmissionTrigger.Unknown)
        {
            return OfStack(sent, recovery, item, latest, named, hasEvidence);
        }

        var timers = new TimerBounds(recovery.Rtt, handshakeNanos);
        long silence = item.Time - (sent.Times.LastSend > sent.Times.LastNews ? sent.Times.LastSend : sent.Times.LastNews);
        if (IsProbe(sent, item) && !hasEvidence && silence >= timers.MinPtoNanos)
        {
            return BeginProbe(item);
        }

        if (IsTimeout(sent, recovery, item, latest, silence, timers, hasEvidence))
        {
            Begin(RetransmissionTrigger.Rto, sent.Space.SndMax, item.Time);
            return RetransmissionTrigger.Rto;
        }

        return ByEvidence(sent, recovery, item, latest, hasEvidence);
    }

    RetransmissionTrigger OfStack(
        in SendState sent, in LossRecovery recovery, in Retransmission item, int latest, RetransmissionTrigger named, bool hasEvidence)
    {
        if (named == RetransmissionTrigger.Rto)
        {
            Begin(RetransmissionTrigger.Rto, sent.Space.SndMax, item.Time);
            return named;
        }

        if (named == RetransmissionTrigger.Tlp)
        {
            return BeginProbe(item);
        }

        // A loss was detected. What a timeout has begun goes on all the same, and what had been sent again before was lost again, whether its stack says so
        // or not.
        if (_episode == RetransmissionTrigger.Unknown)
        {
            Begin(RetransmissionTrigger.Fast, sent.Space.SndMax, item.Time);
        }

        return _episode == RetransmissionTrigger.Fast && named == RetransmissionTrigger.LostRetransmission
            ? named
            : ByEvidence(sent, recovery, item, latest, hasEvidence);
    }

    readonly bool IsProbe(in SendState sent, in Retransmission item) =>
        item.End == sent.Space.SndMax && _episode == RetransmissionTrigger.Unknown && !IsProbeOut && sent.Header.Sack != SackUse.Off;

    // With SACK, a duplicate acknowledgment without blocks says nothing about losses.
    static bool HasEvidence(in SendState sent, in SackScoreboard sacked) =>
        sacked.Fack > sent.Space.SndUna || (sent.Space.DuplicateAcks > 0 && sent.Header.Sack != SackUse.On);

    static bool IsTimeout(
        in SendState sent, in LossRecovery recovery, in Retransmission item, int latest, long silence, in TimerBounds timers, bool hasEvidence)
    {
        if (item.Start > sent.Space.SndUna)
        {
            return false;
        }

        if (silence >= (hasEvidence ? timers.MinRtoNanos + Thresholds.TimerSlackNanos : timers.MinRtoNanos))
        {
            return true;
        }

        // A sender that cannot see the loss of a retransmission hears on while its timer runs.
        return latest >= 0
            && silence > 0
            && item.Time - recovery.Retransmissions[latest].Time >= timers.TypicalRtoNanos
            && item.Time - sent.Times.LastAck >= timers.TypicalRtoNanos;
    }

    RetransmissionTrigger ByEvidence(in SendState sent, in LossRecovery recovery, in Retransmission item, int latest, bool hasEvidence)
    {
        bool isTimeoutGoingOn = _episode == RetransmissionTrigger.Rto;
        if (latest >= 0 && (!isTimeoutGoingOn || recovery.Retransmissions[latest].Time >= _begin))
        {
            return RetransmissionTrigger.LostRetransmission;
        }

        if (isTimeoutGoingOn)
        {
            return RetransmissionTrigger.Rto;
        }

        // Something sent later has arrived: it was SACKed, or the latest acknowledgment was for a retransmission (RFC 8985 §6.2 step 2).
        bool isFast = hasEvidence
            || _episode == RetransmissionTrigger.Fast
            || recovery.Retransmissions.LastAckedTime == sent.Times.LastNews;
        if (!isFast)
        {
            return RetransmissionTrigger.Unknown;
        }

        if (_episode == RetransmissionTrigger.Unknown)
        {
            Begin(RetransmissionTrigger.Fast, sent.Space.SndMax, item.Time);
        }

        return RetransmissionTrigger.Fast;
    }

    RetransmissionTrigger BeginProbe(in Retransmission item)
    {
        IsProbeOut = true;
        _probeEnd = item.End;
        return RetransmissionTrigger.Tlp;
    }

    void Begin(RetransmissionTrigger trigger, SequenceNumber recoveryPoint, TraceTime time)
    {
        _episode = trigger;
        _recoveryPoint = recoveryPoint;
        _begin = time;
        IsProbeOut = false;
    }
}

/// <summary>What the timers of a sender may be, as far as the RTT samples of the capture show.</summary>
readonly struct TimerBounds
{
    /// <summary>Works the timers out.</summary>
    /// <param name="estimator">SRTT and RTTVAR of the data.</param>
    /// <param name="handshakeNanos">RTT of the handshake; 0 when not measured.</param>
    public TimerBounds(in RttEstimator estimator, long handshakeNanos)
    {
        // At the receiver the samples are its own delay: the handshake shows the round trip there.
        long srtt = Math.Max(estimator.SrttNanos, handshakeNanos);
        MinRtoNanos = srtt + (4 * estimator.RttVarNanos);
        MinPtoNanos = (2 * srtt) - (srtt / 4);
        TypicalRtoNanos = Math.Max(MinRtoNanos, Thresholds.MinRtoNanos);
    }

    /// <summary>SRTT + 4·RTTVAR (RFC 6298 (2.2)): no timer expires sooner, whatever its floor.</summary>
    public long MinRtoNanos { get; }

    /// <summary>The same with a common floor.</summary>
    public long TypicalRtoNanos { get; }

    /// <summary>2·SRTT (RFC 8985 §7.2) less an eighth for a smoothed RTT that differs from the sender's.</summary>
    public long MinPtoNanos { get; }
}
