using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>
/// Holm's step-down correction (1979) for several tests at once: the probability of even one false alarm among them stays below the level, whatever
/// they have in common.
/// </summary>
static class HolmCorrection
{
    /// <summary>Adjusts p-values.</summary>
    /// <param name="p">The p-values of all tests.</param>
    /// <returns>The adjusted ones, in the same order; compare each with the level itself.</returns>
    public static double[] Adjust(ReadOnlySpan<double> p)
    {
        double[] sorted = p.ToArray();
        int[] order = new int[p.Length];
        for (int i = 0; i < order.Length; i++)
        {
            order[i] = i;
        }

        Array.Sort(sorted, order);
        double[] adjusted = new double[p.Length];
        double min = 0;
        for (int i = 0; i < order.Length; i++)
        {
            min = Math.Max(min, Math.Min(1, sorted[i] * (order.Length - i)));
            adjusted[order[i]] = min;
        }

        return adjusted;
    }
}
