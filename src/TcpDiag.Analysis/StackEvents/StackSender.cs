using System;
using TcpDiag.Analysis.Flows;
using TcpDiag.Analysis.Limits;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// What limits this machine's sender of one connection, from its stack's events of segments sent and acknowledged. They
/// are judged as captured packets are (docs/limits.md), but the congestion window need not be estimated, and what the
/// application has posted tells a waiting sender from one that has nothing to send.
/// </summary>
sealed class StackSender
{
    const int UsualMss = 1460; // RFC 9293 §3.7.1 over Ethernet and IPv4: a larger send is cut into segments whose size no event tells

    LimitFlight _flight;
    long _posted = -1;
    long _sent;
    bool _hasTimerExpired;
    int _minCwnd = int.MaxValue;
    int _maxCwnd;
    int _samples;

    /// <summary>When payload was sent first; null before.</summary>
    public TraceTime? First { get; private set; }

    /// <summary>Takes in an event of the connection.</summary>
    /// <param name="told">The event.</param>
    public void OnEvent(StackEvent told)
    {
        _ = told.TryGet(StackField.Bytes, out long bytes);
        switch (told.Kind)
        {
            case StackEventKind.SendPosted when told.Tcb != 0: // AFD tells of the same data again, without one
                _posted = Math.Max(_posted, 0) + bytes;
                break;
            case StackEventKind.SegmentSent when bytes is > 0 and < int.MaxValue && told.TryGet(StackField.SeqNo, out long seq):
                OnSent(told, new(unchecked((uint)seq)), (int)bytes);
                break;
            case StackEventKind.AckReceived when First is not null && told.Has(StackField.SndWnd): // congestion controls tell of the same one again, without
                OnAcknowledged(told, (int)Math.Min(bytes, int.MaxValue));
                break;
            case StackEventKind.DuplicateAck when First is not null:
                OnAcknowledged(told, 0);
                break;
            case StackEventKind.RetransmissionTimeout:
                _hasTimerExpired = true;
                break;
            case StackEventKind.SackLimitReached when First is not null:
                _flight.Stale.AddKnown(told.Time);
                break;
        }
    }

    /// <summary>Sums up.</summary>
    /// <param name="activeTime">The active time, nanoseconds.</param>
    /// <returns>What limited the sender; null when it sent nothing.</returns>
    public LimitSummary? Summarise(long activeTime)
    {
        if (First is not { } first)
        {
            return null;
        }

        LimitFlight flight = _flight;
        LimitTimes times = SenderTimeline.Finish(ref flight, first + activeTime, activeTime);
        return new(times, Evidence.Events, flight.Samples);
    }

    /// <summary>The congestion window.</summary>
    /// <returns>Its range; null when no event told it.</returns>
    public CwndSummary? Cwnd() => _samples == 0 ? null : new(_maxCwnd, _minCwnd, Evidence.Events, _samples);

    void OnSent(StackEvent told, SequenceNumber seq, int bytes)
    {
        if (First is null)
        {
            Begin(told, seq);
        }

        _flight.Mss = Math.Max(_flight.Mss, Math.Min(bytes, UsualMss));
        Learn(told);
        var step = new LedgerStep
        {
            Time = told.Time,
            Start = seq,
            Length = bytes,
            Sent = seq < _flight.Max ? SentKind.Retransmission : SentKind.New,
            Trigger = _hasTimerExpired ? RetransmissionTrigger.Rto : RetransmissionTrigger.Fast,
        };
        if (step.Sent == SentKind.Retransmission)
        {
            SenderTimeline.OnResent(ref _flight, step);
            _hasTimerExpired = false;
        }
        else
        {
            SenderTimeline.OnNew(ref _flight, step, bytes);
            _flight.PeakCwnd = _flight.Cwnd;
            _sent += bytes;
        }

        _flight.Unsent = _posted < 0 ? -1 : Math.Max(_posted - _sent, 0);
    }

    void Begin(StackEvent told, SequenceNumber seq)
    {
        First = told.Time;
        _flight.Since = _flight.LastSend = _flight.LastEvent = _flight.Drained = told.Time;
        _flight.Una = seq;
        _flight.Max = seq;
        _flight.Unsent = -1;
    }

    void OnAcknowledged(StackEvent told, int bytes)
    {
        Learn(told);
        int acknowledged = Math.Min(bytes, _flight.InFlight);
        SequenceNumber una = _flight.Una + acknowledged;
        var arrived = new ArrivedAck
        {
            Time = told.Time,
            Una = una,
            Edge = una + WindowOf(told),
            HasEdge = told.Has(StackField.SndWnd),
            HasNews = told.Kind == StackEventKind.DuplicateAck,
        };
        if (acknowledged > 0)
        {
            SenderTimeline.OnNews(ref _flight, told.Time);
        }

        SenderTimeline.OnArrived(ref _flight, arrived);
    }

    static int WindowOf(StackEvent told) => told.TryGet(StackField.SndWnd, out long window) ? (int)Math.Clamp(window, 0, 1 << 30) : 0;

    void Learn(StackEvent told)
    {
        if (told.TryGet(StackField.Srtt, out long srtt) && srtt is > 0 and < int.MaxValue)
        {
            _flight.Rtt.OnSample(srtt * 1000);
        }

        if (told.TryGet(StackField.Cwnd, out long cwnd) && cwnd is > 0 and < int.MaxValue)
        {
            _flight.Cwnd = (int)cwnd;
            _minCwnd = Math.Min(_minCwnd, (int)cwnd);
            _maxCwnd = Math.Max(_maxCwnd, (int)cwnd);
            _samples++;
        }

        if (told.Kind == StackEventKind.SegmentSent && told.Has(StackField.SndWnd))
        {
            _flight.Window = WindowOf(told);
            _flight.Edge = _flight.Una + _flight.Window;
            _flight.Marks |= LimitMarks.EdgeKnown;
        }
    }
}
