using System;
using System.Runtime.InteropServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>Takes RTT samples and tells their quantiles: the first few exactly, many by a histogram.</summary>
sealed class RttRecorder
{
    readonly StructPool<RttHistogram> _histograms = new();

    /// <summary>Takes a sample.</summary>
    /// <param name="samples">Where it belongs.</param>
    /// <param name="nanoseconds">The sample; negative ones, from records out of order, are not counted.</param>
    public void Add(ref RttSamples samples, long nanoseconds)
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
        else if (samples.Count < RttSamples.ExactLength)
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
    public RttSummary Summarise(in RttSamples samples) => samples.Count == 0
        ? default
        : new(samples.Min, Quantile(samples, 50), Quantile(samples, 95), samples.Count);

    /// <summary>Gives back what samples used.</summary>
    /// <param name="samples">The samples; empty afterwards.</param>
    public void Release(ref RttSamples samples)
    {
        _histograms.Return(ref samples.Histogram);
        samples = default;
    }

    static Span<uint> StepsOf(ref RttSamples samples) => MemoryMarshal.Cast<long, uint>((Span<long>)samples.Exact);

    static bool TryAddStep(ref RttSamples samples, long nanoseconds)
    {
        if (samples.Count == RttSamples.ExactLength)
        {
            MoveToSteps(ref samples);
        }

        return RttSteps.TryAdd(StepsOf(ref samples), ref samples.Steps, nanoseconds);
    }

    static void MoveToSteps(ref RttSamples samples)
    {
        RttSamples.ExactSamples exact = samples.Exact;
        foreach (long sample in exact)
        {
            _ = RttSteps.TryAdd(StepsOf(ref samples), ref samples.Steps, sample); // twice as many steps as samples have room
        }
    }

    void MoveToHistogram(ref RttSamples samples, long nanoseconds)
    {
        samples.Histogram = _histograms.Take();
        ref RttHistogram histogram = ref samples.Histogram.Value;
        RttSteps.CopyTo(StepsOf(ref samples)[..samples.Steps], ref histogram);
        histogram.Add(nanoseconds);
    }

    // The nearest-rank quantile.
    long Quantile(in RttSamples samples, int percent)
    {
        long rank = ((samples.Count * percent) + 99) / 100;
        if (samples.Histogram.IsAny)
        {
            return Math.Clamp(samples.Histogram.Value.ValueAt(rank), samples.Min, samples.Max);
        }

        if (samples.Steps > 0)
        {
            RttSamples copy = samples;
            Span<uint> steps = StepsOf(ref copy)[..copy.Steps];
            return Math.Clamp(RttSteps.ValueAt(steps, rank), samples.Min, samples.Max);
        }

        Span<long> sorted = stackalloc long[RttSamples.ExactLength];
        sorted = sorted[..(int)samples.Count];
        for (int i = 0; i < sorted.Length; i++)
        {
            sorted[i] = samples.Exact[i];
        }

        sorted.Sort();
        return sorted[(int)rank - 1];
    }
}
