using System;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>
/// A reference sender: the algorithms of src/TcpDiag.Tcp put together as a stack does. It has no clock and no network. <b>Forward</b>, its caller asks what
/// to send (<see cref="TrySend"/>) and when it wants to be woken (<see cref="NextTimer"/>). In <b>replay</b>, the caller says what another sender sent
/// (<see cref="OnSegmentSent"/>) and reads what this one would have held true at that instant. Allocates nothing per segment once its scoreboard has grown.
/// </summary>
public sealed partial class Sender
{
    readonly SenderTraits _traits;
    readonly int _smss;
    readonly Scoreboard _board = new();
    readonly LossDetector _detector;
    readonly Recovery _recovery;
    SendTimers _timers = new();
    SendWindow _send;
    RoundTripTimes _rtt;
    TailLossProbe _probe;
    TimeoutTest _test;
    CwndUse _use;
    SequenceNumber? _timedOut;
    TraceTime _lastSend;
    SenderCounters _counters;
    long _limitedTransmit; // bytes sent beyond cwnd on duplicates since SND.UNA last moved (RFC 3042 §2)
    bool _isHolding; // the latest acknowledgment answered an original while retransmissions are out: new data alone is sent
    bool _mustRetransmit; // the first retransmission of a recovery goes out whatever cwnd says (RFC 6675 §5 (4.3), RFC 6298 (5.4), RFC 9937 §6.2)

    /// <summary>A connection that is established.</summary>
    /// <param name="traits">The stack.</param>
    /// <param name="smss">SMSS in bytes, at least 1.</param>
    /// <param name="firstByte">Sequence number of the first byte of data.</param>
    /// <param name="window">The receive window of the handshake in bytes.</param>
    /// <param name="synTimeouts">How often the SYN or SYN/ACK was sent again: it shortens the first window and lengthens the timeout.</param>
    public Sender(SenderTraits traits, int smss, SequenceNumber firstByte, int window, int synTimeouts = 0)
    {
        ArgumentNullException.ThrowIfNull(traits);
        _traits = traits;
        _smss = smss;
        _detector = new LossDetector(traits, smss);
        int initialWindow = InitialWindow.AfterHandshake(traits.InitialWindowSegments * smss, smss, synTimeouts, toleratedTimeouts: 1);
        _recovery = new Recovery(traits, smss, initialWindow);
        _test = new TimeoutTest(traits.Detection != LossDetection.NewReno);
        _use = new CwndUse(firstByte);
        _rtt.OnHandshakeDone(synTimeouts > 0);
        _send = new SendWindow(firstByte, window);
    }

    /// <summary>SND.UNA.</summary>
    public SequenceNumber SndUna => _send.Una;

    /// <summary>SND.NXT, the highest sent.</summary>
    public SequenceNumber SndNxt => _send.Nxt;

    /// <summary>cwnd in bytes.</summary>
    public long Cwnd => _recovery.Cwnd;

    /// <summary>ssthresh in bytes; the largest number before the first reduction.</summary>
    public long Ssthresh => _recovery.Ssthresh;

    /// <summary>Whether cwnd is below ssthresh.</summary>
    public bool InSlowStart => _recovery.InSlowStart;

    /// <summary>Why slow start was left without loss.</summary>
    public HyStartTrigger SlowStartExit => _recovery.ExitTrigger;

    /// <summary>What it repairs.</summary>
    public RecoveryPhase Phase => _recovery.Phase;

    /// <summary>SRTT in ns.</summary>
    public long SrttNanos => _rtt.SrttNanos;

    /// <summary>RTO in ns, backoff included.</summary>
    public long RtoNanos => _rtt.RtoNanos(_traits.Rto);

    /// <summary>min_RTT in ns.</summary>
    public long MinRttNanos => _detector.MinRttNanos;

    /// <summary>RACK.reo_wnd in ns, as it stands.</summary>
    public long ReoWndNanos => _detector.ReoWndNanos(SrttNanos, _recovery.IsOn, _board.SackedSegments);

    /// <summary>RACK.reo_wnd_mult.</summary>
    public int ReoWndMult => _detector.ReoWndMult;

    /// <summary>RACK.reordering_seen.</summary>
    public bool ReorderingSeen => _detector.ReorderingSeen;

    /// <summary>Bytes sent and not acknowledged.</summary>
    public long FlightBytes => _board.FlightBytes;

    /// <summary>Bytes thought to be in the network.</summary>
    public long PipeBytes => _board.PipeBytes;

    /// <summary>Bytes written and not sent yet.</summary>
    public int UnsentBytes => _send.Unsent;

    /// <summary>Bytes written and not acknowledged: what the send buffer holds.</summary>
    public int BufferedBytes => _send.Buffered;

    /// <summary>When <see cref="OnTimer"/> is due; <see cref="TraceTime.Latest"/> when no timer runs.</summary>
    public TraceTime NextTimer => _timers.Due;

    /// <summary>What kept the latest <see cref="TrySend"/> from sending.</summary>
    public SendHold HeldBy { get; private set; }

    /// <summary>The sample of the latest acknowledgment in ns; 0 when it gave none.</summary>
    public long LastRttNanos => _rtt.LatestNanos;

    /// <summary>Reductions by ECN echoes.</summary>
    public int EcnReductions => _recovery.EcnReductions;

    /// <summary>Expiries of the retransmission timer.</summary>
    public int Timeouts => _counters.Timeouts;

    /// <summary>RTTVAR in ns.</summary>
    internal long RttVarNanos => _rtt.RttVarNanos;

    /// <summary>RACK.reo_wnd_persist.</summary>
    internal int ReoWndPersist => _detector.ReoWndPersist;

    /// <summary>The timer that runs.</summary>
    internal TimerKind Timer => _timers.Kind;

    /// <summary>When the tail would be probed.</summary>
    internal TraceTime ProbeDue => _timers.Probe;

    /// <summary>What is outstanding.</summary>
    internal Scoreboard Board => _board;

    /// <summary>What marks losses.</summary>
    internal LossDetector Detector => _detector;

    /// <summary>What happened so far.</summary>
    public SenderCounts Count() => _counters.Count(_recovery);

    /// <summary>A round-trip sample of the handshake (RFC 6298 §2.2).</summary>
    public void OnHandshakeRtt(TraceTime now, long rttNanos) => TakeSample(now, rttNanos);

    /// <summary>The program wrote.</summary>
    /// <param name="bytes">How much.</param>
    public void OnWritten(int bytes) => _send.OnWritten(bytes);

    /// <summary>What may be sent now; call it until it returns false. What it returns counts as sent.</summary>
    /// <param name="now">The time.</param>
    /// <param name="tsVal">TSval it goes out with.</param>
    /// <param name="segment">The segment.</param>
    /// <returns>False when nothing may be sent: cwnd, the receive window or the program holds it.</returns>
    public bool TrySend(TraceTime now, uint tsVal, out OutgoingSegment segment)
    {
        HeldBy = SendHold.None;
        if (_recovery.IsOn && !_isHolding && _test.NewSegments == 0 && TryRetransmit(now, tsVal, out segment))
        {
            return true;
        }

        segment = default;
        int length = NextLength;
        bool isSilly = length < _smss && length < UnsentBytes && FlightBytes > 0; // RFC 9293 §3.8.6.2.1
        bool isHeldByNagle = _traits.HasNagle && length > 0 && length < _smss && length == UnsentBytes && FlightBytes > 0; // RFC 9293 §3.7.4
        if (length <= 0 || isSilly || isHeldByNagle)
        {
            HeldBy = UnsentBytes > 0 && !isHeldByNagle ? SendHold.ReceiveWindow : SendHold.Application;
            _timers.EnsurePersist(now, RtoNanos, isHeld: _board.Count == 0 && UnsentBytes > 0);
            return false;
        }

        RestartAfterIdle(now);
        if (!HasRoom(length))
        {
            _use.OnHeld();
            HeldBy = SendHold.CongestionWindow;
            return false;
        }

        segment = new OutgoingSegment(SndNxt, length, SegmentKind.New);
        _test.OnSent();
        SendNew(length, now, tsVal);
        return true;
    }

    /// <summary>Replay: another sender sent a segment, and this one would have had it outstanding too.</summary>
    /// <param name="seq">Its first byte.</param>
    /// <param name="length">Its bytes; what is longer than SMSS was offloaded and counts as segments sent at once.</param>
    /// <param name="now">When.</param>
    /// <param name="tsVal">Its TSval.</param>
    public void OnSegmentSent(SequenceNumber seq, int length, TraceTime now, uint tsVal)
    {
        SequenceNumber end = seq + length;
        if (seq < SndNxt)
        {
            SequenceNumber sentBefore = end < SndNxt ? end : SndNxt;
            Resend(seq, sentBefore, now, tsVal);
            seq = sentBefore;
        }

        while (seq < end)
        {
            int part = Math.Min(_smss, end - seq);
            RestartAfterIdle(now);
            SendNew(part, now, tsVal);
            seq += part;
        }

        if (FlightBytes + _smss > Cwnd)
        {
            _use.OnHeld();
        }
    }

    /// <summary>An acknowledgment arrived: RFC 8985 §6.2, RFC 6298 §5, RFC 9937 §6.2 and congestion control, in this order.</summary>
    /// <param name="ack">The acknowledgment.</param>
    public void OnAckReceived(in AckArrival ack)
    {
        bool hasAdvanced = ack.Una > SndUna;
        if (!_send.OnAckReceived(ack.Una, ack.Window, ack.BlockCount > 0))
        {
            return;
        }

        long flight = FlightBytes; // as it was when the echo or the probe was answered: an acknowledgment of all of it leaves none
        long delivered = Deliver(ack);
        SampleRtt(ack);
        ReadProbe(ack, hasAdvanced, flight);
        UndoWhatWasNeedless(ack, hasAdvanced);
        bool exitsRecovery = _recovery.IsOn && ack.Una >= _recovery.Point;
        bool mayGrow = _recovery.Phase != RecoveryPhase.Fast;
        _detector.OnAckReceived(_board.Delivered, ack, SndNxt, exitsRecovery);
        if (exitsRecovery)
        {
            EndRecovery();
        }

        mayGrow &= hasAdvanced || (_traits.GrowsOnSacks && ReorderingSeen && _board.Delivered.Length > 0);
        if (!mayGrow && LastRttNanos > 0)
        {
            _recovery.OnSampleAlone(new AckOfNewData(ack.Now, delivered, LastRttNanos, SrttNanos, SndUna, SndNxt));
        }

        DetectLosses(ack, delivered, hasAdvanced);
        _limitedTransmit = hasAdvanced ? 0 : _limitedTransmit;
        Grow(ack, delivered, flight, mayGrow && _recovery.Phase != RecoveryPhase.Fast);
        ArmTimers(ack.Now, hasAdvanced);
    }

    /// <summary>A timer expired.</summary>
    /// <param name="now">The time.</param>
    /// <param name="tsVal">TSval of what is sent.</param>
    /// <param name="segment">The probe that is sent at once, if there is one; other segments follow by <see cref="TrySend"/>.</param>
    /// <returns>Whether there is a probe.</returns>
    public bool OnTimer(TraceTime now, uint tsVal, out OutgoingSegment segment)
    {
        segment = default;
        switch (_timers.Kind)
        {
            case TimerKind.Probe:
                segment = SendProbe(now, tsVal);
                return true;
            case TimerKind.Persist:
                segment = ProbeWindow(now);
                return true;
            case TimerKind.Reordering:
                OnReorderingTimer(now);
                return false;
            case TimerKind.Rto:
                OnRto(now);
                return false;
            default:
                return false;
        }
    }

    int NextLength => _send.NextLength(_smss);

    // Whole segments only, and always one when nothing is in the network.
    bool HasRoom(int length) => _test.NewSegments > 0 || PipeBytes + length <= Cwnd || PipeBytes == 0;

    void RestartAfterIdle(TraceTime now)
    {
        if (FlightBytes == 0 && _counters.Segments > 0)
        {
            _recovery.OnIdle(now, now - _lastSend, RtoNanos);
        }
    }

    void SendNew(int length, TraceTime now, uint tsVal)
    {
        _timers.StopPersist();
        SequenceNumber seq = SndNxt;
        _limitedTransmit += !_recovery.IsOn && FlightBytes + length > Cwnd && PipeBytes < FlightBytes ? length : 0;
        _send.OnSent(length);
        _board.Append(new RackSegment { Seq = seq, EndSeq = SndNxt, XmitTime = now, Tsval = tsVal });
        AfterSend(length, now);
        ArmProbe(now); // RFC 8985 §7.2: again with each new segment
    }

    void AfterSend(int length, TraceTime now)
    {
        _lastSend = now;
        _counters.Segments++;
        _recovery.OnSent(length);
        _use.OnSent(SndUna, SndNxt, FlightBytes);
        _timers.EnsureRto(now, RtoNanos);
    }

    bool TryRetransmit(TraceTime now, uint tsVal, out OutgoingSegment segment)
    {
        segment = default;
        int index = _board.FirstLost();
        if (index < 0 || !(_mustRetransmit || HasRoom(_board[index].Bytes)))
        {
            return false;
        }

        _mustRetransmit = false;
        segment = new OutgoingSegment(_board[index].Rack.Seq, _board[index].Bytes, SegmentKind.Retransmission);
        Retransmit(index, now, tsVal);
        return true;
    }

    void Retransmit(int index, TraceTime now, uint tsVal)
    {
        RackSegment sent = _board[index].Rack;
        _board.OnRetransmitted(index, now, tsVal);
        _recovery.OnRetransmitted(new SackBlock(sent.Seq, sent.EndSeq), tsVal);
        _counters.Retransmissions++;
        AfterSend(sent.EndSeq - sent.Seq, now);
    }

    // What is sent again may be cut otherwise than it was at first: a segment counts that lies in it whole.
    void Resend(SequenceNumber seq, SequenceNumber end, TraceTime now, uint tsVal)
    {
        for (int i = _board.Find(seq); i < _board.Count && _board[i].Rack.EndSeq <= end; i++)
        {
            Retransmit(i, now, tsVal);
        }
    }

    long Deliver(in AckArrival ack)
    {
        if (ack.IsDsack)
        {
            _counters.Dsacks++;
            _recovery.OnDsack(ack[0]);
            LearnFromCopy(ack[0]);
        }

        return _board.Deliver(ack, _traits.Detection == LossDetection.NewReno ? _smss : 0);
    }

    // A copy of what had been SACKed: its original came late (Linux, tcp_sacktag_one).
    void LearnFromCopy(SackBlock copy)
    {
        int index = copy.Left >= SndUna ? _board.Find(copy.Left) : _board.Count;
        if (index < _board.Count && _board[index] is { IsSacked: true, Rack.IsRetransmitted: true } && copy.Left < _board.HighestSacked)
        {
            _detector.OnOriginalArrived();
        }
    }

    void SampleRtt(in AckArrival ack)
    {
        if (_rtt.TryRead(_board.Delivered, ack.Now))
        {
            TakeSample(ack.Now, LastRttNanos);
        }
    }

    void TakeSample(TraceTime now, long rttNanos)
    {
        _rtt.OnSample(rttNanos, FlightBytes, _smss);
        _detector.OnRttSample(now, rttNanos);
        _probe.OnRttSample();
    }

    void ReadProbe(in AckArrival ack, bool hasAdvanced, long flight)
    {
        TlpOutcome outcome = _probe.OnAckReceived(ack.Una, ack.IsDsack ? ack[0].Right : null, !hasAdvanced && ack.BlockCount == 0);
        if (outcome == TlpOutcome.RepairedLoss)
        {
            _recovery.OnProbeRepaired(flight);
        }
    }

    void UndoWhatWasNeedless(in AckArrival ack, bool hasAdvanced)
    {
        bool wasTimeoutSpurious = _test.ProvesSpurious(ack, hasAdvanced, _board.Delivered, NextLength > 0);
        bool echoesEarlier = hasAdvanced && _recovery.EchoesEarlier(ack);
        bool isPartial = _recovery.Phase == RecoveryPhase.Fast && ack.Una < _recovery.Point; // Linux, tcp_try_undo_partial
        _isHolding = echoesEarlier && isPartial && _board.HasRetransmissionsOut;
        if (wasTimeoutSpurious || echoesEarlier || _recovery.IsProvenNeedless(ack))
        {
            if (isPartial)
            {
                _detector.OnOriginalArrived(_board.Delivered is [var first, ..] ? SndUna - first.Seq : 0);
            }

            if (_isHolding)
            {
                return;
            }

            _recovery.Undo();
            _board.ForgetLosses();
            _detector.OnUndone();
            EndRecovery();
        }
    }

    void EndRecovery()
    {
        _recovery.End();
        _test.OnRecoveryEnd();
        _mustRetransmit = false;
    }

    void DetectLosses(in AckArrival ack, long delivered, bool hasAdvanced)
    {
        if (_recovery.IsOn && hasAdvanced)
        {
            _detector.OnPartialAck(_board);
        }

        bool hasLosses = !_isHolding && _detector.DetectOnAck(_board, ack.Now, SrttNanos, _recovery.IsOn);
        BeginRecovery(delivered);
        _recovery.OnAckInRecovery(delivered, PipeBytes, isSafe: hasAdvanced && !hasLosses);
    }

    // Also for what was marked in a recovery that has just ended, and was sent behind its recovery point.
    void BeginRecovery(long delivered)
    {
        if (_board.LostBytes > 0 && _recovery.OnLoss(_board, delivered, SndNxt, _limitedTransmit))
        {
            _mustRetransmit = true;
            _probe = default; // RFC 8985 §7.1
        }
    }

    void Grow(in AckArrival ack, long delivered, long flight, bool mayGrow)
    {
        bool isReduced = ack.HasEcnEcho && _recovery.OnEcnEcho(ack.Una, SndNxt, flight);
        if (!isReduced && mayGrow && delivered > 0)
        {
            _recovery.OnNewAck(new AckOfNewData(ack.Now, delivered, LastRttNanos, SrttNanos, SndUna, SndNxt), _use.IsLimited(InSlowStart, Cwnd));
        }
    }
}
