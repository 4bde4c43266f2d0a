using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Bursts that left less in flight than most of those whose writer was woken at once. Writes of one size fill a buffer to the same byte each time; what leaves it less full is the end of
/// what a program had to write, or a write of another size. Pauses behind it tell the one, answers the other: either may be so once by chance, so that one answer makes no level. An answer is
/// one to the acknowledgment that makes room, where writers are woken by that (Linux: as soon as a third is free); a program whose rhythm is that of the round trip answers a later one as well.
/// And it comes as soon as behind usual fills: writer, machine and path are the same.
/// </summary>
struct LesserFill
{
    // So many more of one fill, to the byte, than of all others make it the usual one.
    const int Habit = 3;
    const int MostHabit = 16;

    // Of delays about a mean, one in fifty is longer than so many times it where they are exponential, fewer where they are not.
    const int MostTimes = 4;

    // What is not told apart: two answers of a stack.
    const long Resolution = 100_000; // ns

    long _delay; // mean behind usual fills, nanoseconds
    int _usual; // by majority: what is in flight when a writer is woken at once
    byte _votes;
    sbyte _score; // answers less pauses behind lesser fills
    sbyte _early; // answers to the acknowledgment that makes room, less others, behind usual fills

    /// <summary>What is in flight when writes wait for room, nearly always, bytes; 0 when that differs.</summary>
    public readonly int Usual => _votes >= Habit ? _usual : 0;

    /// <summary>Whether pauses behind lesser fills are the program's own.</summary>
    public readonly bool IsOwn => Usual > 0 && _score <= 0;

    /// <summary>Whether a burst left less in flight than others do.</summary>
    /// <param name="fill">In flight after the burst, bytes; 0 when its fill is not known.</param>
    /// <returns>False as well when no other was answered at once.</returns>
    public readonly bool IsLess(int fill) => fill > 0 && fill < _usual;

    /// <summary>Learns from a burst that follows one.</summary>
    /// <param name="fill">In flight after the burst before, bytes; 0 when that is not known.</param>
    /// <param name="answer">How the next one stands to the acknowledgment before it.</param>
    /// <param name="toRoom">How it stands to the acknowledgment that made room.</param>
    /// <param name="delay">Time between the latest acknowledgment and the next burst, nanoseconds.</param>
    /// <returns>True when another fill is the usual one from now on: what was less than the one before need not be less than this.</returns>
    public bool Learn(int fill, Answer answer, Answer toRoom, long delay)
    {
        int usual = _usual;
        if (IsLess(fill))
        {
            answer = _early > 0 && toRoom < answer ? toRoom : answer;
            answer = answer > Answer.Late && delay > (MostTimes * _delay) + Resolution ? Answer.Late : answer;
            _score = (sbyte)Math.Clamp(_score + Weight(answer), -MostHabit, MostHabit);
        }

        else if (answer == Answer.Immediate && fill > 0)
        {
            _delay = _votes == 0 ? delay : _delay + ((delay - _delay) / MostTimes);
            _early = (sbyte)Math.Clamp(_early + (toRoom == answer ? 1 : -1), -MostHabit, MostHabit);
        }

        if (answer == Answer.Immediate && fill > 0)
        {
            Vote(fill);
        }

        return usual > 0 && _usual != usual;
    }

    static int Weight(Answer answer) => answer switch
    {
        Answer.Immediate => 2,
        Answer.Prompt => 1,
        Answer.Late or Answer.Belated => -1,
        _ => 0, // beyond an RTO, it is the program's own whatever came before
    };

    // The majority vote of Boyer and Moore: each other fill takes one away.
    void Vote(int fill)
    {
        if (_votes == 0 && fill != _usual)
        {
            _usual = fill;
            _score = 0;
        }

        _votes = fill == _usual ? (byte)Math.Min(_votes + 1, MostHabit) : (byte)(_votes - 1);
    }
}
