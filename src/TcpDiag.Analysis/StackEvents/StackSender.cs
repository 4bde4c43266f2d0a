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
    const int MaxWindow = 1 << 30; // RFC 7323 §2.3

    SenderLimits _limits;
    SegmentSize _segment;
    AcknowledgedNumber _acknowledged;
    TraceTime _judgedFrom; // where what was in flight became known, of a connection that was open before its first event
    long _unsent; // posted and not sent yet; negative where the events of sends come before those of their posting
    bool _isPostingReported;
    bool _hasTimerExpired;
    int _minCwnd = int.MaxValue;
    int _maxCwnd;
    int _samples;

    /// <summary>When payload was first sent; null before.</summary>
    public TraceTime? First { get; private set; }

    /// <summary>Whether it had data in flight before its first event: what was posted by then is not known.</summary>
    public bool IsLate => First < _judgedFrom;

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

    /// <summary>The largest of them, bytes; null before the first.</summary>
    public int? MaxSendWindowBytes { get; private set; }

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
        long unjudged = long.Min(_judgedFrom - first, activeTime);
        LimitTimes times = limits.Finish(first + activeTime, activeTime - unjudged);
        times.Add(LimitState.NotJudged, unjudged);
        limits.Release();
        long uncertain = IsLate ? times.In(LimitState.SendBuffer) : 0; // or the program's: what it had posted is not known
        return new(times, Evidence.Events, limits.Samples) { UncertainSendBuffer = uncertain };
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
        long active = Math.Max(end - first, 0);
        long unjudged = long.Min(_judgedFrom - first, active);
        LimitTimes times = limits.FinishOpen(end, active - unjudged);
        times.Add(LimitState.NotJudged, unjudged);
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
            _limits.OnResent(segment, isAllAcknowledged: _limits.InFlight == 0);
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
        Begin(stackEvent.Time, seq, seq);
        _hasTimerExpired = false; // the timer of a SYN
    }

    void Begin(TraceTime time, SequenceNumber una, SequenceNumber max)
    {
        _judgedFrom = time;
        _limits.Begin(time, una, max);
        _limits.BeginTimeline(packet: 0, extras);
    }

    // More was in flight than was seen to be sent: what came before is not judged.
    void BeginLate(TraceTime time, SequenceNumber una)
    {
        SequenceNumber max = _limits.SndMax;
        _limits.Release();
        _limits = default;
        Begin(time, una, max);
        _limits.BeginLate();
        _limits.OnReportedSize(_segment.Bytes);
        if (SrttNanos is { } srtt)
        {
            _limits.OnRtt(srtt);
        }

        _limits.OnReportedCwnd(CwndBytes.GetValueOrDefault());
        _limits.OnWindow(SendWindowBytes.GetValueOrDefault());
    }

    // What is sent again of data from before the first event seems new, and what it goes on to a gap, until it shows that all this time more was in flight.
    bool IsMoreInFlight(StackEvent stackEvent, int bytes, SequenceNumber expected, out SequenceNumber una)
    {
        una = expected;
        if (bytes <= 0 || !stackEvent.TryGet(StackField.SeqNo, out long number)
            || _acknowledged.Take(new(unchecked((uint)number)), bytes) is not { } told)
        {
            return false;
        }

        bool isMore = told < expected && _limits.SndMax - told < MaxWindow;
        una = isMore ? told : expected;
        return isMore;
    }

    void OnAcknowledged(StackEvent stackEvent, int bytes)
    {
        Learn(stackEvent);
        int acknowledged = Math.Clamp(_limits.InFlight, 0, bytes);
        if (IsMoreInFlight(stackEvent, bytes, _limits.SndUna + acknowledged, out SequenceNumber una))
        {
            BeginLate(stackEvent.Time, una);
        }

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
            SendWindowBytes = (int)Math.Clamp(window, 0, MaxWindow);
            MaxSendWindowBytes = Math.Max(MaxSendWindowBytes.GetValueOrDefault(), SendWindowBytes.Value);
            if (stackEvent.Kind == StackEventKind.SegmentSent)
            {
                _limits.OnWindow(SendWindowBytes.Value);
            }
        }
    }
}
