using System;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>How a burst of data follows the acknowledgment before it.</summary>
enum Answer : byte
{
    /// <summary>It came by itself, or answers data of the peer.</summary>
    None,

    /// <summary>Later than that, but within an RTO: a longer pause is one for TCP itself (RFC 5681 §4.1).</summary>
    Belated,

    /// <summary>
    /// Not at once, but sooner than chance would have it every time: a writer that has to be woken first, on a machine that has other things to do.
    /// </summary>
    Late,

    /// <summary>Right after it.</summary>
    Prompt,

    /// <summary>So soon after it that it comes by chance once in sixteen times at most.</summary>
    Immediate,
}

// Whether a burst of data answers an acknowledgment.
partial struct SenderLimits
{
    // How a burst that begins now follows the acknowledgment before it; the length is the payload of its first segment.
    readonly Answer AnswerOf(int length, TraceTime now)
    {
        bool isReply = _clock.HasPeerSpoken && InFlight == 0;
        bool isFull = IsFull(length) || IsFull(_peak); // small writes alone in flight answer by chance, or wait for Nagle
        if (!isFull || isReply)
        {
            return Answer.None;
        }

        if (IsFlowing(now))
        {
            return Answer.Prompt;
        }

        return _clock.IsTicked ? AnswerAfterAck(now) : IsProbe(now) ? Answer.Late : Answer.None;
    }

    // A program that writes by a clock of its own answers nothing, though an acknowledgment comes each time just before. Behind a path that varies itself, it
    // does not show whose clock it is. At the sender a stack answers with what was left of a burst: that says nothing of a clock, but may keep one all the same
    // where writes only look like full segments.
    Answer AnswerOfWriter(Answer answer, TraceTime now)
    {
        if (answer < Answer.Prompt)
        {
            return answer;
        }

        long gap = now - _since;
        bool isStack = HasLeft && Path.IsAtSender;
        if (!isStack && !IsStretch(now)) // what follows soon was written with what came before
        {
            _writerClock.Add(gap, now - _clock.Last);
            if (!Path.IsAway)
            {
                _writer.OnClock(_writerClock, ref _timeline);
            }
        }

        bool isOwn = HasLeft ? isStack && _writerClock.Keeps(gap) : _writerClock.IsOwn;
        return isOwn && !Path.IsAway ? Answer.None : answer;
    }

    // A segment less than full stands alone behind the acknowledgment of the one before it: nothing was sent right before, nor is right after.
    void OnHeldBack(int length, TraceTime now)
    {
        bool isApart = now - _lastSend > Thresholds.MaxAnswerNanos + (Path.DelayNanos / 16);
        _nagle.OnNext(isAtOnce: !isApart);
        bool isAnswer = now - _clock.Last <= (Path.IsAway ? MaxImmediateNanos(now) : Thresholds.StackAnswerNanos);
        if (_nagle.IsReleased && isApart && isAnswer && (_isMssKnown || _isMssShown) && !IsFull(length) && !_clock.HasPeerSpoken)
        {
            _nagle.OnRelease();
        }
    }

    // What Nagle's algorithm held back answers for it alone, and while it does so nothing is left that a window or a buffer would hold.
    Answer AnswerOfHeldBack(Answer answer)
    {
        _isEmptied |= _nagle.IsAtWork;
        return _nagle.IsAtWork ? Answer.None : answer;
    }

    readonly Answer AnswerAfterAck(TraceTime now)
    {
        long delay = now - _clock.Last;
        return delay <= MaxImmediateNanos(now) ? Answer.Immediate
            : delay <= MaxAnswerNanos(now) ? Answer.Prompt
            : delay <= (now - _since) / 2 || IsProbe(now) ? Answer.Late
            : delay <= _rtt.RtoNanos(RtoLimits.Linux) ? Answer.Belated
            : Answer.None;
    }

    // The longest an answer takes. Sends follow each other closely where acknowledgments do: by chance not one in four comes so soon.
    readonly long MaxAnswerNanos(TraceTime now) =>
        Math.Clamp((now - _since) / 4, Thresholds.MinAnswerNanos, Thresholds.MaxAnswerNanos) + (Path.DelayNanos / 4);

    readonly long MaxImmediateNanos(TraceTime now) =>
        Math.Clamp((now - _since) / 16, Thresholds.MinAnswerNanos, Thresholds.WakeUpNanos) + (Path.DelayNanos / 16);

    // Nothing was left, though the burst before ended full: half of it was acknowledged and yet nothing sent until a writer was woken. A stack holds back
    // data that is left for a third of the window at most, to make larger segments of it (Linux: tcp_tso_win_divisor). Seen from afar, how long nothing was
    // sent does not show, but which acknowledgment the sender had when it sent again: data that it had left echoes the one that let it go. Where others had
    // been lost on their way before, that says nothing: data that was left may answer the acknowledgment of a probe (RFC 8985 §7.3).
    readonly bool HasNothingLeft(TraceTime now)
    {
        if (2 * InFlight > _peak || _isUnheard || _clock.IsUnheard)
        {
            return false;
        }

        return Path.IsAway
            ? Path.HasEchoes && _clock.HalvedTsVal != 0 && unchecked((int)(_clock.TsVal - _clock.HalvedTsVal)) > 0
            : _clock.Last - _clock.Halved > Thresholds.StackAnswerNanos || now - _clock.Halved > Thresholds.WakeUpNanos;
    }

    // Nothing was left, though the burst before ended full: an acknowledgment made room for two segments, and for half a round trip neither was anything sent
    // nor did another come. To make larger segments a stack waits for an acknowledgment that is near, not for one that is as far (Linux: tcp_tso_should_defer).
    readonly bool HasLeftRoom(TraceTime now) =>
        _clock.IsTicked && Path.IsAtSender && !_recovery.IsOn && _peak - InFlight >= 2 * _mss
        && now - _clock.Last >= Math.Max(_rtt.SrttNanos / 2, Thresholds.WakeUpNanos);

    // A prompt answer is one of the stack itself, as to an acknowledgment that lets waiting data go: a sender that paces itself comes so soon by chance once
    // in sixteen times.
    readonly bool IsAnswerOfStack(TraceTime now) =>
        Path.IsAway || now - _clock.Last <= Math.Max((now - _since) / 16, Thresholds.StackAnswerNanos);

    // New data of what was left, because nothing was acknowledged for long: a tail loss probe (RFC 8985 §7.3). Until then what was in flight held the sender.
    readonly bool IsProbe(TraceTime now) => _endedFull && (_clock.IsUnheard || (InFlight > 0 && (IsSilent(now) || IsTimerNear(now))));

    // A probe goes no later than the retransmission timer expires, which runs from when the oldest data in flight was sent (RFC 8985 §7.2): clocked by
    // acknowledgments, that was a round trip before the latest of them.
    readonly bool IsTimerNear(TraceTime now)
    {
        long rest = _rtt.RtoNanos(RtoLimits.Linux) - _rtt.SrttNanos;
        return Path.IsAtSender && _heldBy == OpenState.FullFlight && now - _lastEvent >= rest - (rest / 8);
    }
}
