using System;

namespace TcpDiag.Analysis.Flows;

/// <summary>The steps of an <see cref="RttHistogram"/> that have a count, few enough for a list: step in the upper 9 bits, count in the lower 23.</summary>
static class RttSteps
{
    const int CountBits = 23;
    const uint MostPerStep = (1u << CountBits) - 1;

    /// <summary>Counts a duration.</summary>
    /// <param name="room">The list.</param>
    /// <param name="used">Steps in it.</param>
    /// <param name="nanoseconds">The duration.</param>
    /// <returns>False, and nothing is counted, when the list has no room for it.</returns>
    public static bool TryAdd(Span<uint> room, ref int used, long nanoseconds)
    {
        uint step = (uint)RttHistogram.StepOf(nanoseconds);
        for (int i = 0; i < used; i++)
        {
            if (room[i] >> CountBits == step)
            {
                bool fits = (room[i] & MostPerStep) < MostPerStep;
                room[i] += fits ? 1u : 0;
                return fits;
            }
        }

        if (used == room.Length)
        {
            return false;
        }

        room[used++] = (step << CountBits) | 1;
        return true;
    }

    /// <summary>The value at a rank.</summary>
    /// <param name="steps">The list; sorted afterwards.</param>
    /// <param name="rank">1 … number of values.</param>
    /// <returns>The middle of the step it lies in, nanoseconds.</returns>
    public static long ValueAt(Span<uint> steps, long rank)
    {
        steps.Sort();
        int i = 0;
        for (long seen = steps[0] & MostPerStep; seen < rank && i < steps.Length - 1; seen += steps[i] & MostPerStep)
        {
            i++;
        }

        return RttHistogram.MiddleOf((int)(steps[i] >> CountBits));
    }

    /// <summary>Moves the counts to a histogram.</summary>
    /// <param name="steps">The list.</param>
    /// <param name="histogram">An empty histogram.</param>
    public static void CopyTo(ReadOnlySpan<uint> steps, ref RttHistogram histogram)
    {
        foreach (uint step in steps)
        {
            histogram.Add((int)(step >> CountBits), step & MostPerStep);
        }
    }
}
