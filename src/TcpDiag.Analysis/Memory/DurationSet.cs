using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Memory;

/// <summary>Sums up durations (RTT samples, how late packets came): the first few exactly, many by a histogram.</summary>
sealed class DurationSets
{
    readonly StructPool<DurationHistogram> _histograms = new();

    /// <summary>Takes a sample.</summary>
    /// <param name="samples">Where it belongs.</param>
    /// <param name="nanoseconds">The sample; negative ones, from records out of order, are not counted.</param>
    public void Add(ref DurationSet samples, long nanoseconds)
    {
        if (nanoseconds < 0)
        {
            return;
        }

        samples.Min = samples.Count == 0 || nanoseconds < samples.Min ? nanoseconds : samples.Min;
        samples.Max = Math.Max(samples.Max, nanoseconds);
        if (samples.Histogram.IsAny)
        {
            samples.Histogram.Value.Add(nanoseconds);
        }
        else if (samples.Count < DurationSet.ExactLength)
        {
            samples.Exact[(int)samples.Count] = nanoseconds;
        }
        else if (!TryAddStep(ref samples, nanoseconds))
        {
            MoveToHistogram(ref samples, nanoseconds);
        }

        samples.Count++;
    }

    /// <summary>Sums samples up.</summary>
    /// <param name="samples">The samples.</param>
    /// <returns>Minimum and quantiles, nanoseconds; the default without samples.</returns>
    public RttSummary Summarise(in DurationSet samples) => samples.Count == 0
        ? default
        : new(samples.Min, Quantile(samples, 50), Quantile(samples, 95), samples.Count);

    /// <summary>No further samples come: what is given back from now on goes back to the system.</summary>
    public void Close() => _histograms.Close();

    /// <summary>Gives back what samples used.</summary>
    /// <param name="samples">The samples; empty afterwards.</param>
    public void Release(ref DurationSet samples)
    {
        _histograms.Return(ref samples.Histogram);
        samples = default;
    }

    static Span<uint> StepsOf(ref DurationSet samples) => MemoryMarshal.Cast<long, uint>((Span<long>)samples.Exact);

    static bool TryAddStep(ref DurationSet samples, long nanoseconds)
    {
        if (samples.Count == DurationSet.ExactLength)
        {
            MoveToSteps(ref samples);
        }

        return SparseHistogram.TryAdd(StepsOf(ref samples), ref samples.Steps, nanoseconds);
    }

    static void MoveToSteps(ref DurationSet samples)
    {
        DurationSet.ExactSamples exact = samples.Exact;
        foreach (long sample in exact)
        {
            _ = SparseHistogram.TryAdd(StepsOf(ref samples), ref samples.Steps, sample); // twice as many steps as samples have room
        }
    }

    void MoveToHistogram(ref DurationSet samples, long nanoseconds)
    {
        samples.Histogram = _histograms.Take();
        ref DurationHistogram histogram = ref samples.Histogram.Value;
        SparseHistogram.CopyTo(StepsOf(ref samples)[..samples.Steps], ref histogram);
        histogram.Add(nanoseconds);
    }

    /// <summary>The nearest-rank quantile.</summary>
    /// <param name="samples">The samples.</param>
    /// <param name="percent">Which, 1 … 100.</param>
    /// <returns>Nanoseconds; 0 without samples.</returns>
    public long Quantile(in DurationSet samples, int percent)
    {
        if (samples.Count == 0)
        {
            return 0;
        }

        long rank = (((long)samples.Count * percent) + 99) / 100;
        if (samples.Histogram.IsAny)
        {
            return Math.Clamp(samples.Histogram.Value.ValueAt(rank), samples.Min, samples.Max);
        }

        if (samples.Steps > 0)
        {
            DurationSet copy = samples;
            Span<uint> steps = StepsOf(ref copy)[..copy.Steps];
            return Math.Clamp(SparseHistogram.ValueAt(steps, rank), samples.Min, samples.Max);
        }

        Span<long> sorted = stackalloc long[DurationSet.ExactLength];
        sorted = sorted[..(int)samples.Count];
        for (int i = 0; i < sorted.Length; i++)
        {
            sorted[i] = samples.Exact[i];
        }

        sorted.Sort();
        return sorted[(int)rank - 1];
    }
}

/// <summary>
/// Durations: the first ones as they are. When there are more, the same place holds the steps of the histogram that
/// have a count, and when there are more of these, a histogram is taken: most sets never need the 1.7 kB.
/// </summary>
struct DurationSet
{
    /// <summary>Samples kept exactly.</summary>
    public const int ExactLength = 8;

    /// <summary>Samples taken.</summary>
    public uint Count;

    /// <summary>Steps in <see cref="Exact"/>, once there are more than <see cref="ExactLength"/> samples.</summary>
    public int Steps;

    /// <summary>Smallest, nanoseconds.</summary>
    public long Min;

    /// <summary>Largest, nanoseconds.</summary>
    public long Max;

    /// <summary>The first samples, nanoseconds.</summary>
    public ExactSamples Exact;

    /// <summary>Where the samples are counted; none as long as there are few.</summary>
    public Pooled<DurationHistogram> Histogram;

    [InlineArray(ExactLength)]
    public struct ExactSamples
    {
        long _first;
    }
}

/// <summary>
/// A histogram of durations with 16 equal steps in each octave from 1.024 µs to 68 s. A quantile read from it is the
/// middle of its step, so it is off by at most 1/32 of itself (3.1 %); below the first octave, by at most 0.5 µs.
/// </summary>
struct DurationHistogram
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

/// <summary>
/// The steps of an <see cref="DurationHistogram"/> that have a count, few enough for a list: step in the upper 9 bits, count in the lower 23.
/// </summary>
static class SparseHistogram
{
    const int CountBits = 23;
    const uint MaxPerStep = (1u << CountBits) - 1;

    /// <summary>Counts a duration.</summary>
    /// <param name="room">The list.</param>
    /// <param name="used">Steps in it.</param>
    /// <param name="nanoseconds">The duration.</param>
    /// <returns>False, and nothing is counted, when the list has no room for it.</returns>
    public static bool TryAdd(Span<uint> room, ref int used, long nanoseconds)
    {
        uint step = (uint)DurationHistogram.StepOf(nanoseconds);
        for (int i = 0; i < used; i++)
        {
            if (room[i] >> CountBits == step)
            {
                bool fits = (room[i] & MaxPerStep) < MaxPerStep;
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
        for (long seen = steps[0] & MaxPerStep; seen < rank && i < steps.Length - 1; seen += steps[i] & MaxPerStep)
        {
            i++;
        }

        return DurationHistogram.MiddleOf((int)(steps[i] >> CountBits));
    }

    /// <summary>Moves the counts to a histogram.</summary>
    /// <param name="steps">The list.</param>
    /// <param name="histogram">An empty histogram.</param>
    public static void CopyTo(ReadOnlySpan<uint> steps, ref DurationHistogram histogram)
    {
        foreach (uint step in steps)
        {
            histogram.Add((int)(step >> CountBits), step & MaxPerStep);
        }
    }
}
