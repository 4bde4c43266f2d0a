using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>
/// The test of Mann and Whitney (1947): of all pairs of a value of one sample and a value of the other, in how many is the second one greater? Ties
/// count half. Several strata (cells of an experiment) can be tested as one: their statistics add up, and values are only ever compared within a
/// stratum.
/// <para>
/// The null distribution is exact, given the ties, while a stratum has at most <see cref="MaxExactValues"/> values; above, the normal distribution with
/// the variance corrected for ties. All counts are doubled, so that ties stay whole.
/// </para>
/// </summary>
sealed class MannWhitney
{
    /// <summary>Values of one stratum up to which the exact distribution is computed: 25 million additions.</summary>
    public const int MaxExactValues = 100;

    // The convolution over strata takes (length of the whole) × (length of the stratum) steps.
    const long MaxExactLength = 20_000;

    readonly double[]? _distribution;
    readonly double _variance;

    MannWhitney(long doubledU, long pairs, double variance, double[]? distribution)
    {
        DoubledU = doubledU;
        Pairs = pairs;
        _variance = variance;
        _distribution = distribution;
    }

    /// <summary>Pairs of a value of each sample.</summary>
    public long Pairs { get; }

    /// <summary>Twice the number of pairs in which the second value is greater, ties counting half.</summary>
    public long DoubledU { get; }

    /// <summary>The statistic U of the second sample.</summary>
    public double U => DoubledU / 2.0;

    /// <summary>Cliff's delta (1993): the share of pairs in which the second value is greater, minus that in which it is less; −1 … 1.</summary>
    public double CliffsDelta => (double)(DoubledU - Pairs) / Pairs;

    /// <summary>Compares two samples.</summary>
    /// <param name="first">At least one value.</param>
    /// <param name="second">At least one value.</param>
    /// <returns>The test.</returns>
    public static MannWhitney Of(ReadOnlySpan<double> first, ReadOnlySpan<double> second)
    {
        RankedPool pool = new(first, second);
        long pairs = (long)first.Length * second.Length;
        double[]? distribution = first.Length + second.Length <= MaxExactValues ? pool.DistributionOfU() : null;
        return new MannWhitney(pool.DoubledU, pairs, pool.VarianceOfDoubledU, distribution);
    }

    /// <summary>Adds another stratum to the test.</summary>
    /// <param name="other">The test of that stratum.</param>
    /// <returns>The test of both.</returns>
    public MannWhitney Plus(MannWhitney other) => new(
        DoubledU + other.DoubledU,
        Pairs + other.Pairs,
        _variance + other._variance,
        _distribution is { } one && other._distribution is { } two && one.Length + two.Length <= MaxExactLength ? Convolve(one, two) : null);

    /// <summary>How likely a statistic at least as far from its mean is when the samples come from one distribution.</summary>
    /// <returns>The two-sided p-value, 0 … 1.</returns>
    public double PValue()
    {
        long distance = Math.Abs(DoubledU - Pairs);
        return _distribution is { } exact ? Tails(exact, distance) : NormalTails(distance);
    }

    /// <summary>The smallest p-value that samples of these sizes can give.</summary>
    /// <param name="first">Values of one.</param>
    /// <param name="second">Values of the other.</param>
    /// <returns>2 / C(first + second, first); both extremes are equally far from the mean.</returns>
    public static double MinPValue(int first, int second)
    {
        double ways = 1;
        for (int i = 1; i <= first; i++)
        {
            ways *= (double)(second + i) / i;
        }

        return Math.Min(1, 2 / ways);
    }

    // The mean of the doubled statistic is the number of pairs.
    double Tails(double[] distribution, long distance)
    {
        double sum = 0;
        for (int value = 0; value < distribution.Length; value++)
        {
            sum += Math.Abs(value - Pairs) >= distance ? distribution[value] : 0;
        }

        return Math.Min(1, sum);
    }

    // Half a pair, 1 in doubled counts, corrects for continuity.
    double NormalTails(long distance) =>
        _variance > 0 ? Math.Min(1, 2 * NormalDistribution.UpperTail(Math.Max(0, distance - 1) / Math.Sqrt(_variance))) : 1;

    static double[] Convolve(double[] one, double[] two)
    {
        double[] sum = new double[one.Length + two.Length - 1];
        for (int i = 0; i < two.Length; i++)
        {
            // Without ties every second value cannot occur.
            if (two[i] > 0)
            {
                for (int j = 0; j < one.Length; j++)
                {
                    sum[i + j] += one[j] * two[i];
                }
            }
        }

        return sum;
    }
}
