using System;

namespace TcpDiag.Truth;

/// <summary>Quantiles of few values.</summary>
static class Quantiles
{
    /// <summary>The value whose rank is nearest.</summary>
    /// <param name="sorted">The values, the smallest first.</param>
    /// <param name="share">0 … 1.</param>
    /// <returns>NaN of none.</returns>
    public static double Nearest(double[] sorted, double share) => sorted.Length == 0 ? double.NaN : sorted[(int)Math.Round(share * (sorted.Length - 1))];

    /// <summary>Between the two values of the nearest ranks, as far from each as its rank (R. J. Hyndman, Y. Fan 1996, definition 7).</summary>
    /// <param name="sorted">The values, the smallest first.</param>
    /// <param name="share">0 … 1.</param>
    /// <returns>NaN of none.</returns>
    public static double Between(double[] sorted, double share)
    {
        if (sorted.Length == 0)
        {
            return double.NaN;
        }

        double rank = share * (sorted.Length - 1);
        int below = (int)rank;
        return double.Lerp(sorted[below], sorted[Math.Min(below + 1, sorted.Length - 1)], rank - below);
    }
}
