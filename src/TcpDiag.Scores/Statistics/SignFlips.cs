using System;
using System.Collections.Generic;

namespace TcpDiag.Scores.Statistics;

/// <summary>
/// Tests whether signs are a matter of chance: had the two runs of a pair been exchanged, its difference had the other sign. With ranks as weights this is
/// the signed-rank test of Wilcoxon (1945). The distribution is exact, given the weights.
/// </summary>
static class SignFlips
{
    // Additions that an exact distribution may take; above, the normal distribution serves.
    const double MaxExactSteps = 20e6;

    /// <summary>The doubled rank of each difference's size, with its sign; the middle one for ties.</summary>
    /// <param name="differences">The differences. Those of 0 are ranked, but have no sign (Pratt 1959).</param>
    /// <returns>Weights in the order of the differences; 0 for a difference of 0.</returns>
    public static long[] SignedRanks(ReadOnlySpan<double> differences)
    {
        double[] sizes = new double[differences.Length];
        int[] order = new int[differences.Length];
        for (int i = 0; i < sizes.Length; i++)
        {
            sizes[i] = Math.Abs(differences[i]);
            order[i] = i;
        }

        Array.Sort(sizes, order);
        long[] weights = new long[sizes.Length];
        for (int from = 0, to; from < sizes.Length; from = to)
        {
            to = from + 1;
            while (to < sizes.Length && sizes[to].CompareTo(sizes[from]) == 0)
            {
                to++;
            }

            // Positions from+1 … to have the mean (from + 1 + to) / 2.
            for (int i = from; i < to; i++)
            {
                weights[order[i]] = Math.Sign(differences[order[i]]) * (from + 1 + to);
            }
        }

        return weights;
    }

    /// <summary>How likely a sum at least as far from 0 is when each weight has either sign with the same probability.</summary>
    /// <param name="weights">One for each pair, or for all pairs together that can only be exchanged together.</param>
    /// <returns>The two-sided p-value, 0 … 1.</returns>
    public static double PValue(IReadOnlyList<long> weights)
    {
        long sum = 0;
        long all = 0;
        double variance = 0;
        foreach (long weight in weights)
        {
            sum += weight;
            all += Math.Abs(weight);
            variance += (double)weight * weight;
        }

        if (all == 0)
        {
            return 1;
        }

        // Sums are two apart at least, doubled ranks four: half of that corrects for continuity.
        return (double)all * weights.Count <= MaxExactSteps
            ? ExactTails(weights, (int)all, Math.Abs(sum))
            : Math.Min(1, 2 * NormalDistribution.UpperTail(Math.Max(0, Math.Abs(sum) - 2) / Math.Sqrt(variance)));
    }

    /// <summary>The smallest p-value that so many pairs can give.</summary>
    /// <param name="pairs">How many.</param>
    /// <returns>2 / 2ⁿ: all signs alike.</returns>
    public static double MinPValue(int pairs) => Math.Min(1, 2 * Math.Pow(0.5, pairs));

    /// <summary>The distribution of the sum of those weights that are positive.</summary>
    /// <param name="weights">The weights; their signs do not matter.</param>
    /// <param name="all">The sum of their sizes.</param>
    /// <returns>The probability of each sum from 0 to <paramref name="all"/>.</returns>
    public static double[] PositiveSum(IReadOnlyList<long> weights, int all)
    {
        double[] distribution = new double[all + 1];
        distribution[0] = 1;
        int reached = 0;
        foreach (long weight in weights)
        {
            int size = (int)Math.Abs(weight);
            reached += size;
            for (int sum = reached; sum >= 0; sum--)
            {
                distribution[sum] = (distribution[sum] + (sum >= size ? distribution[sum - size] : 0)) / 2;
            }
        }

        return distribution;
    }

    // A sum S of all has the positive part (all + S) / 2.
    static double ExactTails(IReadOnlyList<long> weights, int all, long distance)
    {
        double tails = 0;
        double[] distribution = PositiveSum(weights, all);
        for (int positive = 0; positive <= all; positive++)
        {
            tails += Math.Abs((2L * positive) - all) >= distance ? distribution[positive] : 0;
        }

        return Math.Min(1, tails);
    }
}
