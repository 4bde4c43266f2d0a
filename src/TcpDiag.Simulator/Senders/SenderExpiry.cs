using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

// The timers of a sender: when each is armed (RFC 6298 §5, RFC 8985 §6.2 step 5 and §7.2, RFC 9293 §3.8.6.1), and what it does when it expires.
partial class Sender
{
    const long MinTimeoutNanos = 2_000_000; // Linux, TCP_TIMEOUT_MIN_US

    void ArmTimers(TraceTime now, bool hasAdvanced)
    {
        if (_send.IsOpen)
        {
            _timers.StopPersist();
        }

        if (_board.Count == 0)
        {
            _timers.Stop();
            _timedOut = null;
            return;
        }

        if (hasAdvanced)
        {
            _timers.StartRto(now, RtoNanos);
            ArmProbe(now);
        }
        else if (!TailLossProbe.MayArm(_recovery.IsOn, _board.SackedSegments))
        {
            _timers.StopProbe();
        }

        if (_detector.HasLooked || hasAdvanced)
        {
            _timers.StartReordering(Due(now, _detector.HasLooked ? _detector.ReorderingTimeoutNanos : 0)); // Linux, tcp_set_xmit_timer takes its place
        }
    }

    void ArmProbe(TraceTime now)
    {
        bool mayArm = _traits.HasTailLossProbe && _probe.MaySend() && TailLossProbe.MayArm(_recovery.IsOn, _board.SackedSegments);
        _timers.StartProbe(now, mayArm, SrttNanos, _board.Count == 1, _traits.MaxAckDelayNanos);
    }

    OutgoingSegment ProbeWindow(TraceTime now)
    {
        _send.OnProbed();
        _counters.WindowProbes++;
        _timers.OnWindowProbe();
        _timers.StartPersist(now, RtoNanos);
        return new OutgoingSegment(SndNxt, 1, SegmentKind.WindowProbe);
    }

    // Nothing was acknowledged that PRR could answer, but what the timer shows to be lost is sent again (RFC 8985 §6.2 step 5).
    void OnReorderingTimer(TraceTime now)
    {
        _isHolding = false;
        bool hasLosses = _detector.Detect(_board, now, SrttNanos, _recovery.IsOn);
        BeginRecovery(delivered: 0);
        _mustRetransmit |= hasLosses;
        _timers.StopProbe();
        _timers.StartReordering(Due(now, _traits.TimerTickNanos == 0 ? _detector.ReorderingTimeoutNanos : 0)); // Linux, tcp_rack_reo_timeout: not again
    }

    // RFC 8985 §7.3: new data if there is some, else the segment with the highest sequence number.
    OutgoingSegment SendProbe(TraceTime now, uint tsVal)
    {
        int length = NextLength;
        int last = _board.Count - 1;
        OutgoingSegment segment = length > 0
            ? new OutgoingSegment(SndNxt, length, SegmentKind.NewProbe)
            : new OutgoingSegment(_board[last].Rack.Seq, _board[last].Bytes, SegmentKind.RetransmittedProbe);
        if (length > 0)
        {
            SendNew(length, now, tsVal);
        }
        else
        {
            Retransmit(last, now, tsVal);
        }

        _probe.OnProbeSent(SndNxt, segment.IsRetransmission);
        _counters.Probes++;
        _timers.StopProbe();
        _timers.StartRto(now, RtoNanos); // RFC 8985 §7.3
        return segment;
    }

    void OnRto(TraceTime now)
    {
        _counters.Timeouts++;
        bool isRepeated = _timedOut == SndUna;
        _timedOut = SndUna;
        _probe = default;
        _isHolding = false;
        _recovery.OnTimeout(FlightBytes, isRepeated, SndNxt);
        _board.ForgetArrived();
        _detector.MarkLossesOnTimeout(_board, now, SrttNanos);
        _mustRetransmit = true;
        if (_traits.Undoes)
        {
            _test.OnTimeout(SndUna, SndNxt, _board[0].Rack.EndSeq);
        }

        _rtt.OnTimeout();
        _timers.Stop();
        _timers.StartRto(now, RtoNanos);
    }

    // As Linux sets a timer that is due soon (tcp_rack_mark_lost, calc_index): with 2 ms in addition, in whole ticks of its clock, counted from the end
    // of the present one.
    TraceTime Due(TraceTime now, long nanos)
    {
        long tick = _traits.TimerTickNanos;
        if (nanos <= 0)
        {
            return TraceTime.Latest;
        }

        return tick == 0 ? now + nanos : new TraceTime((Ticks(now.Nanoseconds, tick) + Ticks(nanos + MinTimeoutNanos, tick)) * tick);
    }

    static long Ticks(long nanos, long tick) => (nanos + tick - 1) / tick;
}
