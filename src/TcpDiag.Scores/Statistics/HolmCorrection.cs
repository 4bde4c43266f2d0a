using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.Statistics;

/// <summary>
/// Holm's step-down correction (1979) for several tests at once, with weights: the probability of even one false alarm among them stays below the level,
/// whatever they have in common. A test of more weight has more of the budget; what is decided leaves its part to the rest.
/// </summary>
static class HolmCorrection
{
    /// <summary>Adjusts p-values.</summary>
    /// <param name="p">The p-values of all tests.</param>
    /// <param name="weights">A weight above 0 for each.</param>
    /// <returns>The adjusted ones, in the same order; compare each with the level itself.</returns>
    public static double[] Adjust(IReadOnlyList<double> p, IReadOnlyList<double> weights)
    {
        int[] order = [.. Enumerable.Range(0, p.Count).OrderBy(test => p[test] / weights[test])];
        double left = weights.Sum();
        double[] adjusted = new double[p.Count];
        double reached = 0;
        foreach (int test in order)
        {
            reached = Math.Max(reached, Math.Min(1, p[test] / weights[test] * left));
            adjusted[test] = reached;
            left -= weights[test];
        }

        return adjusted;
    }
}
