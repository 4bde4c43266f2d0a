using System;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// What limits this machine's sender of one connection, from its stack's events of segments sent and acknowledged. They are judged as captured packets
/// are (docs/limits.md), but the congestion window need not be estimated, and what the application has posted shows whether there is anything to send.
/// </summary>
sealed class StackSender
{
    const int UsualMss = 1460; // RFC 9293 §3.7.1 over Ethernet and IPv4: a larger send is cut into segments whose size no event has

    SenderLimits _limits;
    long _posted = -1;
    long _sent;
    bool _hasTimerExpired;
    int _minCwnd = int.MaxValue;
    int _maxCwnd;
    int _samples;

    /// <summary>When payload was first sent; null before.</summary>
    public TraceTime? First { get; private set; }

    public void OnEvent(StackEvent stackEvent)
    {
        _ = stackEvent.TryGet(StackField.Bytes, out long bytes);
        switch (stackEvent.Kind)
        {
            case StackEventKind.SendPosted when stackEvent.Tcb != 0: // AFD logs the same data again, without a TCB
                _posted = Math.Max(_posted, 0) + bytes;
                break;
            case StackEventKind.SegmentSent when bytes is > 0 and < int.MaxValue && stackEvent.TryGet(StackField.SeqNo, out long seq):
                OnSent(stackEvent, new(unchecked((uint)seq)), (int)bytes);
                break;
            case StackEventKind.AckReceived when First is not null && stackEvent.Has(StackField.SndWnd): // logged again by the congestion control, without a window
                OnAcknowledged(stackEvent, (int)Math.Min(bytes, int.MaxValue));
                break;
            case StackEventKind.DuplicateAck when First is not null:
                OnAcknowledged(stackEvent, 0);
                break;
            case StackEventKind.RetransmissionTimeout:
                _hasTimerExpired = true;
                break;
            case StackEventKind.SackLimitReached when First is not null:
                _limits.OnSackLimit(stackEvent.Time);
                break;
        }
    }

    /// <summary>What limited the sender in its active time, nanoseconds; null when it sent nothing.</summary>
    public LimitSummary? Summarise(long activeTime)
    {
        if (First is not { } first)
        {
            return null;
        }

        SenderLimits limits = _limits;
        LimitTimes times = limits.Finish(first + activeTime, activeTime);
        return new(times, Evidence.Events, limits.Samples);
    }

    public CwndSummary? Cwnd() => _samples == 0 ? null : new(_maxCwnd, _minCwnd, Evidence.Events, _samples);

    void OnSent(StackEvent stackEvent, SequenceNumber seq, int bytes)
    {
        if (First is null)
        {
            Begin(stackEvent, seq);
        }

        _limits.OnReportedSize(Math.Min(bytes, UsualMss));
        Learn(stackEvent);
        var segment = new Segment
        {
            Time = stackEvent.Time,
            Start = seq,
            Length = bytes,
            Sent = new SendEffect
            {
                Kind = seq < _limits.SndMax ? SentKind.Retransmission : SentKind.New,
                Trigger = _hasTimerExpired ? RetransmissionTrigger.Rto : RetransmissionTrigger.Fast,
            },
        };
        if (segment.Sent.Kind == SentKind.Retransmission)
        {
            _limits.OnResent(segment);
            _hasTimerExpired = false;
        }
        else
        {
            _limits.OnNew(segment, bytes);
            _limits.OnReportedBurst();
            _sent += bytes;
        }

        _limits.OnReportedUnsent(_posted < 0 ? -1 : Math.Max(_posted - _sent, 0));
    }

    void Begin(StackEvent stackEvent, SequenceNumber seq)
    {
        First = stackEvent.Time;
        _limits.Begin(stackEvent.Time, seq, seq);
    }

    void OnAcknowledged(StackEvent stackEvent, int bytes)
    {
        Learn(stackEvent);
        int acknowledged = Math.Min(bytes, _limits.InFlight);
        SequenceNumber una = _limits.SndUna + acknowledged;
        var arrived = new ArrivedAck
        {
            Time = stackEvent.Time,
            Una = una,
            Edge = una + WindowOf(stackEvent),
            HasEdge = stackEvent.Has(StackField.SndWnd),
            HasNews = stackEvent.Kind == StackEventKind.DuplicateAck,
        };
        if (acknowledged > 0)
        {
            _limits.OnNews(stackEvent.Time);
        }

        _limits.OnArrived(arrived);
    }

    static int WindowOf(StackEvent stackEvent) => stackEvent.TryGet(StackField.SndWnd, out long window) ? (int)Math.Clamp(window, 0, 1 << 30) : 0;

    void Learn(StackEvent stackEvent)
    {
        if (stackEvent.TryGet(StackField.Srtt, out long srtt) && srtt is > 0 and < int.MaxValue)
        {
            _limits.OnRtt(srtt * 1000);
        }

        if (stackEvent.TryGet(StackField.Cwnd, out long cwnd) && cwnd is > 0 and < int.MaxValue)
        {
            _limits.OnReportedCwnd((int)cwnd);
            _minCwnd = Math.Min(_minCwnd, (int)cwnd);
            _maxCwnd = Math.Max(_maxCwnd, (int)cwnd);
            _samples++;
        }

        if (stackEvent.Kind == StackEventKind.SegmentSent && stackEvent.Has(StackField.SndWnd))
        {
            _limits.OnWindow(WindowOf(stackEvent));
        }
    }
}
