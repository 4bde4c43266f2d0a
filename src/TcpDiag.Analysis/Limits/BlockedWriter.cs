using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Tells a program whose writes wait for room in the send buffer from one that has nothing to write, of bursts with which all that was written had been sent. The first is
/// woken by the acknowledgment that makes room, nearly always at once, and what is in flight then was the buffer's fill: where it blocked once it blocks again. So a
/// pause at that fill is the buffer's too, though the machine may have woken the writer late; a pause at less is the program's own. So are pauses after the same number
/// of bursts each time: a program that writes in larger portions makes them, a busy machine does not. Time waits as <see cref="LimitPlace.Chance"/> until
/// it is known whether answers come by chance, as <see cref="LimitPlace.LateWriter"/> until it is known whose the pauses are, and as <see cref="LimitPlace.LesserFill"/> behind
/// bursts that left less in flight than most answers find.
/// </summary>
struct BlockedWriter
{
    // So many more answers than pauses are none by chance, so many more pauses are the program's own.
    const int Habit = 4;
    const int MostHabit = 16;

    // Some of these come sooner than any other rhythm has them come.
    const int LeastImmediate = 2;

    // So few pauses may be equally far apart by chance.
    const int LeastPauses = 3;

    // So many pauses of the program's own that are as long as one that waits, and that one is of the program as well.
    const int LeastAlike = 2;

    long _gap;
    long _lateGap; // the latest pause that waits
    int _fill;
    LesserFill _lesser;
    long _lesserTime; // behind what was less than the usual fill of that time
    int _pauseFill;
    int _pauses;
    int _regular;
    byte _alike;
    sbyte _score; // answers less pauses
    byte _immediate;
    byte _distance; // bursts since the latest pause
    byte _portion; // bursts between the two pauses before

    /// <summary>Whether writes are known to wait for room.</summary>
    public bool IsKnown { get; private set; }

    /// <summary>Time of pauses that were taken for a writer woken late, nanoseconds.</summary>
    public long LateTime { get; private set; }

    /// <summary>In flight where writes waited for room, nearly always, or the least of it, bytes: so much fills the buffer; 0 when it is not known.</summary>
    public readonly int Level => !IsKnown ? 0 : _lesser.Usual > 0 ? _lesser.Usual : _fill;

    /// <summary>Tells where the time behind a burst belongs.</summary>
    /// <param name="fill">In flight after the burst, bytes.</param>
    /// <param name="answer">How the next burst stands to the acknowledgment before it.</param>
    /// <param name="isLater">Whether that came so much later than usual that a pause may hide in it.</param>
    /// <returns>The place.</returns>
    public readonly LimitPlace PlaceOf(int fill, Answer answer, bool isLater) => answer switch
    {
        Answer.None => LimitPlace.Application,
        _ when _lesser.IsLess(fill) && (answer >= Answer.Prompt || IsFull(fill)) => LimitPlace.LesserFill,
        >= Answer.Prompt when isLater => LimitPlace.LateWriter,
        >= Answer.Prompt => IsKnown ? LimitPlace.SendBuffer : LimitPlace.Chance,
        _ => IsFull(fill) && _score > -Habit ? LimitPlace.LateWriter : LimitPlace.Application,
    };

    /// <summary>Whether a burst comes later than a writer that is woken at once.</summary>
    /// <param name="delay">Time between the latest acknowledgment and the burst, nanoseconds.</param>
    /// <returns>False as well when it is not known how soon that is.</returns>
    public readonly bool IsLater(long delay) => _lesser.IsLater(delay);

    /// <summary>Learns from a burst that followed one with which all that was written had been sent.</summary>
    /// <param name="fill">In flight after the burst before, bytes.</param>
    /// <param name="answer">How the next one stands to the acknowledgment before it.</param>
    /// <param name="toRoom">How it stands to the acknowledgment that made room for half of what was in flight.</param>
    /// <param name="delay">Time between the latest acknowledgment and the next burst, nanoseconds.</param>
    /// <param name="gap">Time between the two bursts, nanoseconds.</param>
    /// <param name="book">Where the time waits.</param>
    public void Learn(int fill, Answer answer, Answer toRoom, long delay, long gap, ref LimitBook book)
    {
        bool isEven = Math.Abs(gap - _gap) <= gap / 8;
        _gap = gap;
        _distance += _distance < byte.MaxValue ? (byte)1 : (byte)0;
        bool isLesser = _lesser.Usual > 0 && _lesser.IsLess(fill);
        if (_lesser.Learn(fill, answer, toRoom, delay))
        {
            _lesserTime += book.At(LimitPlace.LesserFill);
            book.Move(LimitPlace.LesserFill, LimitPlace.Chance);
        }

        if (answer >= Answer.Prompt && isLesser)
        {
            _fill = Math.Min(_fill, fill);
        }
        else if (answer >= Answer.Prompt)
        {
            OnAnswer(fill, answer, ref book);
        }
        else if (IsFull(fill) && !isLesser)
        {
            _lateGap = gap;
            OnPause(fill, answer, isEven, ref book);
        }
        else if (Math.Abs(gap - _lateGap) <= gap / 8 && ++_alike >= LeastAlike)
        {
            SettlePauses(ref book, isOwn: true); // a clock of the program's own makes both
        }
    }

    /// <summary>Decides about all time that waits.</summary>
    /// <param name="book">Where it waits.</param>
    public void Settle(ref LimitBook book)
    {
        SettlePauses(ref book, isOwn: !IsKnown || (_pauses >= LeastPauses && 2 * _regular >= _pauses));
        book.Move(LimitPlace.Chance, IsKnown ? LimitPlace.SendBuffer : LimitPlace.Application);
        bool isOwn = !IsKnown || _lesser.IsOwn;
        long lesser = _lesser.Usual > 0 ? book.At(LimitPlace.LesserFill) : 0;
        LateTime += !isOwn ? lesser : lesser > 0 ? _lesserTime : 0; // so full it was not: the program may have been done each time, and if it was now, before as well
        book.Move(LimitPlace.LesserFill, isOwn ? LimitPlace.Application : LimitPlace.SendBuffer);
    }

    void SettlePauses(ref LimitBook book, bool isOwn)
    {
        LateTime += isOwn ? 0 : book.At(LimitPlace.LateWriter);
        book.Move(LimitPlace.LateWriter, isOwn ? LimitPlace.Application : LimitPlace.SendBuffer);
        _pauses = 0;
        _regular = 0;
        _pauseFill = 0;
        _lateGap = 0;
        _alike = 0;
    }

    readonly bool IsFull(int fill) => fill == 0 || fill >= _fill;

    void OnAnswer(int fill, Answer answer, ref LimitBook book)
    {
        OnFill(fill, ref book);
        _fill = _fill == 0 ? fill : fill == 0 ? _fill : Math.Min(_fill, fill);
        _score = (sbyte)Math.Min(_score + (answer == Answer.Immediate ? 2 : 1), MostHabit);
        _immediate = answer == Answer.Immediate ? (byte)Math.Min(_immediate + 1, MostHabit) : _immediate;
        if (_score >= Habit && _immediate >= LeastImmediate)
        {
            IsKnown = true;
            book.Move(LimitPlace.Chance, LimitPlace.SendBuffer);
        }
    }

    // A writer is woken when a third of the buffer is free (Linux: sk_stream_min_wspace): until an answer has shown how full it is, pauses at so much less are of the program.
    void OnFill(int fill, ref LimitBook book)
    {
        if (_fill == 0 && _pauseFill > 0 && 3 * _pauseFill < 2 * fill)
        {
            SettlePauses(ref book, isOwn: true);
        }
    }

    void OnPause(int fill, Answer answer, bool isEven, ref LimitBook book)
    {
        OnFill(fill, ref book);
        _pauseFill = _pauseFill == 0 ? fill : fill == 0 ? _pauseFill : Math.Min(_pauseFill, fill);
        if (answer == Answer.Belated)
        {
            _pauses++;
            _regular += _distance > 1 && _distance == _portion ? 1 : 0;
            _portion = _distance;
            _distance = 0;
        }

        bool isCounted = answer != Answer.Late || isEven; // less late than on time: no evidence, unless a clock of the program's own makes the distances
        _score -= _score > -Habit && isCounted ? (sbyte)1 : (sbyte)0;
        if (_score > -Habit)
        {
            return;
        }

        IsKnown = false;
        Settle(ref book);
        _fill = 0;
        _immediate = 0;
        _lesser = default;
        _lesserTime = 0;
    }
}
