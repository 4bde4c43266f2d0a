using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>
/// What the ratio of two medians would have been with other runs (Efron 1979): each side's runs are drawn again with replacement, many times. Kept as logarithms, so that a ratio
/// and its inverse are alike and several cells can be averaged.
/// </summary>
static class RatioBootstrap
{
    /// <summary>The resampled ratios of a cell.</summary>
    /// <param name="first">The denominator's values.</param>
    /// <param name="second">The numerator's values.</param>
    /// <param name="seed">Seed of the draws.</param>
    /// <param name="resamples">How many.</param>
    /// <returns>Natural logarithms, in the order drawn.</returns>
    public static double[] LogRatios(ReadOnlySpan<double> first, ReadOnlySpan<double> second, ulong seed, int resamples)
    {
        // Which side is drawn first depends on the values only: exchanging the sides gives exactly the inverse ratios.
        bool isExchanged = second.SequenceCompareTo(first) < 0;
        ReadOnlySpan<double> one = isExchanged ? second : first;
        ReadOnlySpan<double> other = isExchanged ? first : second;
        SplitMix64 random = new(seed);
        double[] scratch = new double[Math.Max(first.Length, second.Length)];
        double[] ratios = new double[resamples];
        for (int i = 0; i < resamples; i++)
        {
            double median = ResampledMedian(one, ref random, scratch);
            double ratio = LogRatio(median, ResampledMedian(other, ref random, scratch));
            ratios[i] = isExchanged ? -ratio : ratio;
        }

        return ratios;
    }

    /// <summary>The logarithm of a ratio of rates.</summary>
    /// <param name="first">The denominator, at least 0.</param>
    /// <param name="second">The numerator, at least 0.</param>
    /// <returns>Infinite where one is 0; 0 where both are.</returns>
    public static double LogRatio(double first, double second) => first.CompareTo(second) == 0 ? 0 : Math.Log(second) - Math.Log(first);

    /// <summary>The interval that holds the middle part of resampled ratios.</summary>
    /// <param name="logRatios">Their logarithms; sorted afterwards.</param>
    /// <param name="confidence">The part, e.g. 0.95.</param>
    /// <returns>The interval of ratios.</returns>
    public static Interval Percentiles(Span<double> logRatios, double confidence)
    {
        logRatios.Sort();
        int outside = (int)((1 - confidence) / 2 * logRatios.Length);
        return new Interval(Math.Exp(logRatios[outside]), Math.Exp(logRatios[logRatios.Length - 1 - outside]));
    }

    static double ResampledMedian(ReadOnlySpan<double> values, ref SplitMix64 random, double[] scratch)
    {
        Span<double> drawn = scratch.AsSpan(0, values.Length);
        for (int i = 0; i < drawn.Length; i++)
        {
            drawn[i] = values[random.Next(values.Length)];
        }

        return Medians.OfScratch(drawn);
    }
}
