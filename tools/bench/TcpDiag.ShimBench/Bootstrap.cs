using System;
using System.Linq;

namespace TcpDiag.ShimBench;

/// <summary>
/// The ratio of two measurements taken in pairs, one right behind the other: the median of the pairs' ratios, with a percentile bootstrap interval of 95 %
/// (Efron and Tibshirani, An Introduction to the Bootstrap, §13.3) over resampled pairs.
/// </summary>
/// <param name="Median">The ratio.</param>
/// <param name="Low">Lower end of the interval.</param>
/// <param name="High">Upper end of the interval.</param>
readonly record struct Bootstrap(double Median, double Low, double High)
{
    const int Resamples = 10_000;
    const int Seed = 1;

    /// <summary>Of pairs measured in turn.</summary>
    public static Bootstrap OfRatios(double[] numerators, double[] denominators)
    {
        double[] ratios = [.. numerators.Zip(denominators, (numerator, denominator) => numerator / denominator)];
        Random random = new(Seed);
        double[] medians = new double[Resamples];
        double[] drawn = new double[ratios.Length];
        for (int i = 0; i < Resamples; i++)
        {
            for (int j = 0; j < drawn.Length; j++)
            {
                drawn[j] = ratios[random.Next(ratios.Length)];
            }

            medians[i] = MedianOf(drawn);
        }

        Array.Sort(medians);
        return new Bootstrap(MedianOf(ratios), medians[Resamples / 40], medians[Resamples - 1 - (Resamples / 40)]);
    }

    /// <summary>The middle of some values.</summary>
    public static double MedianOf(double[] values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// <inheritdoc/>
    public override string ToString() => FormattableString.Invariant($"{Median:F2} ({Low:F2} … {High:F2})");
}
