using System;
using TcpDiag.Analysis.Delivery;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

// Judges the interval between two bursts of data when the second one shows what the sender had waited for (docs/limits.md): the receive window when
// that was full; an acknowledgment when it sends right after one and had as much in flight as the congestion window is known to allow; otherwise
// its application, or its own pacing.
partial struct SenderLimits
{
    // The interval that ends with new data.
    void JudgeBurst(int length, TraceTime now)
    {
        _isEmptied |= HasNothingLeft(now);
        Answer answer = AnswerOfHeldBack(AnswerOfWriter(AnswerOf(length, now), now));
        bool isStretch = answer < Answer.Late && IsStretch(now);
        if (_recovery.IsOn || IsWindowFull)
        {
            JudgeSilence(now);
        }
        else if (answer >= Answer.Prompt && _window.IsKnown && _window.Room < length)
        {
            AddReceiveWindow(now); // it waited for room for all of an offloaded segment
            Begin(now);
        }
        else
        {
            _uncertainNanos += _timeline.In(OpenState.UnseenProbe);
            _timeline.Decide(OpenState.UnseenProbe, OpenState.CongestionWindow);
            JudgeRoom(answer, now);
            _released = answer >= Answer.Prompt || !IsStretch(now) ? now : _released;
            if (!isStretch)
            {
                Learn(answer, now);
            }

            Begin(now);
        }

        _window.OnBurst(_mss);
    }

    // The interval that ends with a retransmission that no timeout triggered: what was in flight held the sender back to its end, if it had before.
    void JudgeResent(TraceTime now)
    {
        if (_recovery.IsOn || IsWindowFull)
        {
            JudgeSilence(now);
        }
        else
        {
            JudgeLastRoom(now, now);
            Begin(now);
        }
    }

    // An interval that ends with silence: the last one, or the one before a timeout.
    void JudgeSilence(TraceTime now)
    {
        if (_recovery.IsOn)
        {
            _stale.AddRecovery(_since, now, ref _timeline);
        }
        else if (IsWindowFull)
        {
            JudgeFullWindow(now);
        }
        else
        {
            bool isOpen = Path.IsAway || _clock.Last > now; // seen from afar, the last acknowledgments are under way still
            JudgeLastRoom(isOpen ? now : _clock.Last, now);
        }

        Begin(now);
    }

    // The interval in which the sender waits for its retransmission timer to expire.
    void JudgeTimeout(TraceTime now, TraceTime since)
    {
        JudgeSilence(Later(_since, since));
        JudgeUnseenProbe(now);
        if (Rate.IsAny && !_isCopy)
        {
            Rate.Value.Interrupt(); // nothing came back for long: no rate of the path
        }

        _timeline.Add(OpenState.Timeout, _since, now);
        Begin(now);
    }

    // Away from the sender: with data left, the first of its timers sends a probe of new data (RFC 8985 §7.3), here one that was lost, and what was in flight
    // had held it up to then. Whether data was left shows in what follows the recovery. Where it was acknowledgments that were lost, the probe would have come.
    void JudgeUnseenProbe(TraceTime now)
    {
        long pto = 2 * _rtt.SrttNanos;
        if (Path.IsAway && HasLeft && _resentUnheard <= _lastSend && now - _since >= pto + _rtt.RtoNanos(RtoLimits.Linux))
        {
            _timeline.Add(OpenState.UnseenProbe, _since, _since + pto);
            Begin(_since + pto);
        }
    }

    // An interval without a verdict: not all of its traffic was captured.
    void JudgeGap(TraceTime now)
    {
        EndRun();
        _timeline.Add(OpenState.NotJudged, _since, now);
        BeginAfresh(now);
    }

    // Decides what sends at even distances were: without a run there are none.
    void EndRun()
    {
        if (!_run.IsAny)
        {
            return;
        }

        bool isPaced = _run.IsPaced;
        _heldBy = isPaced ? OpenState.Pacing : _heldBy;
        _timeline.Decide(OpenState.EvenAnswered, isPaced ? OpenState.Pacing : OpenState.FullFlight);
        _timeline.Decide(OpenState.EvenWritten, isPaced ? OpenState.Pacing : _writer.Answered);
        _timeline.Decide(OpenState.EvenUnanswered, isPaced ? OpenState.Pacing : OpenState.Application);
        _run = default;
    }

    // What follows a burst that left something to be sent was clocked by acknowledgments; what follows others was written when the send buffer had room, or
    // by itself.
    void Learn(Answer answer, TraceTime now)
    {
        if (!HasLeft)
        {
            bool isPause = IsLong(now) && _portions.IsAny && _portions.Value is { IsAtEnd: true, IsKnown: true };
            if (!IsStretch(now) && !isPause) // several answers in a row show no more than one
            {
                _writer.OnBurst(Fill, answer, now - _since, ref _timeline);
                _level.OnFullBuffer(_writer.IsKnown ? Fill : 0, _mss, ref _timeline);
            }

            return;
        }

        _answerHabit = answer switch
        {
            >= Answer.Prompt => (byte)Math.Min(_answerHabit + 1, Thresholds.MaxHabit),
            Answer.Late => _answerHabit,
            _ => (byte)(_answerHabit / 2),
        };
    }

    // From the first burst on whose writer seems to have waited for room.
    void FollowPortions(Answer answer, TraceTime now)
    {
        if (!IsLong(now))
        {
            return;
        }

        if (!_portions.IsAny && !HasLeft && _writer.StateOf(Fill, answer) != OpenState.Application)
        {
            _portions = _timeline.Extras.Portions.Take();
        }

        if (_portions.IsAny)
        {
            _portions.Value.OnFill(_max, now - _since, ref _timeline);
        }
    }

    void ReturnPortions()
    {
        if (_portions.IsAny && !_isCopy)
        {
            _timeline.Extras.Portions.Return(ref _portions);
        }
    }

    void SettlePortions()
    {
        if (_portions.IsAny)
        {
            _portions.Value.Settle(ref _timeline);
        }
    }

    readonly bool HasAnswerHabit => _answerHabit >= Thresholds.Habit;

    void Begin(TraceTime now)
    {
        _samples++;
        BeginAfresh(now);
    }

    void BeginAfresh(TraceTime now)
    {
        _since = now;
        _isEmptied = false;
        _clock.BeginInterval();
        _window.BeginInterval();
    }

    // Full until it opened, or longer when the sender collected further acknowledgments and answered the last one.
    void JudgeFullWindow(TraceTime now)
    {
        _level.OnWindowFull();
        bool isHeld = !_window.HasOpened || now - _clock.Last <= MaxAnswerNanos(now);
        TraceTime end = isHeld ? now : _window.Opened;
        _heldBy = isHeld ? OpenState.FullFlight : OpenState.Application; // with its last data sent, the sender waits for what is in flight
        AddReceiveWindow(end);
        AddApplication(end, now);
    }

    void AddReceiveWindow(TraceTime end)
    {
        _timeline.Add(OpenState.ReceiveWindow, _since, end);
        if (Rate.IsAny && !_isCopy)
        {
            ref DeliveryRate rate = ref Rate.Value;
            rate.FullWindow = rate.FullWindow.IsAny ? rate.FullWindow : _timeline.Extras.FullWindows.Take();
            rate.FullWindow.Value.Add(_since, end, _peak, _max, _rtt.SrttNanos);
        }
    }

    // A burst may be stretched by pacing: what follows soon says nothing of what the burst waited for.
    readonly bool IsStretch(TraceTime now) => now - _since < _rtt.SrttNanos / 8;

    // Beyond what pacing stretches, and beyond the pieces in which a full buffer may be filled again.
    readonly bool IsLong(TraceTime now) => now - _since >= _rtt.SrttNanos / 2;

    // The receive window had room.
    void JudgeRoom(Answer answer, TraceTime now)
    {
        if (_stack.Cwnd > 0)
        {
            JudgeByStack(answer >= Answer.Prompt, now);
            return;
        }

        FollowPortions(answer, now);
        (OpenState state, TraceTime end) = HasLeft ? AfterLeft(answer, now) : AfterAll(answer, now);
        _heldBy = end == now ? state : OpenState.Application;
        if (IsFlowing(now) || _isBehindLoss)
        {
            _uncertainNanos += end - _since;
        }
        else if (answer >= Answer.Prompt)
        {
            _level.OnAnswer();
        }

        if (InFlight == 0 && now - _lastSend > Math.Max(_rtt.SrttNanos, Thresholds.MinRtoNanos))
        {
            _level.OnRestart(ref _timeline);
        }
        else if (state == OpenState.Application && !IsStretch(now))
        {
            _level.OnPause(ref _timeline);
        }

        AddRoom(state, answer, end, now);
    }

    // Data was left: what was in flight held it, up to an acknowledgment that let it go.
    readonly (OpenState State, TraceTime End) AfterLeft(Answer answer, TraceTime now)
    {
        bool isHeld = answer >= Answer.Late || (HasAnswerHabit && IsStretch(now));
        TraceTime end = isHeld ? now : HasAnswerHabit && _clock.IsTicked ? Later(_since, _clock.Last) : _since;
        return (OpenState.FullFlight, end);
    }

    // All that was written had been sent: the program was blocked, or had nothing to write.
    readonly (OpenState State, TraceTime End) AfterAll(Answer answer, TraceTime now)
    {
        bool isStretched = _heldBy is not (OpenState.Application or OpenState.LateWriter) && IsStretch(now) && now - _released <= _rtt.SrttNanos;
        OpenState written = _writer.StateOf(Fill, answer);
        OpenState state = isStretched ? _heldBy : IsLong(now) && _portions.IsAny ? _portions.Value.StateOf(written) : written;
        return (state, state == OpenState.Application ? _since : now);
    }

    // Bursts closer than half a round trip may be a run at even distances.
    void AddRoom(OpenState state, Answer answer, TraceTime end, TraceTime now)
    {
        bool isLate = state == OpenState.LateWriter;
        if ((isLate && !_endedFull) || IsLong(now))
        {
            EndRun();
            _timeline.Add(state, _since, end);
            AddApplication(end, now);
            return;
        }

        AddToRun(state, answer, isLate ? _since : end, now);
    }

    void AddToRun(OpenState state, Answer answer, TraceTime end, TraceTime now)
    {
        long gap = now - _since;
        if (!_run.Continues(gap))
        {
            EndRun();
        }

        bool isAnswer = answer >= Answer.Prompt && (!_endedFull || IsAnswerOfStack(now));
        _run.Add(gap, isAnswer, _endedFull && !Path.IsAway);
        _timeline.Add(state == OpenState.FullFlight ? OpenState.EvenAnswered : OpenState.EvenWritten, _since, end);
        _timeline.Add(OpenState.EvenUnanswered, end, now);
    }

    // No further burst shows what this one waited for: what held the one before.
    void JudgeLastRoom(TraceTime until, TraceTime now)
    {
        if (_stack.Cwnd > 0)
        {
            JudgeByStack(isAnswer: until == now && HasAnswerHabit, now);
            return;
        }

        EndRun();
        bool hasHabit = HasLeft ? HasAnswerHabit : _writer.IsKnown;
        bool isHeld = (hasHabit || _heldBy != OpenState.Application) && (Path.IsAway || _clock.IsTicked);
        TraceTime end = isHeld ? Later(_since, until) : _since;
        OpenState state = HasLeft ? OpenState.FullFlight : _writer.Answered;
        _timeline.Add(_heldBy != OpenState.Application ? _heldBy : state, _since, end);
        AddApplication(end, now);
    }

    // The stack reports its congestion window, and perhaps what is left to be sent: nothing is estimated.
    void JudgeByStack(bool isAnswer, TraceTime now)
    {
        // What held the burst back is the window of that time, or a smaller one since. Data is left, and goes out as acknowledgments come: the
        // window holds it, though a part of it may be kept for a larger segment.
        bool isFull = _peak + _mss > Math.Min(_stack.PeakCwnd, _stack.Cwnd) || (isAnswer && _stack.Unsent > 0);
        bool hasHabit = HasAnswerHabit || _writer.IsKnown;
        bool isHeld = isAnswer || (hasHabit && IsStretch(now));
        bool isReleased = _clock.IsTicked && (isFull || hasHabit);
        TraceTime end = isHeld ? now : isReleased ? Later(_since, _clock.Last) : _since;
        _stack.IsBuffered = !isFull && (isAnswer || _stack.IsBuffered); // with everything sent, what held the bursts before
        _timeline.Add(_stack.IsBuffered ? OpenState.SendBuffer : OpenState.CongestionWindow, _since, end);
        if (_stack.Unsent > 0)
        {
            _timeline.Add(OpenState.Pacing, end, now);
        }
        else
        {
            AddApplication(end, now);
        }
    }

    void AddApplication(TraceTime from, TraceTime to)
    {
        TraceTime drained = Later(from, _drained);
        bool isIdle = InFlight == 0 && to - drained > Math.Max(_rtt.RtoNanos(RtoLimits.Linux), Thresholds.MinIdleNanos);
        TraceTime idle = isIdle ? drained : to;
        _timeline.Add(OpenState.Application, from, idle);
        _timeline.Add(OpenState.Idle, idle, to);
    }
}
