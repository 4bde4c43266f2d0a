using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Tells a program whose writes wait for room in the send buffer from one that has nothing to write, by bursts with which all that was written had
/// been sent. The first is woken by the acknowledgment that makes room, nearly always at once, and what is in flight then fills the buffer:
/// it blocks there again. So a pause at that fill is the buffer's too, though the machine may have woken the writer late; a pause at less is the
/// program's own. Time is <see cref="OpenState.WriterOrChance"/> until it is known whether answers come by chance, and
/// <see cref="OpenState.LateWriter"/> until it is known whose the pauses are.
/// </summary>
struct BlockedWriter
{
    long _gapNanos;
    long _lateGapNanos; // the latest pause that is open
    int _fill;
    int _pauseFill;
    byte _equalPauses;
    sbyte _score; // answers less pauses
    byte _immediate;
    bool _mayBeChance; // a clock of the program's own may have brought the answers

    /// <summary>Whether writes are known to wait for room.</summary>
    public bool IsKnown { get; private set; }

    /// <summary>Time of pauses that were taken for a writer woken late.</summary>
    public long LateNanos { get; private set; }

    /// <summary>The least in flight where writes waited for room, bytes: so much fills the buffer; 0 when it is not known.</summary>
    public readonly int Level => IsKnown ? _fill : 0;

    /// <summary>What time is that ended with an answer.</summary>
    public readonly OpenState Answered => IsKnown && !_mayBeChance ? OpenState.SendBuffer : OpenState.WriterOrChance;

    /// <summary>What the time after a burst is.</summary>
    /// <param name="fill">In flight after the burst, bytes; 0 when how full the buffer was is not known.</param>
    /// <param name="answer">How the next burst follows the acknowledgment before it.</param>
    /// <returns>The state.</returns>
    public readonly OpenState StateOf(int fill, Answer answer) => answer switch
    {
        Answer.None => OpenState.Application,
        >= Answer.Prompt => Answered,
        _ => IsFull(fill) && _score > -Thresholds.Habit ? OpenState.LateWriter : OpenState.Application,
    };

    /// <summary>Takes in a burst that followed one with which all that was written had been sent.</summary>
    /// <param name="fill">In flight after the burst before, bytes; 0 when not known.</param>
    /// <param name="answer">How the next one follows the acknowledgment before it.</param>
    /// <param name="gapNanos">Time between the two bursts.</param>
    /// <param name="timeline">Where the time is open.</param>
    public void OnBurst(int fill, Answer answer, long gapNanos, ref LimitTimeline timeline)
    {
        bool isEven = Math.Abs(gapNanos - _gapNanos) <= gapNanos / 8;
        _gapNanos = gapNanos;
        if (answer >= Answer.Prompt)
        {
            OnAnswer(fill, answer, ref timeline);
        }
        else if (IsFull(fill))
        {
            _lateGapNanos = gapNanos;
            OnPause(fill, answer, isEven, ref timeline);
        }
        else if (Math.Abs(gapNanos - _lateGapNanos) <= gapNanos / 8 && ++_equalPauses >= Thresholds.MinEqualPauses)
        {
            SettlePauses(ref timeline, isOwn: true); // a clock of the program's own makes both
        }
    }

    /// <summary>Takes in whether the bursts may keep a clock of the program's own, or do so: then those it did not show by answer nothing either.</summary>
    public void OnClock(in WriterClock clock, ref LimitTimeline timeline)
    {
        bool wasOpen = _mayBeChance;
        _mayBeChance = clock.IsOwn || clock.IsOpen;
        if (clock.IsOwn)
        {
            timeline.Decide(OpenState.WriterOrChance, OpenState.Application);
        }
        else if (wasOpen && !_mayBeChance && IsKnown)
        {
            timeline.Decide(OpenState.WriterOrChance, OpenState.SendBuffer);
        }
    }

    /// <summary>Decides about all time that is open.</summary>
    public void Settle(ref LimitTimeline timeline)
    {
        SettlePauses(ref timeline, isOwn: !IsKnown);
        timeline.Decide(OpenState.WriterOrChance, IsKnown ? OpenState.SendBuffer : OpenState.Application);
    }

    void SettlePauses(ref LimitTimeline timeline, bool isOwn)
    {
        LateNanos += isOwn ? 0 : timeline.In(OpenState.LateWriter);
        timeline.Decide(OpenState.LateWriter, isOwn ? OpenState.Application : OpenState.SendBuffer);
        _pauseFill = 0;
        _lateGapNanos = 0;
        _equalPauses = 0;
    }

    readonly bool IsFull(int fill) => fill == 0 || fill >= _fill;

    void OnAnswer(int fill, Answer answer, ref LimitTimeline timeline)
    {
        OnFill(fill, ref timeline);
        _fill = _fill == 0 ? fill : fill == 0 ? _fill : Math.Min(_fill, fill);
        _score = (sbyte)Math.Min(_score + (answer == Answer.Immediate ? 2 : 1), Thresholds.MaxHabit);
        _immediate = answer == Answer.Immediate ? (byte)Math.Min(_immediate + 1, Thresholds.MaxHabit) : _immediate;
        if (_score >= Thresholds.Habit && _immediate >= Thresholds.MinImmediateAnswers)
        {
            IsKnown = true;
            timeline.Decide(OpenState.WriterOrChance, Answered);
        }
    }

    // A writer is woken when a third of the buffer is free (Linux: sk_stream_min_wspace): until an answer has shown how full it is, pauses at so much less
    // are the program's.
    void OnFill(int fill, ref LimitTimeline timeline)
    {
        if (_fill == 0 && _pauseFill > 0 && 3 * _pauseFill < 2 * fill)
        {
            SettlePauses(ref timeline, isOwn: true);
        }
    }

    void OnPause(int fill, Answer answer, bool isEven, ref LimitTimeline timeline)
    {
        OnFill(fill, ref timeline);
        _pauseFill = _pauseFill == 0 ? fill : fill == 0 ? _pauseFill : Math.Min(_pauseFill, fill);
        bool isCounted = answer != Answer.Late || isEven; // less late than on time: no evidence, unless a clock of the program's own makes the distances
        _score -= _score > -Thresholds.Habit && isCounted ? (sbyte)1 : (sbyte)0;
        if (_score > -Thresholds.Habit)
        {
            return;
        }

        IsKnown = false;
        Settle(ref timeline);
        _fill = 0;
        _immediate = 0;
    }
}
