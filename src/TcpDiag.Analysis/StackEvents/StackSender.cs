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
/// <param name="extras">Where it takes what few senders need.</param>
sealed class StackSender(SenderExtras extras)
{
    const long NanosecondsPerMicrosecond = 1000;

    SenderLimits _limits;
    SegmentSize _segment;
    long _unsent; // posted and not sent yet; negative where the events of sends come before those of their posting
    bool _isPostingReported;
    bool _hasTimerExpired;
    int _minCwnd = int.MaxValue;
    int _maxCwnd;
    int _samples;

    /// <summary>When payload was first sent; null before.</summary>
    public TraceTime? First { get; private set; }

    /// <summary>Payload sent for the first time, bytes.</summary>
    public long NewBytes { get; private set; }

    /// <summary>Segments sent again, by sequence number.</summary>
    public long Resent { get; private set; }

    /// <summary>The latest SRTT, nanoseconds; null before the first.</summary>
    public long? SrttNanos { get; private set; }

    /// <summary>The latest congestion window, bytes; null before the first.</summary>
    public int? CwndBytes { get; private set; }

    /// <summary>The latest receive window of the peer, bytes; null before the first.</summary>
    public int? SendWindowBytes { get; private set; }

    /// <summary>Sent and not acknowledged, bytes; null before anything was sent.</summary>
    public int? InFlightBytes => First is null ? null : Math.Max(_limits.InFlight, 0);

    /// <summary>The current loss recovery.</summary>
    public RecoveryState Recovery =>
        _limits.IsAfterTimeout ? RecoveryState.Timeout : _limits.IsRecovering ? RecoveryState.FastRecovery : RecoveryState.None;

    public void OnEvent(StackEvent stackEvent)
    {
        long bytes = EventCounts.BytesOf(stackEvent);
        switch (stackEvent.Kind)
        {
            case StackEventKind.SendPosted when stackEvent.Tcb != 0: // AFD logs the same data again, without a TCB
                _isPostingReported = true;
                _unsent += bytes;
                break;
            case StackEventKind.SegmentSent when bytes is > 0 and < int.MaxValue && stackEvent.TryGet(StackField.SeqNo, out long seq):
                OnSent(stackEvent, new(unchecked((uint)seq)), (int)bytes);
                break;
            // The congestion control logs it again, without a window.
            case StackEventKind.AckReceived when First is not null && stackEvent.Has(StackField.SndWnd):
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
        limits.Detach();
        LimitTimes times = limits.Finish(first + activeTime, activeTime);
        limits.Release();
        return new(times, Evidence.Events, limits.Samples);
    }

    /// <summary>What has limited the sender so far; the connection goes on.</summary>
    /// <param name="last">The latest send or acknowledgment: the active time ends there, unless the sender waits for something.</param>
    /// <param name="now">Up to when it has waited then; no event up to here is still to come.</param>
    public LimitTimes TimesUntil(TraceTime last, TraceTime now)
    {
        if (First is not { } first)
        {
            return default;
        }

        SenderLimits limits = _limits;
        limits.Detach();
        TraceTime end = now > last && limits.IsWaiting(now) ? now : last;
        LimitTimes times = limits.FinishOpen(end, Math.Max(end - first, 0));
        limits.Release();
        return times;
    }

    /// <summary>Gives back what it took from the pools; not to be used any more.</summary>
    public void Release()
    {
        if (First is not null)
        {
            _limits.Release();
        }
    }

    public CwndSummary? Cwnd() => _samples == 0 ? null : new(_maxCwnd, _minCwnd, Evidence.Events, _samples);

    void OnSent(StackEvent stackEvent, SequenceNumber seq, int bytes)
    {
        if (First is null)
        {
            Begin(stackEvent, seq);
        }

        _segment.Learn(bytes);
        _limits.OnReportedSize(_segment.Bytes);
        Learn(stackEvent);
        if (seq == _limits.SndMax && _limits.HasMissedAck(stackEvent.Time))
        {
            _limits.OnGap(seq, stackEvent.Time); // nothing is in flight any more
        }

        int sentBefore = Math.Clamp(_limits.SndMax - seq, 0, bytes);
        CountNew(seq + bytes - _limits.SndMax);
        var segment = new Segment
        {
            Time = stackEvent.Time,
            Start = seq,
            Length = bytes,
            Sent = new SendEffect
            {
                Kind = sentBefore > 0 ? SentKind.Retransmission : SentKind.New,
                Trigger = _hasTimerExpired ? RetransmissionTrigger.Rto : RetransmissionTrigger.Fast,
            },
        };
        if (sentBefore > 0)
        {
            Resent += _segment.Count(sentBefore);
            _limits.OnResent(segment);
            _hasTimerExpired = false;
        }
        else
        {
            _limits.OnNew(segment, bytes);
            _limits.OnReportedBurst();
        }

        _limits.OnReportedUnsent(_isPostingReported ? Math.Max(_unsent, 0) : -1);
    }

    // By sequence number: what a lost event was of has been sent too.
    void CountNew(int bytes)
    {
        NewBytes += Math.Max(bytes, 0);
        _unsent -= Math.Max(bytes, 0);
    }

    void Begin(StackEvent stackEvent, SequenceNumber seq)
    {
        First = stackEvent.Time;
        _limits.Begin(stackEvent.Time, seq, seq);
        _limits.BeginTimeline(packet: 0, extras);
        _hasTimerExpired = false; // the timer of a SYN
    }

    void OnAcknowledged(StackEvent stackEvent, int bytes)
    {
        Learn(stackEvent);
        int acknowledged = Math.Clamp(_limits.InFlight, 0, bytes);
        SequenceNumber una = _limits.SndUna + acknowledged;
        var arrived = new ArrivedAck
        {
            Time = stackEvent.Time,
            Una = una,
            Edge = una + SendWindowBytes.GetValueOrDefault(),
            HasEdge = stackEvent.Has(StackField.SndWnd),
            HasNews = stackEvent.Kind == StackEventKind.DuplicateAck,
        };
        if (acknowledged > 0)
        {
            _limits.OnNews(stackEvent.Time);
            _hasTimerExpired = false; // what is sent again from here on has another reason
            _unsent = Math.Max(_unsent, 0); // what is acknowledged has been posted: before its first event, or in one that was lost
        }

        _limits.OnArrived(arrived);
    }

    void Learn(StackEvent stackEvent)
    {
        if (stackEvent.TryGet(StackField.Srtt, out long srtt) && srtt is > 0 and < int.MaxValue)
        {
            SrttNanos = srtt * NanosecondsPerMicrosecond;
            _limits.OnRtt(SrttNanos.Value);
        }

        if (stackEvent.TryGet(StackField.Cwnd, out long cwnd) && cwnd is > 0 and < int.MaxValue)
        {
            CwndBytes = (int)cwnd;
            _limits.OnReportedCwnd((int)cwnd);
            _minCwnd = Math.Min(_minCwnd, (int)cwnd);
            _maxCwnd = Math.Max(_maxCwnd, (int)cwnd);
            _samples++;
        }

        if (stackEvent.TryGet(StackField.SndWnd, out long window))
        {
            SendWindowBytes = (int)Math.Clamp(window, 0, 1 << 30); // RFC 7323 §2.3
            if (stackEvent.Kind == StackEventKind.SegmentSent)
            {
                _limits.OnWindow(SendWindowBytes.Value);
            }
        }
    }
}
