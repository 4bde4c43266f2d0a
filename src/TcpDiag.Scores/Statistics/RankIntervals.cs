using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.Statistics;

/// <summary>
/// Shifts after Hodges and Lehmann (1963) with the intervals that belong to the rank tests: all shifts that the test would not reject. They need no normal
/// distribution and no resampling, and one outlier hardly moves them. Of pairs, the median of all averages of two differences (Walsh; Tukey 1949); without
/// pairs, the median of all differences between a value of one side and one of the other (Moses 1965).
/// </summary>
static class RankIntervals
{
    // Of a test; ranks are discrete, so that it cannot be kept exactly.
    const double Level = 0.05;
    const double MaxConfidence = 0.97;
    const int MaxExactPairs = 100;
    const int MaxExactValues = 60;

    // Depends on the sizes alone; a report asks for the same ones again and again.
    static readonly ConcurrentDictionary<(int First, int Second), int> Cuts = new();

    /// <summary>The shift within pairs.</summary>
    /// <param name="differences">At least one.</param>
    /// <returns>The shift and its interval.</returns>
    public static Estimate OfPairs(ReadOnlySpan<double> differences)
    {
        int n = differences.Length;
        double[] averages = new double[n * (n + 1) / 2];
        int count = 0;
        for (int i = 0; i < n; i++)
        {
            for (int j = i; j < n; j++)
            {
                averages[count++] = (differences[i] + differences[j]) / 2;
            }
        }

        return Middle(averages, Cuts.GetOrAdd((n, 0), sizes => CutOfPairs(sizes.First)));
    }

    /// <summary>By how much the second sample lies above the first.</summary>
    /// <param name="first">At least one value.</param>
    /// <param name="second">At least one value.</param>
    /// <returns>The shift and its interval.</returns>
    public static Estimate OfSamples(ReadOnlySpan<double> first, ReadOnlySpan<double> second)
    {
        double[] differences = new double[first.Length * second.Length];
        int count = 0;
        foreach (double one in first)
        {
            foreach (double other in second)
            {
                differences[count++] = other - one;
            }
        }

        return Middle(differences, Cuts.GetOrAdd((first.Length, second.Length), sizes => CutOfSamples(sizes.First, sizes.Second)));
    }

    /// <summary>
    /// The mean of several shifts. Its bounds are recovered from theirs (MOVER: Zou and Donner 2008): distances to the bounds add as squares where shifts are
    /// independent, and as they are within a group that shares its chances. Bounds of few runs are wide as their spread is hardly known; of all runs together
    /// it is known better, by the quantiles of Student's distribution.
    /// </summary>
    /// <param name="groups">The shifts, with the degrees of freedom behind each, by what they share; at least one.</param>
    /// <returns>The mean and its interval.</returns>
    public static Estimate OfMean(IReadOnlyList<IReadOnlyList<(Estimate Shift, int Freedom)>> groups)
    {
        int count = groups.Sum(group => group.Count);
        double mean = groups.Sum(group => group.Sum(entry => entry.Shift.Value)) / count;
        double all = NormalDistribution.Student95(groups.Sum(group => group.Max(entry => entry.Freedom))) / count;
        double below = all * Math.Sqrt(groups.Sum(group => Square(group.Sum(entry => Scaled(entry, entry.Shift.Value - entry.Shift.Bounds.Low)))));
        double above = all * Math.Sqrt(groups.Sum(group => Square(group.Sum(entry => Scaled(entry, entry.Shift.Bounds.High - entry.Shift.Value)))));
        return new Estimate(mean, new Interval(mean - below, mean + above));
    }

    static double Scaled((Estimate Shift, int Freedom) entry, double distance) => distance / NormalDistribution.Student95(entry.Freedom);

    static Estimate Middle(double[] values, int cut)
    {
        Array.Sort(values);
        double median = (values[(values.Length - 1) / 2] + values[values.Length / 2]) / 2;
        return new Estimate(median, new Interval(values[cut], values[values.Length - 1 - cut]));
    }

    static int CutOfPairs(int n)
    {
        double pairs = n * (n + 1) / 2.0;
        if (n > MaxExactPairs)
        {
            return Rounded(pairs / 2, Math.Sqrt(pairs * ((2 * n) + 1) / 12));
        }

        long[] ranks = [.. Enumerable.Range(1, n).Select(rank => (long)rank)];
        return Cut(SignFlips.PositiveSum(ranks, (int)pairs));
    }

    static int CutOfSamples(int first, int second)
    {
        double pairs = (double)first * second;
        if (first + second > MaxExactValues)
        {
            return Rounded(pairs / 2, Math.Sqrt(pairs * (first + second + 1) / 12));
        }

        // Without ties the doubled statistic is even.
        double[] untied = [.. Enumerable.Range(0, first + second).Select(value => (double)value)];
        double[] doubled = new RankedPool(untied.AsSpan(0, first), untied.AsSpan(first)).DistributionOfU();
        return Cut([.. doubled.Where((_, index) => index % 2 == 0)]);
    }

    static int Rounded(double mean, double deviation) => Math.Max(0, (int)Math.Round(mean - (NormalDistribution.Two95 * deviation) - 0.5));

    // How many values to leave out at each end: as few as give at least 95 %, unless that is more than 97 % and leaving out one more is closer to 95.
    static int Cut(double[] distribution)
    {
        double tail = distribution[0];
        int cut = 0;
        while (cut + 1 < distribution.Length / 2)
        {
            double next = tail + distribution[cut + 1];
            bool isCloser = Math.Abs((2 * next) - Level) < Math.Abs((2 * tail) - Level);
            if (2 * next > Level && !(isCloser && 1 - (2 * tail) > MaxConfidence))
            {
                break;
            }

            tail = next;
            cut++;
        }

        return cut;
    }

    static double Square(double value) => value * value;
}
