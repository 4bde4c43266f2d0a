using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

// Follows one sender in time: cuts its active time into intervals, each of which is judged when its end is known.
partial struct SenderLimits
{
    /// <summary>Takes in new data.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="payload">Its payload, bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnNew(in Segment segment, int payload)
    {
        TraceTime now = Later(segment.Time, _lastEvent);
        if (_nagle.IsWaiting)
        {
            OnHeldBack(payload, now);
        }

        if (Path.IsAway || _recovery.IsBlind || !IsSameBurst(now) || segment.Start > _max)
        {
            OnInterval(segment, payload, now);
        }

        if ((segment.Flags & TcpFlags.Cwr) != 0)
        {
            BeginRecovery(); // the window was cut for ECN (RFC 3168 §6.1.2)
        }

        if (!_isMssKnown)
        {
            LearnMss(payload, now);
        }

        _endedFull = EndsFull(payload);
        _hasBegun = true;
        AfterSend(segment.Start + payload, now);
        _nagle.OnSent();
        _peak = InFlight;
        if (!_recovery.IsBlind)
        {
            _level.OnFlight(_peak);
        }
    }

    /// <summary>Takes in a retransmission.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="isAllAcknowledged">Whether everything sent before had been acknowledged when it passed the capture point.</param>
    public void OnResent(in Segment segment, bool isAllAcknowledged)
    {
        TraceTime now = Later(segment.Time, _lastEvent);
        if (_recovery.IsBlind)
        {
            JudgeGap(now);
        }

        OnResentSize(segment.Start, segment.Length);
        ForgetUnheard(segment.Ack.TsEcr, now);
        bool isTimeout = IsTimeout(segment.Sent.Trigger, now);
        bool isUnheard = Path.IsAway && isTimeout; // an acknowledgment was lost behind the capture point
        if ((segment.Sent.Trigger == RetransmissionTrigger.Tlp || isUnheard) && IsWindowFull)
        {
            return; // the window holds the sender as before, and a probe alone is no recovery
        }

        if (isAllAcknowledged && (isUnheard || _resentUnheard > _lastSend))
        {
            _resentUnheard = isUnheard ? now : _resentUnheard;
            _lastEvent = now;
            return;
        }

        if (InFlight == 0)
        {
            return; // everything had arrived: nobody waited for it
        }

        if (isTimeout)
        {
            OnTimeout(now, _lastEvent);
        }
        else if (!_recovery.IsOn)
        {
            JudgeResent(now);
        }

        BeginRecovery();
        AfterSend(segment.Start + segment.Length, now);
    }

    // Where no SYN shows the MSS, the largest segments may be what a program writes. Two in a row are full, as are those of offload; and those that fill the
    // smallest packet every link takes, where a link may have put them apart.
    readonly bool IsMssShownBy(int length, TraceTime now) =>
        length >= (Path.IsAtSender ? SegmentSizes.EthernetPayload : Thresholds.UsualMss)
            || (length >= _mss && _latestPayload >= _mss && now - _lastSend <= Thresholds.BurstGapNanos);

    // A single larger segment may be a probe of what the path takes (RFC 4821 §7.2), and full segments stay what they were; of two in a row they are.
    void LearnMss(int payload, TraceTime now)
    {
        bool isRow = payload == _latestPayload && payload <= SegmentSizes.EthernetPayload && now - _lastSend <= Thresholds.BurstGapNanos;
        _mss = _isMssShown && isRow ? Math.Max(_mss, payload) : _mss;
        _isMssShown |= IsMssShownBy(payload, now);
        _latestPayload = payload;
    }

    // Data in a smaller segment that was sent again in a full one before: the path takes no larger ones, as the sender found out (RFC 4821 §7.7).
    void OnResentSize(SequenceNumber start, int length)
    {
        if (length >= _mss)
        {
            _fullResent = start;
            _hasFullResent = true;
        }
        else if (_hasFullResent && start == _fullResent && start + length < _max)
        {
            _mss = length;
            _isMssCut = true;
            _isMssKnown = false;
            _isMssShown = true;
        }
    }

    /// <summary>Takes in an acknowledgment that has arrived at the sender.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnArrived(in ArrivedAck ack)
    {
        TraceTime now = Later(ack.Time, _lastEvent);
        bool hasAdvanced = ack.Una > _una;
        bool hasOpened = ack.HasEdge && _window.IsBelow(ack.Edge);
        if (ack.HasPayload)
        {
            _clock.OnPeerData();
        }

        if (hasAdvanced || hasOpened || ack.HasNews)
        {
            _isEmptied |= HasLeftRoom(now);
            _clock.OnAck(now, ack.TsVal);
        }

        if (ack.HasEdge)
        {
            OnEdge(ack, now);
        }

        if (hasAdvanced)
        {
            OnAdvance(ack, now);
        }

        _lastEvent = now;
    }

    /// <summary>
    /// Takes in that part of the traffic was not captured, or the clock was set: nothing is said of the time since the latest burst, nor until what is in
    /// flight is known again.
    /// </summary>
    /// <param name="end">Behind what may be missing.</param>
    /// <param name="time">When that showed.</param>
    public void OnGap(SequenceNumber end, TraceTime time)
    {
        JudgeGap(Later(time, _lastEvent));
        _burstRoom = 0;
        _nagle = default;
        _recovery.OnGap(end);
        _una = end > _una ? end : _una;
        _max = end > _max ? end : _max;
        _level.OnGap();
    }

    /// <summary>Takes in that an acknowledgment brought news to the sender.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnNews(TraceTime time)
    {
        if (_stale.IsOpen)
        {
            SettleStale(time);
        }
    }

    /// <summary>Ends the active time.</summary>
    /// <param name="end">Its end.</param>
    /// <param name="activeNanos">What all states add up to.</param>
    /// <returns>Time in each state.</returns>
    public LimitTimes Finish(TraceTime end, long activeNanos)
    {
        LimitState rest = _recovery.IsOn ? LimitState.Recovery : LimitState.Application;
        if (_recovery.IsBlind)
        {
            JudgeGap(end);
        }
        else if (end > _since)
        {
            JudgeSilence(end);
        }

        EndRun();
        _timeline.Decide(OpenState.UnseenProbe, OpenState.Timeout);
        SettlePortions();
        _writer.Settle(ref _timeline);
        _level.Settle(ref _timeline);
        _stale.Settle(ref _timeline);
        _timeline.Flush();
        LimitTimes times = _timeline.Times;
        times.FitTo(activeNanos, rest);
        return times;
    }

    /// <summary>
    /// Ends the active time of a connection that goes on: what is waited for is taken to come now. An acknowledgment leaves the time to what held the bursts
    /// before; in the place of one that is overdue the retransmission timer expires.
    /// </summary>
    /// <param name="now">Its end.</param>
    /// <param name="activeNanos">What all states add up to.</param>
    /// <returns>Time in each state so far: later events may show that some of it belongs to another one.</returns>
    public LimitTimes FinishOpen(TraceTime now, long activeNanos)
    {
        bool isInFlight = InFlight > 0 && !_recovery.IsBlind && !IsWindowFull;
        if (isInFlight && now - _lastEvent >= _rtt.RtoNanos(RtoLimits.Linux))
        {
            JudgeTimeout(now, _lastEvent);
        }
        else if (isInFlight && now > _lastEvent)
        {
            _clock.OnAck(now, tsVal: 0);
        }

        return Finish(now, activeNanos);
    }

    // Seen from afar, acknowledgments that should have arrived long ago had not, by what the sender echoes: they were lost on their way, and since it last sent
    // it may have heard nothing.
    void ForgetUnheard(uint echo, TraceTime now)
    {
        bool isOlder = Path.HasEchoes && echo != 0 && _clock.IsTicked && unchecked((int)(_clock.TsVal - echo)) > 0;
        bool hasPassed = isOlder && now - _clock.Last > Path.DelayNanos / Thresholds.OverdueDivisor;
        if (hasPassed || Path.HasOverdue(now))
        {
            _lastEvent = _lastSend;
            _clock.OnUnheard();
        }
    }

    // Data was sent again of which all had been acknowledged, unheard: where new data follows, the sender had waited for its timer, and then a round trip for
    // the acknowledgment. Where none does it had sent all by then: that silence is no part of the active time.
    void JudgeUnheard(TraceTime now)
    {
        if (_resentUnheard <= _lastSend)
        {
            return;
        }

        TraceTime heard = _resentUnheard + _rtt.SrttNanos;
        OnTimeout(_resentUnheard, _lastSend);
        JudgeSilence(now - heard > MaxAnswerNanos(now) ? heard : now);
        _recovery.End();
        _clock.Tick();
    }

    // New data that does not simply go on with the latest burst.
    void OnInterval(in Segment segment, int payload, TraceTime now)
    {
        JudgeUnheard(now);
        ForgetUnheard(segment.Ack.TsEcr, now);
        NoteShort();
        if (IsAfterGap(segment))
        {
            OnGap(segment.Start, now);
        }
        else if (_recovery.IsBlind)
        {
            JudgeGap(now);
            _recovery.OnSentBlind(_una);
        }
        else if (IsUnseenRetransmission(segment, now))
        {
            OnTimeout(now, _lastEvent);
            _recovery.MoveTo(_max + (segment.Sent.MissingBefore * _mss));
        }
        else if (_hasBegun && !IsSameBurst(now))
        {
            OnBurst(segment, payload, now);
        }
    }

    void OnBurst(in Segment segment, int payload, TraceTime now)
    {
        if (segment.Start != _max || segment.Sent.MissingBefore > 0 || IsSilent(now))
        {
            _clock.ForgetHalved();
        }

        _isBehindLoss = Path.IsAway && segment.Start > _max;
        JudgeBurst(payload, now);
    }

    // The latest segment, when something else comes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void NoteShort()
    {
        if (!_endedFull && InFlight > 0)
        {
            _nagle.OnShort(_max);
        }
    }

    void SettleStale(TraceTime time)
    {
        if (_recovery.IsOn)
        {
            JudgeSilence(Later(time, _lastEvent));
        }

        _stale.Settle(ref _timeline);
    }

    // A sender sends what is new in order; only behind a path something may be missing that was lost there.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly bool IsAfterGap(in Segment segment) => !Path.IsAway && _hasBegun && segment.Start > _max + 1;

    // Seen from afar, a burst is stretched by the path; but what lasts a round trip is clocked by acknowledgments.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly bool IsSameBurst(TraceTime now) => Path.IsAway
        ? now - _lastSend <= Path.DelayNanos / 4 && now - _since <= Path.DelayNanos
        : !_clock.IsTicked && now - _lastSend <= Thresholds.BurstGapNanos;

    // Away from the sender new data may be a retransmission too: what was lost before it was never seen there, only that packets are missing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly bool IsUnseenRetransmission(in Segment segment, TraceTime now) =>
        Path.IsAway && segment.Sent.MissingBefore > 0 && _hasBegun && IsSilent(now);

    // Why something was resent may show only later, and away from the sender other silences show than the sender had: there a silence as long as a timer
    // decides by itself.
    readonly bool IsTimeout(RetransmissionTrigger trigger, TraceTime now) => Path.IsAway ? IsSilent(now) : trigger switch
    {
        RetransmissionTrigger.Rto or RetransmissionTrigger.Tlp => true,
        RetransmissionTrigger.Unknown or RetransmissionTrigger.LostRetransmission =>
            now - _lastEvent >= Math.Max(_rtt.SrttNanos, Thresholds.MinRtoNanos),
        _ => false,
    };

    // A recovery begins anew. The sender has waited since it last sent, or heard something.
    void OnTimeout(TraceTime now, TraceTime since)
    {
        JudgeTimeout(now, since);
        _recovery.End();
        BeginRecovery();
        _recovery.OnTimeout();
    }

    void BeginRecovery()
    {
        if (!_recovery.IsOn)
        {
            EndRun();
            _level.OnLoss(_peak, ref _timeline);
            if (Start.IsAny)
            {
                Start.Value.OnRecovery(_peak);
            }

            _recovery.Begin(_max);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void AfterSend(SequenceNumber end, TraceTime now)
    {
        _max = end > _max ? end : _max;
        _window.OnSent(_max);
        _lastSend = now;
        _lastEvent = now;
        _isUnheard = Path.IsAway && Path.HasOverdue(now);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnEdge(in ArrivedAck ack, TraceTime now)
    {
        _window.Set(ack.Edge, ack.Una, _max);
        _level.OnWindow(_window.Bytes);
        if (IsWindowFull && ack.Edge - _max >= MinRoom)
        {
            _window.Open(now);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnAdvance(in ArrivedAck ack, TraceTime now)
    {
        SequenceNumber una = ack.Una;
        if (una > _max + 1 || ack.HasUnseen) // one: a FIN
        {
            OnGap(una, now);
        }

        if (una + (_peak / 2) >= _max && 2 * InFlight > _peak)
        {
            _clock.OnHalved(now, ack.TsVal);
        }

        NoteShort();
        _nagle.OnAdvance(una);
        _una = una;
        _max = una > _max ? una : _max; // a FIN
        _drained = now;
        if (_recovery.IsOn && una >= _recovery.Point)
        {
            JudgeSilence(now);
            _recovery.End();
            _clock.Tick();
            _peak = InFlight;
        }

        if (!_recovery.IsBlind)
        {
            _level.OnAcknowledged(una, _max, _mss, now, ref _timeline);
        }
    }
}
