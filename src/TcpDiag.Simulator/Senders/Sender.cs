using System;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Loss;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>
/// A reference sender: the algorithms of src/TcpDiag.Tcp put together as a stack does. It has no clock and no network. <b>Forward</b>, its caller asks what
/// to send (<see cref="TrySend"/>) and when it wants to be woken (<see cref="NextTimer"/>). In <b>replay</b>, the caller says what another sender sent
/// (<see cref="OnSegmentSent"/>) and reads what this one would have held true at that instant. Allocates nothing per segment once its scoreboard has grown.
/// </summary>
public sealed class Sender
{
    readonly SenderTraits _traits;
    readonly int _smss;
    readonly Scoreboard _board = new();
    readonly LossDetector _detector;
    readonly Recovery _recovery;
    RttEstimator _rtt;
    TailLossProbe _probe;
    Frto _frto;
    Timer _timer;
    TraceTime _lastSend;
    SequenceNumber _rightEdge;
    SequenceNumber _written;
    SequenceNumber? _timedOut;
    long _maxFlight;
    SequenceNumber _roundEnd;
    bool _wasCwndLimited;
    int _frtoNewSegments;
    SenderCounts _counts;

    /// <summary>A connection that is established.</summary>
    /// <param name="traits">The stack.</param>
    /// <param name="smss">SMSS in bytes, at least 1.</param>
    /// <param name="firstByte">Sequence number of the first byte of data.</param>
    /// <param name="window">The receive window of the handshake in bytes.</param>
    public Sender(SenderTraits traits, int smss, SequenceNumber firstByte, int window)
    {
        _traits = traits;
        _smss = smss;
        _detector = new LossDetector(traits, smss);
        _recovery = new Recovery(traits, smss, (long)traits.InitialWindowSegments * smss);
        SndUna = SndNxt = _written = _roundEnd = firstByte;
        _rightEdge = firstByte + window;
    }

    /// <summary>SND.UNA.</summary>
    public SequenceNumber SndUna { get; private set; }

    /// <summary>SND.NXT, the highest sent.</summary>
    public SequenceNumber SndNxt { get; private set; }

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

    /// <summary>RTO in ns.</summary>
    public long RtoNanos => _rtt.RtoNanos(_traits.Rto);

    /// <summary>min_RTT in ns.</summary>
    public long MinRttNanos => _detector.MinRttNanos;

    /// <summary>RACK.reo_wnd in ns, as it stands.</summary>
    public long ReoWndNanos => _detector.ReoWndNanos(SrttNanos, _recovery.IsOn, _board.SackedSegments);

    /// <summary>RACK.reo_wnd_mult.</summary>
    public int ReoWndMult => _detector.ReoWndMult;

    /// <summary>Bytes sent and not acknowledged.</summary>
    public long FlightBytes => _board.FlightBytes;

    /// <summary>Bytes thought to be in the network.</summary>
    public long PipeBytes => _board.PipeBytes;

    /// <summary>Bytes written and not sent yet.</summary>
    public int UnsentBytes => _written - SndNxt;

    /// <summary>Bytes written and not acknowledged: what the send buffer holds.</summary>
    public int BufferedBytes => _written - SndUna;

    /// <summary>What happened so far.</summary>
    public SenderCounts Counts => _counts with { Recoveries = _recovery.Recoveries, Undone = _recovery.Undone };

    /// <summary>When <see cref="OnTimer"/> is due; <see cref="TraceTime.Latest"/> when no timer runs.</summary>
    public TraceTime NextTimer => _timer.Kind == TimerKind.None ? TraceTime.Latest : _timer.Due;

    /// <summary>What kept the latest <see cref="TrySend"/> from sending.</summary>
    public SendHold HeldBy { get; private set; }

    /// <summary>The sample of the latest acknowledgment in ns; 0 when it gave none.</summary>
    public long LastRttNanos { get; private set; }

    /// <summary>A round-trip sample of the handshake (RFC 6298 §2.2).</summary>
    public void OnHandshakeRtt(TraceTime now, long rttNanos) => TakeSample(now, rttNanos);

    /// <summary>The program wrote.</summary>
    /// <param name="bytes">How much.</param>
    public void OnWritten(int bytes) => _written += bytes;

    /// <summary>What may be sent now; call it until it returns false. What it returns counts as sent.</summary>
    /// <param name="now">The time.</param>
    /// <param name="tsVal">TSval it goes out with.</param>
    /// <param name="segment">The segment.</param>
    /// <returns>False when nothing may be sent: cwnd, the receive window or the program holds it.</returns>
    public bool TrySend(TraceTime now, uint tsVal, out OutgoingSegment segment)
    {
        HeldBy = SendHold.None;
        if (_recovery.IsOn && _frtoNewSegments == 0 && TryRetransmit(now, tsVal, out segment))
        {
            return true;
        }

        int length = Math.Min(Math.Min(UnsentBytes, _smss), _rightEdge - SndNxt);
        if (length <= 0 || (length < _smss && length < UnsentBytes && FlightBytes > 0))
        {
            HeldBy = UnsentBytes > 0 ? SendHold.ReceiveWindow : SendHold.Application;
            segment = default; // sender's side of the silly window (RFC 9293 §3.8.6.2.1)
            return false;
        }

        RestartAfterIdle(now);
        if (!HasRoom(length))
        {
            _wasCwndLimited = true;
            HeldBy = SendHold.CongestionWindow;
            segment = default;
            return false;
        }

        segment = SendNew(length, now, tsVal);
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
        while (seq < end)
        {
            int part = Math.Min(_smss, end - seq);
            if (seq >= SndNxt)
            {
                RestartAfterIdle(now);
                SendNew(part, now, tsVal);
            }
            else
            {
                Resend(seq, now, tsVal);
            }

            seq += part;
        }

        _written = SndNxt > _written ? SndNxt : _written;
        _wasCwndLimited |= FlightBytes + _smss > Cwnd;
    }

    /// <summary>An acknowledgment arrived: RFC 8985 §6.2, RFC 6298 §5, RFC 9937 §6.2 and congestion control, in this order.</summary>
    /// <param name="ack">The acknowledgment.</param>
    public void OnAckReceived(in AckArrival ack)
    {
        if (ack.Una < SndUna || ack.Una > SndNxt)
        {
            return; // RFC 9293 §3.10.7.4: old, or of data never sent
        }

        if (ack.Una + ack.Window > _rightEdge)
        {
            _rightEdge = ack.Una + ack.Window;
        }

        bool hasAdvanced = ack.Una > SndUna;
        long delivered = Deliver(ack);
        SampleRtt(ack);
        ReadProbe(ack);
        UndoWhatWasNeedless(ack, hasAdvanced);
        TestTimeout(ack, hasAdvanced);
        bool exitsRecovery = _recovery.IsOn && ack.Una >= _recovery.Point;
        _detector.OnAckReceived(_board.Delivered, ack, SndNxt, exitsRecovery);
        if (exitsRecovery)
        {
            _recovery.End();
        }

        DetectLosses(ack, delivered, hasAdvanced);
        Grow(ack, delivered, hasAdvanced);
        if (hasAdvanced || _board.Count == 0)
        {
            RestartTimer(ack.Now);
        }

        ArmReordering(ack.Now);
    }

    /// <summary>A timer expired.</summary>
    /// <param name="now">The time.</param>
    /// <param name="tsVal">TSval of what is sent.</param>
    /// <param name="segment">The probe that is sent at once, if there is one; other segments follow by <see cref="TrySend"/>.</param>
    /// <returns>Whether there is a probe.</returns>
    public bool OnTimer(TraceTime now, uint tsVal, out OutgoingSegment segment)
    {
        TimerKind kind = _timer.Kind;
        _timer = default;
        segment = default;
        switch (kind)
        {
            case TimerKind.Reordering:
                bool hasLosses = _detector.Detect(_board, now, SrttNanos, _recovery.IsOn);
                if (hasLosses)
                {
                    _recovery.OnLoss(_board, newlyDelivered: 0, SndNxt);
                    _recovery.OnAckInRecovery(0, PipeBytes, isSafe: false);
                }

                StartRto(now);
                ArmReordering(now);
                return false;
            case TimerKind.Probe:
                bool hasProbe = TrySendProbe(now, tsVal, out segment);
                StartRto(now); // RFC 8985 §7.3
                return hasProbe;
            case TimerKind.Rto:
                OnRto(now);
                return false;
            default:
                return false;
        }
    }

    bool HasRoom(int length)
    {
        if (_frtoNewSegments > 0)
        {
            _frtoNewSegments--;
            return true;
        }

        // Whole segments only, and always one when nothing is in the network.
        return PipeBytes + length <= Cwnd || PipeBytes == 0;
    }

    void RestartAfterIdle(TraceTime now)
    {
        if (FlightBytes == 0 && _counts.Segments > 0)
        {
            _recovery.OnIdle(now - _lastSend, RtoNanos);
        }
    }

    OutgoingSegment SendNew(int length, TraceTime now, uint tsVal)
    {
        SequenceNumber seq = SndNxt;
        SndNxt += length;
        _board.Append(new RackSegment { Seq = seq, EndSeq = SndNxt, XmitTime = now, Tsval = tsVal });
        AfterSend(length, now);
        if (TailLossProbe.MayArm(_recovery.IsOn, _board.SackedSegments))
        {
            ArmProbeOrRto(now);
        }
        else if (_timer.Kind == TimerKind.None)
        {
            StartRto(now);
        }

        return new OutgoingSegment(seq, length, IsRetransmission: false, IsProbe: false);
    }

    void AfterSend(int length, TraceTime now)
    {
        _lastSend = now;
        _counts.Segments++;
        _recovery.OnSent(length);
        _maxFlight = Math.Max(_maxFlight, FlightBytes);
    }

    bool TryRetransmit(TraceTime now, uint tsVal, out OutgoingSegment segment)
    {
        segment = default;
        if (_board.LostBytes == 0)
        {
            return false;
        }

        for (int i = 0; i < _board.Count; i++)
        {
            if (_board[i].Rack.IsLost)
            {
                int length = _board[i].Bytes;
                if (!HasRoom(length))
                {
                    return false;
                }

                segment = Retransmit(i, now, tsVal);
                return true;
            }
        }

        return false;
    }

    OutgoingSegment Retransmit(int index, TraceTime now, uint tsVal)
    {
        RackSegment sent = _board[index].Rack;
        _board.OnRetransmitted(index, now, tsVal);
        _recovery.OnRetransmitted(new SackBlock(sent.Seq, sent.EndSeq), tsVal);
        _counts.Retransmissions++;
        AfterSend(sent.EndSeq - sent.Seq, now);
        if (_timer.Kind == TimerKind.None)
        {
            StartRto(now);
        }

        return new OutgoingSegment(sent.Seq, sent.EndSeq - sent.Seq, IsRetransmission: true, IsProbe: false);
    }

    void Resend(SequenceNumber seq, TraceTime now, uint tsVal)
    {
        int index = _board.Find(seq);
        if (index < _board.Count && _board[index].Rack.Seq == seq)
        {
            Retransmit(index, now, tsVal);
        }
    }

    long Deliver(in AckArrival ack)
    {
        _board.BeginAck();
        SndUna = ack.Una;
        long delivered = _board.AcknowledgeTo(ack.Una);
        foreach (SackBlock block in ack.NewsAscending(stackalloc SackBlock[AckArrival.MaxBlocks]))
        {
            delivered += _board.Sack(block);
        }

        if (ack.IsDsack)
        {
            _counts.Dsacks++;
            _recovery.OnDsack(ack[0]);
        }

        return delivered;
    }

    // Of what was newly delivered the segment sent last and never resent gives a sample (RFC 6298 §3).
    void SampleRtt(in AckArrival ack)
    {
        TraceTime newest = TraceTime.Earliest;
        foreach (ref readonly RackSegment segment in _board.Delivered)
        {
            newest = !segment.IsRetransmitted && segment.XmitTime > newest ? segment.XmitTime : newest;
        }

        LastRttNanos = newest > TraceTime.Earliest ? ack.Now - newest : 0;
        if (LastRttNanos > 0)
        {
            TakeSample(ack.Now, LastRttNanos);
        }
    }

    void TakeSample(TraceTime now, long rttNanos)
    {
        _rtt.OnSample(rttNanos, RttEstimator.ExpectedSamples(FlightBytes, _smss));
        _detector.OnRttSample(now, rttNanos);
        _probe.OnRttSample();
    }

    void ReadProbe(in AckArrival ack)
    {
        TlpOutcome outcome = _probe.OnAckReceived(ack.Una, ack.IsDsack ? ack[0].Right : null, ack.IsDuplicate && ack.BlockCount == 0);
        if (outcome == TlpOutcome.RepairedLoss)
        {
            _recovery.OnProbeRepaired(FlightBytes);
        }
    }

    void UndoWhatWasNeedless(in AckArrival ack, bool hasAdvanced)
    {
        if (_recovery.IsProvenNeedless(ack, hasAdvanced))
        {
            _recovery.Undo();
            _board.ForgetLosses();
            _frto = default;
            _frtoNewSegments = 0;
        }
    }

    // F-RTO with SACK (RFC 5682 §3.1).
    void TestTimeout(in AckArrival ack, bool hasAdvanced)
    {
        if (!_frto.IsTesting)
        {
            return;
        }

        bool deliversOriginal = false;
        SequenceNumber highest = ack.Una;
        foreach (ref readonly RackSegment segment in _board.Delivered)
        {
            deliversOriginal |= !segment.IsRetransmitted;
            highest = segment.EndSeq > highest ? segment.EndSeq : highest;
        }

        switch (_frto.OnSackReceived(ack.Una, !hasAdvanced, highest, deliversOriginal))
        {
            case FrtoVerdict.SendNewData:
                _frtoNewSegments = 2;
                break;
            case FrtoVerdict.Spurious:
                _frtoNewSegments = 0;
                _recovery.Undo();
                _board.ForgetLosses();
                break;
            case FrtoVerdict.Genuine:
                _frtoNewSegments = 0;
                _detector.MarkLossesOnTimeout(_board, ack.Now, SrttNanos);
                break;
            default:
                break;
        }
    }

    void DetectLosses(in AckArrival ack, long delivered, bool hasAdvanced)
    {
        if (_recovery.IsOn && hasAdvanced)
        {
            _detector.OnPartialAck(_board);
        }

        bool hasLosses = _detector.Detect(_board, ack.Now, SrttNanos, _recovery.IsOn);
        if (hasLosses)
        {
            if (!_recovery.IsOn)
            {
                _probe = default; // RFC 8985 §7.1
            }

            _recovery.OnLoss(_board, delivered, SndNxt);
        }

        _recovery.OnAckInRecovery(delivered, PipeBytes, isSafe: hasAdvanced && !hasLosses);
    }

    void Grow(in AckArrival ack, long delivered, bool hasAdvanced)
    {
        if (ack.HasEcnEcho && _recovery.OnEcnEcho(ack.Una, SndNxt, FlightBytes))
        {
            _counts.EcnReductions++;
        }
        else if (hasAdvanced && delivered > 0 && _recovery.Phase != RecoveryPhase.Fast)
        {
            _recovery.OnNewAck(new AckOfNewData(ack.Now, delivered, LastRttNanos, SrttNanos, SndUna, SndNxt), IsCwndLimited);
        }

        if (ack.Una >= _roundEnd)
        {
            _roundEnd = SndNxt;
            _maxFlight = FlightBytes;
            _wasCwndLimited = false;
        }
    }

    // RFC 9438 §5.8; in slow start half of cwnd in flight is enough, since acknowledgments free as much again (RFC 7661 §4.4 counts pipeACK like that).
    bool IsCwndLimited => _wasCwndLimited || (InSlowStart && Cwnd < 2 * _maxFlight);

    void RestartTimer(TraceTime now)
    {
        _timer = default;
        if (_board.Count == 0)
        {
            _timedOut = null;
            return;
        }

        if (TailLossProbe.MayArm(_recovery.IsOn, _board.SackedSegments))
        {
            ArmProbeOrRto(now);
        }
        else
        {
            StartRto(now);
        }
    }

    void ArmProbeOrRto(TraceTime now)
    {
        if (!_traits.HasTailLossProbe || !_probe.MaySend())
        {
            StartRto(now);
            return;
        }

        long pto = TailLossProbe.PtoNanos(SrttNanos, _board.Count == 1, _traits.MaxAckDelayNanos, RtoNanos);
        _timer = pto < RtoNanos ? new Timer(TimerKind.Probe, now + pto) : new Timer(TimerKind.Rto, now + RtoNanos);
    }

    void StartRto(TraceTime now) => _timer = _board.Count > 0 ? new Timer(TimerKind.Rto, now + RtoNanos) : default;

    void ArmReordering(TraceTime now)
    {
        if (_detector.ReorderingTimeoutNanos > 0)
        {
            _timer = new Timer(TimerKind.Reordering, now + _detector.ReorderingTimeoutNanos);
        }
    }

    // RFC 8985 §7.3: new data if there is some, else the segment with the highest sequence number.
    bool TrySendProbe(TraceTime now, uint tsVal, out OutgoingSegment segment)
    {
        segment = default;
        if (!_probe.MaySend() || _board.Count == 0)
        {
            return false;
        }

        int length = Math.Min(Math.Min(UnsentBytes, _smss), _rightEdge - SndNxt);
        OutgoingSegment sent = length > 0 ? SendNew(length, now, tsVal) : Retransmit(_board.Count - 1, now, tsVal);
        _probe.OnProbeSent(SndNxt, sent.IsRetransmission);
        _counts.Probes++;
        segment = sent with { IsProbe = true };
        return true;
    }

    void OnRto(TraceTime now)
    {
        if (_board.Count == 0)
        {
            return;
        }

        _counts.Timeouts++;
        bool isRepeated = _timedOut == SndUna;
        _timedOut = SndUna;
        _probe = default;
        _recovery.OnTimeout(FlightBytes, isRepeated, SndNxt);
        _detector.MarkLossesOnTimeout(_board, now, SrttNanos);
        _frtoNewSegments = 0;
        if (_traits.Undoes)
        {
            _frto.OnTimeout(SndUna, SndNxt, _board[0].Rack.EndSeq);
        }

        _rtt.OnTimeout();
        StartRto(now);
    }

    enum TimerKind
    {
        None,
        Rto,
        Probe,
        Reordering,
    }

    // One timer at a time (RFC 8985 §8).
    readonly record struct Timer(TimerKind Kind, TraceTime Due);
}

/// <summary>What keeps a sender from sending.</summary>
public enum SendHold
{
    /// <summary>Nothing: it sent.</summary>
    None,

    /// <summary>All that was written is sent.</summary>
    Application,

    /// <summary>cwnd.</summary>
    CongestionWindow,

    /// <summary>The receive window.</summary>
    ReceiveWindow,
}

/// <summary>A segment a sender sends.</summary>
/// <param name="Seq">Its first byte.</param>
/// <param name="Length">Its bytes, at least 1.</param>
/// <param name="IsRetransmission">Whether it was sent before.</param>
/// <param name="IsProbe">Whether a tail loss probe.</param>
public readonly record struct OutgoingSegment(SequenceNumber Seq, int Length, bool IsRetransmission, bool IsProbe);

/// <summary>What happened to a sender so far.</summary>
/// <param name="Segments">Segments sent.</param>
/// <param name="Retransmissions">Of these, sent before.</param>
/// <param name="Probes">Tail loss probes.</param>
/// <param name="Timeouts">Expiries of the retransmission timer.</param>
/// <param name="Recoveries">Fast recoveries.</param>
/// <param name="Undone">Recoveries that proved needless.</param>
/// <param name="Dsacks">DSACKs received.</param>
/// <param name="EcnReductions">Reductions by ECN echoes.</param>
public record struct SenderCounts(
    long Segments, long Retransmissions, int Probes, int Timeouts, int Recoveries, int Undone, int Dsacks, int EcnReductions);
