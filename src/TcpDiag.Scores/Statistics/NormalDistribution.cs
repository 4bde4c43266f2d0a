using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>The standard normal distribution.</summary>
static class NormalDistribution
{
    /// <summary>The probability of more than a value.</summary>
    /// <param name="z">The value, at least 0.</param>
    /// <returns>The probability, to 7.5·10⁻⁸ (Abramowitz and Stegun 1964, 26.2.17).</returns>
    public static double UpperTail(double z)
    {
        double t = 1 / (1 + (0.2316419 * z));
        double polynomial = t * (0.319381530 + (t * (-0.356563782 + (t * (1.781477937 + (t * (-1.821255978 + (t * 1.330274429))))))));
        return Math.Exp(-z * z / 2) / Math.Sqrt(2 * Math.PI) * polynomial;
    }
}
