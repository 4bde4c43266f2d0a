using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>
/// What the ratio of two medians would have been with other runs (Efron 1979): each side's runs are drawn again with replacement, many times. Kept as
/// logarithms, so that a ratio and its inverse have the same size and several cells can be averaged.
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

    /// <summary>The interval that holds the middle share of resampled ratios.</summary>
    /// <param name="logRatios">Their logarithms; sorted afterwards.</param>
    /// <param name="confidence">The share, e.g. 0.95.</param>
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

/// <summary>An interval of ratios.</summary>
/// <param name="Low">Its lower end.</param>
/// <param name="High">Its upper end.</param>
public readonly record struct Interval(double Low, double High);

/// <summary>
/// A random stream that is the same on every platform and in every version of .NET (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014).
/// </summary>
/// <param name="seed">Where it starts.</param>
struct SplitMix64(ulong seed)
{
    ulong _state = seed;

    /// <summary>The next whole number below a bound.</summary>
    /// <param name="bound">The bound, at least 1. The bias of the product method is below bound / 2⁶⁴.</param>
    /// <returns>0 … bound − 1.</returns>
    public int Next(int bound) => (int)Math.BigMul(NextBits(), (ulong)bound, out _);

    /// <summary>The next 64 bits.</summary>
    /// <returns>The bits.</returns>
    public ulong NextBits()
    {
        _state += 0x9E37_79B9_7F4A_7C15;
        ulong mixed = (_state ^ (_state >> 30)) * 0xBF58_476D_1CE4_E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB;
        return mixed ^ (mixed >> 31);
    }
}
