using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>Two samples ranked together. Ranks are doubled midranks, so that those of ties are whole: the values 3, 5, 5 have the ranks 2, 5, 5.</summary>
sealed class RankedPool
{
    readonly int[] _ranks;
    readonly int _second;
    readonly double _tieTerm;

    /// <summary>Ranks two samples.</summary>
    /// <param name="first">One sample.</param>
    /// <param name="second">The other.</param>
    public RankedPool(ReadOnlySpan<double> first, ReadOnlySpan<double> second)
    {
        double[] values = [.. first, .. second];
        bool[] isSecond = new bool[values.Length];
        isSecond.AsSpan(first.Length).Fill(true);
        Array.Sort(values, isSecond);
        _second = second.Length;
        _ranks = new int[values.Length];
        long rankSum = 0;
        for (int from = 0, to; from < values.Length; from = to)
        {
            to = from + 1;
            while (to < values.Length && values[to].CompareTo(values[from]) == 0)
            {
                to++;
            }

            // Positions from+1 … to have the mean (from + 1 + to) / 2.
            _ranks.AsSpan(from, to - from).Fill(from + 1 + to);
            rankSum += (long)(from + 1 + to) * isSecond.AsSpan(from, to - from).Count(true);
            double tied = to - from;
            _tieTerm += (tied * tied * tied) - tied;
        }

        // The doubled ranks 2, 4, … 2n add up to n(n + 1).
        DoubledU = rankSum - ((long)_second * (_second + 1));
    }

    /// <summary>Twice the number of pairs in which the second sample's value is greater, ties counting half.</summary>
    public long DoubledU { get; }

    /// <summary>
    /// Variance of <see cref="DoubledU"/> when the samples come from one distribution: 4 · mn/12 · (N + 1 − Σ(t³ − t) / (N(N − 1))), Lehmann 1975.
    /// </summary>
    public double VarianceOfDoubledU
    {
        get
        {
            double all = _ranks.Length;
            return (all - _second) * _second / 3 * (all + 1 - (_tieTerm / (all * (all - 1))));
        }
    }

    /// <summary>
    /// The exact distribution of <see cref="DoubledU"/> over all ways to choose the second sample from the pool: subsets counted by size and by sum of
    /// ranks, one value after the other.
    /// </summary>
    /// <returns>The probability of each value from 0 to twice the number of pairs.</returns>
    public double[] DistributionOfU()
    {
        // Sums only grow, so none above the greatest that a full subset can have is needed.
        int min = _second * (_second + 1);
        int length = min + (2 * (_ranks.Length - _second) * _second) + 1;
        double[][] ways = new double[_second + 1][];
        for (int size = 0; size <= _second; size++)
        {
            ways[size] = new double[length];
        }

        ways[0][0] = 1;
        for (int i = 0; i < _ranks.Length; i++)
        {
            for (int size = Math.Min(i + 1, _second); size >= 1; size--)
            {
                AddShifted(ways[size], ways[size - 1], _ranks[i]);
            }
        }

        return Normalise(ways[_second][min..]);
    }

    static void AddShifted(double[] to, double[] from, int shift)
    {
        for (int sum = 0; sum < to.Length - shift; sum++)
        {
            to[sum + shift] += from[sum];
        }
    }

    static double[] Normalise(double[] ways)
    {
        double all = 0;
        foreach (double count in ways)
        {
            all += count;
        }

        for (int value = 0; value < ways.Length; value++)
        {
            ways[value] /= all;
        }

        return ways;
    }
}
