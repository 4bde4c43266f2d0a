using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Replays;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Congestion;

/// <summary>Measures the congestion window of a sender: why, how far and how evenly it is reduced, how it grows, and how slow start ends.</summary>
sealed class CongestionMeasure : IReplayMeasure
{
    readonly Reductions _reductions = new();
    WindowRounds? _rounds;
    RecoveryPace? _pace;
    IdleRestarts? _restarts;
    LinuxHyStart _hyStart;
    SequenceNumber _una;
    SequenceNumber _edge;
    long _sacked;
    long _triggerBytes;

    /// <summary>Which congestion control it was, once measured.</summary>
    public ControlFingerprint? Control { get; private set; }

    /// <inheritdoc/>
    public void OnSending(DirectionReplay replay, in ReplayedSegment segment)
    {
        Begin(replay);
        SequenceNumber next = segment.End > replay.Reference.SndNxt ? segment.End : replay.Reference.SndNxt;
        DataSent sent = new(segment.Time, segment.Packet, segment.Length, RepairOf(segment), InFlight(replay.Reference, next), next);
        if (_reductions.OnSent(sent))
        {
            _rounds!.OnReduction();
            _pace!.Begin(_reductions.Current!, sent, replay.Reference.SrttNanos);
        }
        else
        {
            _pace!.OnSent(sent);
        }

        _rounds!.OnSent(sent);
        _restarts!.OnSent(sent);
    }

    /// <inheritdoc/>
    public void OnAckReceived(DirectionReplay replay, in AckArrival ack, long packet)
    {
        Begin(replay);
        DataAcked acked = Read(replay.Reference, ack, packet);
        bool wasRepairing = _reductions.Current is not null;
        if (_reductions.OnAcked(acked))
        {
            _rounds!.OnReduction();
        }

        bool isRepairing = _reductions.Current is not null;
        _pace!.OnAcked(acked, isOver: wasRepairing && !isRepairing);
        _rounds!.OnAcked(acked, isRepairing);
        _restarts!.OnAcked(acked);
        Test(acked, replay.Opening.Smss);
    }

    /// <inheritdoc/>
    public void OnReorderingTimer(DirectionReplay replay, TraceTime now)
    {
    }

    /// <inheritdoc/>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need) => _reductions.OnVerdict(item.Packet, need);

    /// <inheritdoc/>
    public void Measure(DirectionReplay replay, SlowStartSummary? slowStart, List<ScoreComponent> components)
    {
        Begin(replay);
        IReadOnlyList<WindowRound> rounds = _rounds!.All;
        Reduction.Complete(_reductions.All, rounds);
        components.AddRange(ReductionScore.Of(_reductions.All, replay.Reference.SrttNanos, replay.Opening.Smss));
        components.AddRange(_pace!.Components());
        int? exit = SlowStartScore.ExitOf(rounds, slowStart);
        Control = ControlEvidence.Judge(rounds, _reductions.All, exit, replay.Opening.Smss);
        components.Add(GrowthScore.Of(rounds, exit is { } left ? rounds[left].Stage : 1, exit ?? 0, replay.Opening.Smss));
        components.Add(UseScore.Of(rounds));
        components.Add(_restarts!.Component());
        components.AddRange(SlowStartScore.Of(rounds, slowStart, _reductions.All, _hyStart.Trigger, _triggerBytes));
    }

    static RepairKind RepairOf(in ReplayedSegment segment) => !segment.IsRetransmission ? RepairKind.None : segment.Trigger switch
    {
        RetransmissionTrigger.Fast or RetransmissionTrigger.LostRetransmission => RepairKind.Fast,
        RetransmissionTrigger.Rto => RepairKind.Timeout,
        _ => RepairKind.Probe,
    };

    // What has arrived is not in flight: a sender that waits for a late packet goes on sending, a segment for each SACK or duplicate acknowledgment.
    static long InFlight(Sender reference, SequenceNumber next) =>
        Math.Max(next - reference.SndUna - reference.Board.SackedBytes - reference.Board.ArrivedBytes, 0);

    void Begin(DirectionReplay replay)
    {
        if (_rounds is null)
        {
            (_rounds, _pace, _restarts) = (new(replay.Opening.Smss), new(replay.Opening.Smss), new(replay.Opening.Smss));
            _una = replay.Reference.SndUna;
            _edge = _una + replay.Opening.Window;
        }
    }

    DataAcked Read(Sender reference, in AckArrival ack, long packet)
    {
        SequenceNumber una = reference.SndUna;
        long advance = Math.Max(una - _una, 0);
        long sacked = reference.Board.SackedBytes;
        long delivered = Math.Max(advance + sacked - _sacked, 0);
        SequenceNumber edge = ack.Una + ack.Window;
        _edge = edge > _edge ? edge : _edge;
        (_una, _sacked) = (una, sacked);
        return new(
            ack.Now, packet, una, reference.SndNxt, delivered, advance > 0, InFlight(reference, reference.SndNxt), sacked, reference.LastRttNanos,
            reference.SrttNanos, reference.RtoNanos, Math.Max(_edge - reference.SndNxt, 0), ack.HasEcnEcho);
    }

    // What HyStart would have said, whatever the sender did: also where losses ended slow start before.
    void Test(in DataAcked ack, int smss)
    {
        if (_hyStart.Trigger == HyStartTrigger.None)
        {
            double cwnd = _reductions.Current is null ? (double)ack.FlightBytes / smss : 0;
            _hyStart.OnAckReceived(ack.Time, ack.Una, ack.Next, ack.RttNanos, cwnd, isPaced: false);
            _triggerBytes = _hyStart.Trigger == HyStartTrigger.None ? 0 : ack.FlightBytes;
        }
    }
}
