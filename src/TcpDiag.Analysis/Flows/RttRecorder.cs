using System;

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
        if (samples.Histogram > 0)
        {
            _histograms[samples.Histogram - 1].Add(nanoseconds);
        }
        else if (samples.Count < RttSamples.ExactLength)
        {
            samples.Exact[(int)samples.Count] = nanoseconds;
        }
        else
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
        if (samples.Histogram > 0)
        {
            _histograms.Return(samples.Histogram - 1);
        }

        samples = default;
    }

    void MoveToHistogram(ref RttSamples samples, long nanoseconds)
    {
        samples.Histogram = _histograms.Take() + 1;
        ref RttHistogram histogram = ref _histograms[samples.Histogram - 1];
        foreach (long sample in samples.Exact)
        {
            histogram.Add(sample);
        }

        histogram.Add(nanoseconds);
    }

    // The nearest-rank quantile.
    long Quantile(in RttSamples samples, int percent)
    {
        long rank = ((samples.Count * percent) + 99) / 100;
        if (samples.Histogram > 0)
        {
            return Math.Clamp(_histograms[samples.Histogram - 1].ValueAt(rank), samples.Min, samples.Max);
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
