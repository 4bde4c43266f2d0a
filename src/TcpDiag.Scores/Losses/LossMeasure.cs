using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Replays;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Losses;

/// <summary>
/// Measures how a sender tells losses from reordering and repairs them: each segment that is overtaken is followed until it is delivered or sent again, and
/// set beside when the reference would have declared it lost.
/// </summary>
sealed class LossMeasure : IReplayMeasure
{
    // Verdicts come within a round trip or two; where they do not, the oldest repairs are not judged.
    const int MaxPending = 1 << 12;

    readonly HoleTracker _holes = new();
    readonly Dictionary<SequenceNumber, Repair> _pending = [];
    readonly LossCounters _counters = new();
    readonly FingerprintEvidence _fingerprint = new();
    CandidateWindows _windows;
    SenderRecovery _recovery;
    TraceTime _newDataSent;
    long _fastRepairs;

    /// <summary>Packets that others overtook by no more than SRTT, and how often it waited for them.</summary>
    public RateCounter Overtaken => _counters.Overtaken;

    /// <summary>How the sender detects losses, by what it did so far.</summary>
    public Fingerprint Fingerprint(bool hasSack, bool reorderingSeen) => _fingerprint.Judge(hasSack, _fastRepairs, reorderingSeen);

    /// <inheritdoc/>
    public void OnSending(DirectionReplay replay, in ReplayedSegment segment)
    {
        if (!segment.IsRetransmission)
        {
            _newDataSent = segment.Time;
            return;
        }

        Sender reference = replay.Reference;
        Scoreboard board = reference.Board;
        Repair repair = RepairOf(reference, segment);
        for (int i = board.Find(segment.Seq); i < board.Count && board[i].Rack.EndSeq <= segment.End; i++)
        {
            repair.HasHole = _holes.TryTake(board[i].Rack.EndSeq, out repair.Hole);
            OnRepaired(reference, repair);
            if (_pending.Count == MaxPending)
            {
                _pending.Clear();
            }

            _pending[board[i].Rack.EndSeq] = repair;
            repair.IsFirst = false;
            repair.Timeout = default;
        }

        _recovery.OnRetransmission(segment.Trigger, segment.End, reference.SndNxt);
    }

    /// <inheritdoc/>
    public void OnAckReceived(DirectionReplay replay, in AckArrival ack, long packet)
    {
        Sender reference = replay.Reference;
        foreach (ref readonly RackSegment segment in reference.Board.Delivered)
        {
            if (_holes.Count > 0 && _holes.TryTake(segment.EndSeq, out Hole hole))
            {
                OnFilled(reference, hole, ack.Now, packet);
                if (!_recovery.IsOn && segment.EndSeq <= ack.Una)
                {
                    TraceTime soon = ack.Now + -FingerprintEvidence.ReactionNanos(CandidateWindows.StepNanos(reference));
                    _holes.Undo(hole, _newDataSent > soon ? _newDataSent : soon);
                }
            }
        }

        bool answersProbe = _recovery.IsProbeOut;
        bool endsRecovery = _recovery.OnAckReceived(ack.Una);
        _windows.OnAckReceived(replay, ack, endsRecovery, answersProbe);
        if (replay.Opening.HasSack)
        {
            _holes.Update(reference, _windows.At(reference, _recovery.IsOn), _recovery.IsOn, ack.Now, replay.Opening.Smss);
        }
    }

    /// <inheritdoc/>
    public void OnReorderingTimer(DirectionReplay replay, TraceTime now)
    {
        // By when a hole is due, timers are thought of.
    }

    /// <inheritdoc/>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need)
    {
        if (_pending.TryGetValue(item.End, out Repair repair) && repair.Packet == item.Packet)
        {
            _pending.Remove(item.End);
            TraceTime? delivered = item.Is(RetransmissionMarks.IsAcked) ? item.AckedTime : null;
            _counters.OnVerdict(repair, need, delivered);
        }
    }

    /// <inheritdoc/>
    public void Measure(DirectionReplay replay, SlowStartSummary? slowStart, List<ScoreComponent> components)
    {
        Fingerprint fingerprint = Fingerprint(replay.Opening.HasSack, replay.Reference.ReorderingSeen);
        LossComponents.Add(components, _counters, replay.Opening.HasSack, isByCount: fingerprint is { Verdict: Cards.Fingerprint.DuplicateAcks });
    }

    Repair RepairOf(Sender reference, in ReplayedSegment segment)
    {
        bool beginsTimeout = segment.Trigger == RetransmissionTrigger.Rto && !_recovery.IsTimeout;
        TraceTime before = segment.Time + -FingerprintEvidence.MinReactionNanos;
        bool isTail = beginsTimeout && _holes.Count == 0 && !_recovery.IsProbeOut && !_recovery.IsOn && reference.ProbeDue < before;
        return new Repair
        {
            Time = segment.Time,
            Packet = segment.Packet,
            Trigger = segment.Trigger,
            IsFirst = !_recovery.IsOn && segment.Trigger != RetransmissionTrigger.Tlp,
            Timeout = new(beginsTimeout, beginsTimeout && (isTail || _holes.HasDeclared(before)), isTail ? reference.ProbeDue : TraceTime.Latest),
            Path = new(reference.SrttNanos, CandidateWindows.StepNanos(reference)),
        };
    }

    void OnRepaired(Sender reference, in Repair repair)
    {
        if (!repair.HasHole || repair.Trigger is RetransmissionTrigger.Rto or RetransmissionTrigger.Tlp || _recovery.IsTimeout)
        {
            return;
        }

        _fastRepairs++;
        _fingerprint.OnRepaired(repair, StandingOf(reference));
        _counters.OnRepaired(repair, reference.ReorderingSeen, _windows.NarrowMult);
    }

    void OnFilled(Sender reference, in Hole hole, TraceTime now, long packet)
    {
        if (hole.WasRetransmitted)
        {
            return;
        }

        Standing standing = StandingOf(reference);
        _fingerprint.OnFilled(hole, now, packet, standing);
        _counters.OnFilled(hole, now, reference.SrttNanos, standing.StepNanos, _windows.NarrowMult);
    }

    static Standing StandingOf(Sender reference) => new(reference.SndUna, reference.SndNxt, CandidateWindows.StepNanos(reference));
}
