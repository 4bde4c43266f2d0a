using System;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Bursts that left less in flight than most of those whose writer was woken at once. Writes of one size fill a buffer to the same byte each time; what leaves it less full is the end of
/// what a program had to write, or a write of another size. Pauses behind it tell the one, answers the other: either may be so once by chance, so that one answer makes no level. An answer is
/// one to the acknowledgment that makes room, where writers are woken by that (Linux: as soon as a third is free); a program whose rhythm is that of the round trip answers a later one as well.
/// And it comes as soon as behind usual fills (<see cref="UsualDelay"/>): writer, machine and path are the same.
/// </summary>
struct LesserFill
{
    const int MostHabit = 16;

    UsualFill _usual;
    UsualDelay _delay; // behind usual fills
    sbyte _score; // answers less pauses behind lesser fills
    sbyte _early; // answers to the acknowledgment that makes room, less others, behind usual fills

    /// <summary>What is in flight when writes wait for room, nearly always, bytes; 0 when that differs.</summary>
    public readonly int Usual => _usual.Known;

    /// <summary>Whether pauses behind lesser fills are the program's own.</summary>
    public readonly bool IsOwn => Usual > 0 && _score <= 0;

    /// <summary>Whether a burst left less in flight than others do.</summary>
    /// <param name="fill">In flight after the burst, bytes; 0 when its fill is not known.</param>
    /// <returns>False as well when no other was answered at once.</returns>
    public readonly bool IsLess(int fill) => fill > 0 && fill < _usual.Foremost;

    /// <summary>Whether a burst comes later than those behind usual fills.</summary>
    /// <param name="delay">Time between the latest acknowledgment and the burst, nanoseconds.</param>
    /// <returns>False as well when nothing is usual yet.</returns>
    public readonly bool IsLater(long delay) => _delay.IsLater(delay);

    /// <summary>Learns from a burst that follows one.</summary>
    /// <param name="fill">In flight after the burst before, bytes; 0 when that is not known.</param>
    /// <param name="answer">How the next one stands to the acknowledgment before it.</param>
    /// <param name="toRoom">How it stands to the acknowledgment that made room.</param>
    /// <param name="delay">Time between the latest acknowledgment and the next burst, nanoseconds.</param>
    /// <returns>True when another fill is the usual one from now on: what was less than the one before need not be less than this.</returns>
    public bool Learn(int fill, Answer answer, Answer toRoom, long delay)
    {
        if (IsLess(fill))
        {
            answer = _early > 0 && toRoom < answer ? toRoom : answer;
            answer = answer > Answer.Late && _delay.IsLater(delay) ? Answer.Late : answer;
            _score = (sbyte)Math.Clamp(_score + Weight(answer), -MostHabit, MostHabit);
        }

        return answer == Answer.Immediate && fill > 0 && OnImmediate(fill, toRoom, delay);
    }

    bool OnImmediate(int fill, Answer toRoom, long delay)
    {
        int foremost = _usual.Foremost;
        _usual.Add(fill);
        bool isChanged = foremost > 0 && _usual.Foremost != foremost;
        if (isChanged)
        {
            _delay = default;
            _score = 0;
            _early = 0;
        }

        if (fill == _usual.Foremost)
        {
            _delay.Learn(delay);
            _early = (sbyte)Math.Clamp(_early + (toRoom == Answer.Immediate ? 1 : -1), -MostHabit, MostHabit);
        }

        return isChanged && _usual.Foremost < foremost;
    }

    static int Weight(Answer answer) => answer switch
    {
        Answer.Immediate => 2,
        Answer.Prompt => 1,
        Answer.Late or Answer.Belated => -1,
        _ => 0, // beyond an RTO, it is the program's own whatever came before
    };
}
