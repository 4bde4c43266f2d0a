using System.Numerics;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// A histogram of durations with 16 equal steps in each octave from 1.024 µs to 68 s. A quantile read from it is the
/// middle of its step, so it is off by at most 1/32 of itself (3.1 %); below the first octave, by at most 0.5 µs.
/// </summary>
struct RttHistogram
{
    const int StepBits = 4;
    const int StepsPerOctave = 1 << StepBits;
    const int LowestOctave = 10; // 2^10 ns
    const int Octaves = 26; // up to 2^36 ns
    const int Length = 1 + (Octaves * StepsPerOctave); // the first counts what is below the lowest octave

    Counts _counts;

    /// <summary>Counts a duration.</summary>
    /// <param name="nanoseconds">The duration; what is too long counts into the last step.</param>
    public void Add(long nanoseconds) => _counts[StepOf(nanoseconds)]++;

    /// <summary>Counts durations of one step.</summary>
    /// <param name="step">The step.</param>
    /// <param name="count">How many.</param>
    public void Add(int step, uint count) => _counts[step] += count;

    /// <summary>The value at a rank.</summary>
    /// <param name="rank">1 … number of values.</param>
    /// <returns>The middle of the step it lies in, nanoseconds.</returns>
    public readonly long ValueAt(long rank)
    {
        int step = 0;
        for (long seen = _counts[0]; seen < rank && step < Length - 1; seen += _counts[step])
        {
            step++;
        }

        return MiddleOf(step);
    }

    /// <summary>The step a duration counts into.</summary>
    /// <param name="nanoseconds">The duration.</param>
    /// <returns>0 … 416.</returns>
    public static int StepOf(long nanoseconds)
    {
        if (nanoseconds < 1L << LowestOctave)
        {
            return 0;
        }

        int octave = BitOperations.Log2((ulong)nanoseconds);
        int within = (int)(nanoseconds >> (octave - StepBits)) & (StepsPerOctave - 1);
        int step = 1 + ((octave - LowestOctave) << StepBits) + within;
        return step < Length ? step : Length - 1;
    }

    /// <summary>The middle of a step.</summary>
    /// <param name="step">The step.</param>
    /// <returns>Nanoseconds.</returns>
    public static long MiddleOf(int step)
    {
        if (step == 0)
        {
            return 1L << (LowestOctave - 1);
        }

        int octave = LowestOctave + ((step - 1) >> StepBits);
        long width = 1L << (octave - StepBits);
        return (1L << octave) + (((step - 1) & (StepsPerOctave - 1)) * width) + (width / 2);
    }

    [InlineArray(Length)]
    struct Counts
    {
        uint _first;
    }
}
