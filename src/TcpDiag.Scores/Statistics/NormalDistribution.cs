using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>The standard normal distribution.</summary>
static class NormalDistribution
{
    /// <summary>What 97.5 % do not exceed.</summary>
    public const double Two95 = 1.959964;

    /// <summary>What 90 % do not exceed.</summary>
    public const double One90 = 1.281552;

    /// <summary>What 97.5 % of Student's distribution do not exceed.</summary>
    /// <param name="freedom">Degrees of freedom, at least 4.</param>
    /// <returns>The quantile, to 0.01 (Abramowitz and Stegun 1964, 26.7.5, three terms).</returns>
    public static double Student95(int freedom)
    {
        const double z = Two95;
        const double first = ((z * z * z) + z) / 4;
        const double second = ((5 * z * z * z * z * z) + (16 * z * z * z) + (3 * z)) / 96;
        const double third = ((3 * z * z * z * z * z * z * z) + (19 * z * z * z * z * z) + (17 * z * z * z) - (15 * z)) / 384;
        double inverse = 1.0 / freedom;
        return z + (inverse * (first + (inverse * (second + (inverse * third)))));
    }

    /// <summary>The probability of exceeding a value.</summary>
    /// <param name="z">The value, at least 0.</param>
    /// <returns>The probability, to 7.5·10⁻⁸ (Abramowitz and Stegun 1964, 26.2.17).</returns>
    public static double UpperTail(double z)
    {
        double t = 1 / (1 + (0.2316419 * z));
        double polynomial = t * (0.319381530 + (t * (-0.356563782 + (t * (1.781477937 + (t * (-1.821255978 + (t * 1.330274429))))))));
        return Math.Exp(-z * z / 2) / Math.Sqrt(2 * Math.PI) * polynomial;
    }
}
