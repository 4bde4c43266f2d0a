using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Congestion;

/// <summary>
/// The congestion window of a sender: slow start and how it ends, congestion avoidance, reductions and their undo, by the algorithms of its stack. It
/// decides nothing about losses: the caller reports one event per window of data, and holds what is sent in recovery to <see cref="Prr"/>. The value is
/// its own undo record. All amounts are bytes.
/// </summary>
public struct CongestionWindow
{
    readonly CongestionTraits _traits;
    readonly int _smss;
    readonly long _initialWindow;
    Cubic _cubic;
    Reno _reno;
    HyStart _hyStart;
    LimitedSlowStart _limited;
    LinuxHyStart _linux;
    bool _hasLeftSlowStart; // the delay tests are for the first slow start only (RFC 9406 §4.3)
    bool _hasLeftByDelay;

    /// <summary>A connection in slow start.</summary>
    /// <param name="traits">The stack's algorithms.</param>
    /// <param name="smss">SMSS, at least 1.</param>
    /// <param name="initialWindow">The initial window (<see cref="InitialWindow"/>).</param>
    public CongestionWindow(CongestionTraits traits, int smss, long initialWindow)
    {
        _traits = traits;
        _smss = smss;
        _initialWindow = initialWindow;
        _linux = new LinuxHyStart(traits.Exit is SlowStartExit.LinuxLateHyStart);
        _cubic = new Cubic((double)initialWindow / smss, traits.Increment);
        _reno = new Reno(initialWindow, smss);
    }

    /// <summary>cwnd.</summary>
    public readonly long Cwnd => IsCubic ? (long)(_cubic.CwndSegments * _smss) : _reno.Cwnd;

    /// <summary>ssthresh; the largest number before the first reduction.</summary>
    public readonly long Ssthresh =>
        !IsCubic ? _reno.Ssthresh : double.IsPositiveInfinity(_cubic.SsthreshSegments) ? long.MaxValue : (long)(_cubic.SsthreshSegments * _smss);

    /// <summary>Whether cwnd is below ssthresh.</summary>
    public readonly bool InSlowStart => IsCubic ? _cubic.InSlowStart : _reno.InSlowStart;

    /// <summary>Why slow start was left without loss; None while it was not, or where the stack has no such test.</summary>
    public readonly HyStartTrigger ExitTrigger => _traits.Exit switch
    {
        SlowStartExit.LinuxHyStart or SlowStartExit.LinuxLateHyStart => _linux.Trigger,
        SlowStartExit.HyStartPlusPlus when _hasLeftByDelay => HyStartTrigger.Delay,
        SlowStartExit.LimitedSlowStart when _limited.IsLimited => HyStartTrigger.Delay,
        _ => HyStartTrigger.None,
    };

    /// <summary>cwnd when <see cref="ExitTrigger"/> fired, bytes; 0 before that, and 0 where growth was only limited.</summary>
    public long ExitCwnd { get; private set; }

    readonly bool IsLinux => _traits.Exit is SlowStartExit.LinuxHyStart or SlowStartExit.LinuxLateHyStart;

    readonly bool IsCubic => _traits.Algorithm == CongestionAlgorithm.Cubic;

    /// <summary>An acknowledgment of new data outside recovery.</summary>
    /// <param name="ack">What it says.</param>
    /// <param name="isCwndLimited">Whether cwnd limits the sender; it does not grow otherwise.</param>
    public void OnAckReceived(in AckOfNewData ack, bool isCwndLimited)
    {
        if (IsLinux)
        {
            TestDelay(ack); // before cwnd grows: pkts_acked comes before cong_avoid; RFC 9406 §4.2 has it the other way round
        }

        if (InSlowStart)
        {
            OnSlowStartAck(ack, isCwndLimited);
        }
        else if (IsCubic)
        {
            _cubic.OnAvoidanceAck(ack.Now, (double)ack.AckedBytes / _smss, ack.SrttNanos, isCwndLimited);
        }
        else
        {
            _reno.OnAvoidanceAck(ack.AckedBytes, isCwndLimited);
        }
    }

    /// <summary>
    /// An acknowledgment gave a round-trip sample, but the window does not grow with it: SACK blocks alone, or a recovery. Linux's HyStart takes it in
    /// (tcp_clean_rtx_queue hands every sample to the algorithm, before losses are looked for): a packet that overtakes others lowers its smallest one.
    /// </summary>
    /// <param name="ack">The acknowledgment.</param>
    public void OnSampleAlone(in AckOfNewData ack)
    {
        if (!IsLinux)
        {
            return;
        }

        if (InSlowStart)
        {
            TestDelay(ack);
        }
        else
        {
            _linux.OnAckReceived(ack.Now, ack.SndUna, ack.SndNxt, ack.RttNanos, cwndSegments: 0, _traits.IsPaced);
        }
    }

    /// <summary>Loss was detected: once per window of data (RFC 5681 §3.2, RFC 9438 §4.6). cwnd becomes ssthresh.</summary>
    /// <param name="flightBytes">FlightSize; Linux takes cwnd.</param>
    public void OnLoss(long flightBytes)
    {
        EndSlowStart();
        if (IsCubic)
        {
            _cubic.OnLoss((double)flightBytes / _smss);
        }
        else
        {
            _reno.OnLoss(flightBytes, duplicateAcks: 0);
        }
    }

    /// <summary>An ECN echo arrived: once per window of data (RFC 3168 §6.1.2, RFC 9438 §4.6).</summary>
    /// <param name="flightBytes">FlightSize; Linux takes cwnd.</param>
    public void OnEcnEcho(long flightBytes)
    {
        EndSlowStart();
        if (IsCubic)
        {
            _cubic.OnEcnEcho((double)flightBytes / _smss);
        }
        else
        {
            _reno.OnLoss(flightBytes, duplicateAcks: 0);
        }
    }

    /// <summary>The retransmission timer expired: one segment (RFC 5681 §3.1, RFC 9438 §4.8).</summary>
    /// <param name="flightBytes">FlightSize; Linux takes cwnd.</param>
    /// <param name="isRepeated">Whether it had expired for the same segment before; ssthresh then stays.</param>
    public void OnTimeout(long flightBytes, bool isRepeated)
    {
        EndSlowStart();
        if (IsCubic)
        {
            _cubic.OnTimeout((double)flightBytes / _smss, isRepeated);
        }
        else
        {
            _reno.OnTimeout(flightBytes, isRepeated);
        }
    }

    /// <summary>Data is sent after an idle time (RFC 5681 §4.1), by a stack that restarts then.</summary>
    /// <param name="idleNanos">Time since the last segment was sent in ns.</param>
    /// <param name="rtoNanos">RTO in ns.</param>
    public void OnIdle(long idleNanos, long rtoNanos)
    {
        long restart = IdleRestart.Cwnd(Cwnd, _initialWindow, idleNanos, rtoNanos);
        if (!_traits.RestartsAfterIdle || restart >= Cwnd)
        {
            return;
        }

        if (IsCubic)
        {
            _cubic.OnIdle((double)restart / _smss);
        }
        else
        {
            _reno.OnIdle(restart);
        }
    }

    /// <summary>Data is sent when nothing was outstanding: CUBIC's clock stood still meanwhile (RFC 9438 §4.2, §5.8).</summary>
    /// <param name="now">When.</param>
    public void OnSendAfterIdle(TraceTime now) => _cubic.OnSendAfterIdle(now);

    /// <summary>Undoes a reduction that proved unnecessary (RFC 9438 §4.9, RFC 4015 §3), unless cwnd is past the saved one already.</summary>
    /// <param name="saved">A copy from before the reduction.</param>
    public void Undo(in CongestionWindow saved)
    {
        if (IsCubic)
        {
            _cubic.Undo(saved._cubic);
        }
        else if (Cwnd <= saved.Cwnd)
        {
            _reno = saved._reno;
        }

        if (InSlowStart)
        {
            (_hasLeftSlowStart, _hasLeftByDelay) = (saved._hasLeftSlowStart, saved._hasLeftByDelay); // the first slow start goes on
            _hyStart = saved._hyStart;
        }
    }

    void OnSlowStartAck(in AckOfNewData ack, bool isCwndLimited)
    {
        long growth = Growth(ack);
        if (IsCubic)
        {
            _cubic.OnSlowStartAck((double)growth / _smss, isCwndLimited);
        }
        else
        {
            _reno.OnSlowStartAck(growth, isCwndLimited);
        }

        if (!IsLinux)
        {
            TestDelay(ack);
        }
    }

    // How far slow start grows: every byte acknowledged as far as L segments go (RFC 3465 §2.2, RFC 9406 §4.2).
    readonly long Growth(in AckOfNewData ack)
    {
        int l = _traits.SlowStartLimitSegments;
        long plain = Math.Min(ack.AckedBytes, (long)l * _smss);
        return (_hasLeftSlowStart, _traits.Exit) switch
        {
            (false, SlowStartExit.HyStartPlusPlus) => _hyStart.Growth(ack.AckedBytes, _smss, l),
            (false, SlowStartExit.LimitedSlowStart) => _limited.Growth(ack.AckedBytes, Math.Max(Cwnd, 1), _smss, l),
            _ => plain,
        };
    }

    void TestDelay(in AckOfNewData ack)
    {
        if (InSlowStart && !_hasLeftSlowStart && MustLeave(ack))
        {
            ExitCwnd = Cwnd;
            EndSlowStart();
            LeaveSlowStart();
            _hasLeftByDelay = true;
        }
    }

    bool MustLeave(in AckOfNewData ack)
    {
        switch (_traits.Exit)
        {
            case SlowStartExit.HyStartPlusPlus:
                _hyStart.OnAckReceived(ack.SndUna, ack.SndNxt, ack.RttNanos);
                return _hyStart.Phase == HyStartPhase.Done;
            case SlowStartExit.LimitedSlowStart:
                _limited.OnAckReceived(ack.SndUna, ack.SndNxt, ack.RttNanos, Cwnd, _smss);
                return false; // it only grows slower from then on
            case SlowStartExit.LinuxHyStart:
            case SlowStartExit.LinuxLateHyStart:
                _linux.OnAckReceived(ack.Now, ack.SndUna, ack.SndNxt, ack.RttNanos, (double)Cwnd / _smss, _traits.IsPaced);
                return _linux.Trigger != HyStartTrigger.None;
            default:
                return false;
        }
    }

    void LeaveSlowStart()
    {
        if (IsCubic)
        {
            _cubic.OnSlowStartExit();
        }
        else
        {
            _reno.OnSlowStartExit();
        }
    }

    void EndSlowStart()
    {
        _hasLeftSlowStart = true;
        _hyStart.OnCongestion();
    }
}

/// <summary>An acknowledgment of new data, as congestion control sees it.</summary>
/// <param name="Now">When it arrived.</param>
/// <param name="AckedBytes">Bytes newly acknowledged, at least 1.</param>
/// <param name="RttNanos">Its round-trip sample in ns; 0 when it gave none.</param>
/// <param name="SrttNanos">SRTT in ns.</param>
/// <param name="SndUna">SND.UNA after it.</param>
/// <param name="SndNxt">SND.NXT.</param>
public readonly record struct AckOfNewData(
    TraceTime Now, long AckedBytes, long RttNanos, long SrttNanos, SequenceNumber SndUna, SequenceNumber SndNxt);

/// <summary>The algorithms of a stack's congestion control.</summary>
public sealed record CongestionTraits
{
    /// <summary>CUBIC with HyStart++, as the RFCs have them.</summary>
    public static readonly CongestionTraits Rfc = new();

    /// <summary>Linux's default: CUBIC, counting segments, with HyStart.</summary>
    public static readonly CongestionTraits Linux = new()
    {
        Increment = CubicIncrement.PerSegment,
        Exit = SlowStartExit.LinuxHyStart,
        SlowStartLimitSegments = int.MaxValue, // every segment acknowledged
        RestartsAfterIdle = true,
    };

    /// <summary>What congestion avoidance and reductions follow.</summary>
    public CongestionAlgorithm Algorithm { get; init; } = CongestionAlgorithm.Cubic;

    /// <summary>How CUBIC's increment is applied.</summary>
    public CubicIncrement Increment { get; init; }

    /// <summary>What ends the first slow start besides loss.</summary>
    public SlowStartExit Exit { get; init; } = SlowStartExit.HyStartPlusPlus;

    /// <summary>L (RFC 3465 §2.2, RFC 9406 §4.3): segments by which cwnd grows per acknowledgment in slow start at most.</summary>
    public int SlowStartLimitSegments { get; init; } = HyStart.LWithoutPacing;

    /// <summary>Whether cwnd falls back after an idle time (RFC 5681 §4.1).</summary>
    public bool RestartsAfterIdle { get; init; }

    /// <summary>Whether the sender spreads its segments over the round trip.</summary>
    public bool IsPaced { get; init; }
}

/// <summary>What congestion avoidance and reductions follow.</summary>
public enum CongestionAlgorithm
{
    /// <summary>RFC 9438.</summary>
    Cubic,

    /// <summary>RFC 5681.</summary>
    Reno,
}

/// <summary>What ends the first slow start besides loss.</summary>
public enum SlowStartExit
{
    /// <summary>HyStart++ (RFC 9406).</summary>
    HyStartPlusPlus,

    /// <summary>Limited slow start of its drafts.</summary>
    LimitedSlowStart,

    /// <summary>HyStart as Linux has it.</summary>
    LinuxHyStart,

    /// <summary>The same as Linux 5.16 to 6.13 have it: its rounds begin at 16 segments.</summary>
    LinuxLateHyStart,

    /// <summary>Nothing.</summary>
    LossOnly,
}
