using System;
using System.Collections.Generic;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>
/// The state of recovery and what may be in the network in it: one reduction per window of data, PRR up to its end, slow start after a timeout, and the
/// undo of what proves needless, which may be known only after the end.
/// </summary>
/// <param name="traits">The stack.</param>
/// <param name="smss">SMSS in bytes.</param>
/// <param name="initialWindow">The initial window in bytes.</param>
sealed class Recovery(SenderTraits traits, int smss, long initialWindow)
{
    readonly List<SackBlock> _retransmitted = [];
    CongestionWindow _window = new(traits.Congestion, smss, initialWindow);
    CongestionWindow _saved;
    Prr _prr;
    DsackUndo _dsacks;
    SequenceNumber? _ecnRoundEnd;
    FirstRetransmission? _first;
    bool _canUndo;
    long _prrCwnd;

    /// <summary>What goes on.</summary>
    public RecoveryPhase Phase { get; private set; }

    /// <summary>SND.NXT when it began; valid in recovery.</summary>
    public SequenceNumber Point { get; private set; }

    /// <summary>Recoveries that proved needless and were undone.</summary>
    public int Undone { get; private set; }

    /// <summary>Fast recoveries begun.</summary>
    public int Recoveries { get; private set; }

    /// <summary>Reductions by ECN echoes.</summary>
    public int EcnReductions { get; private set; }

    /// <summary>Whether losses are repaired.</summary>
    public bool IsOn => Phase != RecoveryPhase.Open;

    /// <summary>cwnd, as PRR holds it in fast recovery.</summary>
    public long Cwnd => Phase == RecoveryPhase.Fast && traits.HasPrr ? _prrCwnd : _window.Cwnd;

    /// <summary>ssthresh.</summary>
    public long Ssthresh => _window.Ssthresh;

    /// <summary>Whether cwnd is below ssthresh.</summary>
    public bool InSlowStart => _window.InSlowStart;

    /// <summary>Why slow start was left without loss.</summary>
    public HyStartTrigger ExitTrigger => _window.ExitTrigger;

    /// <summary>cwnd then, bytes.</summary>
    public long ExitCwnd => _window.ExitCwnd;

    /// <summary>An acknowledgment of new data outside fast recovery.</summary>
    public void OnNewAck(in AckOfNewData ack, bool isCwndLimited) => _window.OnAckReceived(ack, isCwndLimited);

    /// <summary>An acknowledgment gave a round-trip sample, but the window does not grow with it: SACK blocks alone, or a recovery.</summary>
    public void OnSampleAlone(in AckOfNewData ack) => _window.OnSampleAlone(ack);

    /// <summary>Data is sent after an idle time.</summary>
    public void OnIdle(TraceTime now, long idleNanos, long rtoNanos)
    {
        _window.OnIdle(idleNanos, rtoNanos);
        _window.OnSendAfterIdle(now);
    }

    /// <summary>Loss was detected: fast recovery begins, unless a recovery is under way.</summary>
    /// <returns>Whether one began.</returns>
    public bool OnLoss(Scoreboard board, long newlyDelivered, SequenceNumber sndNxt, long limitedTransmit)
    {
        if (IsOn)
        {
            return false;
        }

        Begin(RecoveryPhase.Fast, sndNxt);
        Recoveries++;
        long recoverFs = Prr.ComputeRecoverFs(board.FlightBytes, board.SackedBytes + board.ArrivedBytes, newlyDelivered);
        _window.OnLoss(traits.ReducesFromCwnd ? _window.Cwnd : board.FlightBytes - limitedTransmit); // RFC 5681 §3.2 step 2
        _prr = new Prr(_window.Ssthresh, Math.Max(recoverFs, 1));
        _prrCwnd = board.PipeBytes;
        return true;
    }

    /// <summary>The retransmission timer expired.</summary>
    public void OnTimeout(long flightBytes, bool isRepeated, SequenceNumber sndNxt)
    {
        if (Phase != RecoveryPhase.Timeout)
        {
            Begin(RecoveryPhase.Timeout, sndNxt);
        }

        Point = sndNxt;
        _window.OnTimeout(traits.ReducesFromCwnd ? _window.Cwnd : flightBytes, isRepeated);
    }

    /// <summary>A tail loss probe repaired a loss: one reduction, and nothing left to repair (RFC 8985 §7.4.2).</summary>
    public void OnProbeRepaired(long flightBytes) => _window.OnLoss(traits.ReducesFromCwnd ? _window.Cwnd : flightBytes);

    /// <summary>An ECN echo: one reduction per window of data (RFC 3168 §6.1.2).</summary>
    /// <returns>Whether cwnd was reduced: the next segment carries CWR.</returns>
    public bool OnEcnEcho(SequenceNumber una, SequenceNumber sndNxt, long flightBytes)
    {
        if (IsOn || (_ecnRoundEnd is { } end && una < end))
        {
            return false;
        }

        _ecnRoundEnd = sndNxt;
        EcnReductions++;
        _window.OnEcnEcho(traits.ReducesFromCwnd ? _window.Cwnd : flightBytes);
        return true;
    }

    /// <summary>An acknowledgment arrived in fast recovery: PRR says how much may be sent (RFC 9937 §6.2).</summary>
    public void OnAckInRecovery(long delivered, long pipe, bool isSafe)
    {
        if (Phase == RecoveryPhase.Fast)
        {
            _prrCwnd = pipe + _prr.OnAckReceived(delivered, pipe, isSafe, smss);
        }
    }

    /// <summary>SND.UNA reached the recovery point: recovery ends with cwnd = ssthresh (RFC 9937 §6.4); after a timeout with what slow start has
    /// reached.</summary>
    public void End() => Phase = RecoveryPhase.Open;

    /// <summary>Data was sent in recovery.</summary>
    public void OnSent(long bytes)
    {
        if (Phase == RecoveryPhase.Fast)
        {
            _prr.OnSegmentSent(bytes);
        }
    }

    /// <summary>A segment was retransmitted.</summary>
    public void OnRetransmitted(SackBlock segment, uint tsVal)
    {
        if (!IsOn)
        {
            return; // a tail loss probe
        }

        _first ??= _retransmitted.Count == 0 ? new FirstRetransmission(segment.Right, tsVal) : null;
        _retransmitted.Add(segment);
        _dsacks.OnSegmentRetransmitted();
    }

    /// <summary>A DSACK arrived (RFC 3708 §3); it may come when the recovery is over.</summary>
    public void OnDsack(SackBlock block)
    {
        int reported = 0;
        for (int i = _retransmitted.Count - 1; i >= 0; i--)
        {
            if (_retransmitted[i].Left >= block.Left && _retransmitted[i].Right <= block.Right)
            {
                _retransmitted.RemoveAt(i);
                reported++;
            }
        }

        _dsacks.OnDsack(reported);
    }

    /// <summary>
    /// Whether the latest recovery is proven needless: each retransmission was reported as a duplicate (RFC 3708 §3), or the first acknowledgment that covers
    /// the first of them answers the original (Eifel, RFC 3522 §3.2).
    /// </summary>
    public bool IsProvenNeedless(in AckArrival ack) =>
        traits.Undoes && _canUndo && (_dsacks.IsSpurious || (!traits.UndoesByAnyEcho && AnswersOriginal(ack)));

    /// <summary>Whether an acknowledgment of new data echoes a time before the first retransmission, for a stack that needs to know no more.</summary>
    public bool EchoesEarlier(in AckArrival ack) => traits.Undoes && traits.UndoesByAnyEcho && _canUndo && IsOn && _first is { } first
        && ack.HasTimestamps && Eifel.IsSpurious(ack.TsEcr, first.TsVal);

    /// <summary>Undoes the reduction of the latest recovery, and ends it (RFC 4015, RFC 9438 §4.9).</summary>
    public void Undo()
    {
        _window.Undo(_saved);
        _canUndo = false;
        Undone++;
        End();
    }

    bool AnswersOriginal(in AckArrival ack)
    {
        if (!IsOn || _first is not { } first || ack.Una < first.End)
        {
            return false;
        }

        _first = null; // only the first acknowledgment proves anything
        return ack.HasTimestamps && Eifel.IsSpurious(ack.TsEcr, first.TsVal);
    }

    void Begin(RecoveryPhase phase, SequenceNumber sndNxt)
    {
        _saved = Phase == RecoveryPhase.Open ? _window : _saved;
        _canUndo = true;
        Phase = phase;
        Point = sndNxt;
        _dsacks = default;
        _first = null;
        _retransmitted.Clear();
    }

    readonly record struct FirstRetransmission(SequenceNumber End, uint TsVal);
}

/// <summary>What a sender repairs.</summary>
public enum RecoveryPhase
{
    /// <summary>Nothing.</summary>
    Open,

    /// <summary>Losses that acknowledgments showed: fast recovery.</summary>
    Fast,

    /// <summary>What was out when the retransmission timer expired.</summary>
    Timeout,
}
