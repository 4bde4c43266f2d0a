using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// What is in flight, to the byte, when a blocked writer is woken at once. Of fills that are as frequent it is the fullest: behind another a program's portion may have ended each time, but no
/// portion ends more often than it has filled the buffer. Once known it stays so until another one is twice as frequent, or a fuller one as frequent. Four are counted; a fifth takes the place of the least frequent other.
/// </summary>
struct UsualFill
{
    // So often makes a habit.
    const int Habit = 3;
    const int MostHabit = 16;

    Counts _counts;

    /// <summary>The one that is usual so far, bytes; 0 without any.</summary>
    public int Foremost { get; private set; }

    /// <summary>The same once it has become a habit, bytes; else 0.</summary>
    public int Known { get; private set; }

    /// <summary>Counts one.</summary>
    /// <param name="fill">In flight, bytes.</param>
    public void Add(int fill)
    {
        ref (int Fill, int Times) count = ref PlaceOf(fill);
        count = (fill, count.Fill == fill ? count.Times + 1 : 1);
        if (count.Times > MostHabit)
        {
            Halve();
        }

        Choose();
    }

    [UnscopedRef]
    ref (int Fill, int Times) PlaceOf(int fill)
    {
        int place = _counts[0].Fill == Foremost ? 1 : 0;
        for (int i = 0; i < Counts.Length; i++)
        {
            if (_counts[i].Fill == fill)
            {
                return ref _counts[i];
            }

            place = _counts[i].Times < _counts[place].Times && _counts[i].Fill != Foremost ? i : place;
        }

        return ref _counts[place];
    }

    // What was usual once fades.
    void Halve()
    {
        foreach (ref (int Fill, int Times) count in _counts)
        {
            count.Times /= 2;
        }
    }

    void Choose()
    {
        int most = 0;
        int foremost = 0;
        foreach ((int fill, int times) in _counts)
        {
            most = Math.Max(most, times);
            foremost = fill == Foremost ? times : foremost;
        }

        bool isRare = 2 * foremost <= most;
        int least = isRare ? (most / 2) + 1 : Math.Max(Habit, most - 1); // a portion may have ended once more than it is known to have filled the buffer
        (int Fill, int Times) chosen = isRare ? default : (Foremost, foremost);
        foreach ((int Fill, int Times) count in _counts)
        {
            chosen = count.Times >= least && count.Fill > chosen.Fill ? count : chosen;
        }

        Foremost = chosen.Fill;
        Known = chosen.Times >= Habit ? chosen.Fill : 0;
    }

    [InlineArray(Length)]
    struct Counts
    {
        public const int Length = 4;

        (int Fill, int Times) _first;
    }
}
