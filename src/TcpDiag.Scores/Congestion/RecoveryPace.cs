using System;
using System.Collections.Generic;
using TcpDiag.Scores.Cards;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Congestion;

/// <summary>
/// Holds what a sender sends in fast recoveries against PRR (RFC 9937 §6.2). What PRR allows per acknowledgment is at most the larger of what was delivered and
/// not sent yet, and of what this one delivers, and a segment; nothing when it delivers nothing. Which share of it PRR gives depends on ssthresh, which a trace
/// does not show; the bound does not.
/// </summary>
/// <param name="smss">SMSS, bytes.</param>
sealed class RecoveryPace(int smss)
{
    const int MinSegments = 20; // of a flight: in a smaller one what is silent is a segment or two

    // Of a flight, delivered and not answered: without PRR 1 − β of it is, 0.3 with CUBIC and half with Reno (RFC 9937 §3), with it two or three segments.
    const double MinSilent = 0.25;

    const int MaxPlaces = 1 << 12;

    readonly List<ScorePlace> _bursts = [];
    readonly List<ScorePlace> _silences = [];
    Prr _prr;
    TraceTime _begun;
    TraceTime _lastSend;
    TraceTime _answered; // the latest acknowledgment
    long _packet;
    long _ackPacket;
    long _allowed;
    long _sent;
    long _unanswered; // delivered since the last send, but for what the latest acknowledgment delivered, which may still be answered
    long _latest;
    long _longest; // silence, bytes
    long _longestNanos;
    long _srtt;
    long _acks; // of this recovery
    long _evenAcks;
    Episodes _answers; // a recovery whose window is too large answers each acknowledgment with too much
    long _recoveries;
    long _evenRecoveries;
    bool _isOn;
    bool _hasAck;

    /// <summary>Begins a recovery with its first retransmission.</summary>
    /// <param name="reduction">The recovery.</param>
    /// <param name="sent">The retransmission.</param>
    /// <param name="srttNanos">SRTT, ns.</param>
    public void Begin(Reduction reduction, in DataSent sent, long srttNanos)
    {
        EndEpisode();
        _isOn = reduction.Kind == RepairKind.Fast;
        _hasAck = false;
        _prr = new Prr { RecoverFs = Math.Max(reduction.BeforeBytes, 1), Out = sent.Bytes };
        (_begun, _lastSend, _packet, _srtt) = (sent.Time, sent.Time, sent.Packet, srttNanos);
        (_unanswered, _latest, _longest, _longestNanos) = (0, 0, 0, 0);
    }

    /// <summary>Takes in what is sent after that.</summary>
    public void OnSent(in DataSent sent)
    {
        if (!_isOn)
        {
            return;
        }

        Note();
        _lastSend = sent.Time;
        _sent += sent.Bytes;
        _prr.Out += sent.Bytes;
    }

    /// <summary>Takes in an acknowledgment.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="isOver">Whether it ends the recovery.</param>
    public void OnAcked(in DataAcked ack, bool isOver)
    {
        if (!_isOn)
        {
            return;
        }

        Judge();
        if (isOver)
        {
            End(ack.Time);
            return;
        }

        _prr.Delivered += ack.DeliveredBytes;
        (_unanswered, _latest) = (_unanswered + _latest, ack.DeliveredBytes);
        long credit = Math.Max(_prr.Delivered - _prr.Out, ack.DeliveredBytes);
        _allowed = ack.DeliveredBytes > 0 ? Math.Max(credit, 0) + smss : 0;
        (_hasAck, _answered, _ackPacket, _sent) = (true, ack.Time, ack.Packet, 0);
    }

    /// <summary>Gives the components.</summary>
    public IEnumerable<ScoreComponent> Components()
    {
        EndEpisode();
        Proportion? answers = _answers.Rate;
        yield return new()
        {
            Id = "recovery-bursts",
            Family = ScoreFamily.CongestionControl,
            Name = "answers in recovery within PRR's bound",
            Clause = "RFC 9937 §6.2",
            Rate = answers,
            NotExercised = answers is not null ? null : "no fast recovery: a path that loses single packets exercises it",
            Evidence = answers is { Trials: var acks } ? FormattableString.Invariant($"what was sent after each of {acks} acknowledgments in fast recoveries")
                : string.Empty,
            Worst = ScorePlace.Worst(_bursts),
        };
        yield return new()
        {
            Id = "recovery-silence",
            Family = ScoreFamily.CongestionControl,
            Name = "recoveries that keep sending",
            Clause = "RFC 9937 §3",
            Rate = _recoveries > 0 ? new Proportion(_evenRecoveries, _recoveries) : null,
            NotExercised = _recoveries > 0 ? null
                : "no fast recovery with twenty segments in flight that lasted a round trip: losses within a larger flight exercise it",
            Evidence = _recoveries > 0 ? "what was delivered between two sends, of the flight before" : string.Empty,
            Worst = ScorePlace.Worst(_silences),
        };
    }

    // What followed the latest acknowledgment, before the next.
    void Judge()
    {
        if (!_hasAck)
        {
            return;
        }

        _acks++;
        long excess = _sent - _allowed;
        if (excess <= 0)
        {
            _evenAcks++;
        }
        else if (_bursts.Count < MaxPlaces)
        {
            // How long the window takes for as much.
            _bursts.Add(new(_ackPacket, _answered, (long)((double)excess / _prr.RecoverFs * _srtt)));
        }
    }

    void EndEpisode()
    {
        _answers.Add(_evenAcks, _acks);
        (_evenAcks, _acks) = (0, 0);
    }

    void End(TraceTime now)
    {
        _isOn = false;
        EndEpisode();
        if (now - _begun < _srtt || _prr.RecoverFs < (long)MinSegments * smss)
        {
            return;
        }

        _recoveries++;
        bool isSilent = _longest > MinSilent * _prr.RecoverFs;
        _evenRecoveries += isSilent ? 0 : 1;
        if (isSilent && _silences.Count < MaxPlaces)
        {
            _silences.Add(new(_packet, _begun, _longestNanos));
        }
    }

    // A silence is as long as what is delivered in it: the same over every path, where a window that fills half of a round trip is without acknowledgments
    // for the other half. It ends with a send: one that lasts until the recovery is over may be for want of data.
    void Note()
    {
        if (_unanswered > _longest)
        {
            (_longest, _longestNanos) = (_unanswered, _answered - _lastSend);
        }

        (_unanswered, _latest) = (0, 0);
    }

    struct Prr
    {
        public long RecoverFs;
        public long Delivered;
        public long Out;
    }
}
