using System;

namespace TcpDiag.Impairment.Stages;

/// <summary>
/// The distributions of jitter as cells of equal width with a weight each, in multiples of its amount. Only + × ÷ are used, which every platform rounds alike.
/// </summary>
static class JitterCells
{
    public const int UniformCells = 64;

    // Normal: 16 cells a standard deviation, four deviations to each side (the rest is 6·10⁻⁵).
    const int CellsPerDeviation = 16;
    const int Deviations = 4;

    // Lomax, shape 4, scale 3: 16 cells an amount, to 30 times the amount (the rest is 7·10⁻⁵, and 0.3 % of the mean).
    const int CellsPerMean = 16;
    const int Means = 30;
    const double ParetoScale = 3;

    /// <summary>Weights of the cells, where the lowest begins, and how wide each is.</summary>
    public static (double[] Weights, double Lowest, double Width) Of(JitterShape shape) => shape switch
    {
        JitterShape.Normal => (Fill(2 * Deviations * CellsPerDeviation, NormalWeight), -Deviations, 1.0 / CellsPerDeviation),
        JitterShape.Pareto => (Fill(Means * CellsPerMean, ParetoWeight), 0, 1.0 / CellsPerMean),
        _ => (Fill(UniformCells, _ => 1), -1, 2.0 / UniformCells),
    };

    /// <summary>The sums of the weights up to each cell, itself included.</summary>
    public static double[] Sums(double[] weights)
    {
        double[] sums = new double[weights.Length];
        double sum = 0;
        for (int i = 0; i < weights.Length; i++)
        {
            sums[i] = sum += weights[i];
        }

        return sums;
    }

    static double[] Fill(int cells, Func<int, double> weight)
    {
        double[] weights = new double[cells];
        for (int i = 0; i < cells; i++)
        {
            weights[i] = weight(i);
        }

        return weights;
    }

    static double NormalWeight(int cell)
    {
        double x = ((cell + 0.5) / CellsPerDeviation) - Deviations;
        return ExpOfMinus(x * x / 2);
    }

    static double ParetoWeight(int cell) => Survival((double)cell / CellsPerMean) - Survival((cell + 1.0) / CellsPerMean);

    static double Survival(double x)
    {
        double ratio = ParetoScale / (ParetoScale + x);
        return ratio * ratio * ratio * ratio;
    }

    // e^−y for 0 ≤ y ≤ 8 as (e^(−y/1024))^1024; the series of the inner one ends after its fourth power, 10⁻¹³ off.
    static double ExpOfMinus(double y)
    {
        const int Halvings = 10;
        double z = y / (1 << Halvings);
        double e = 1 - (z * (1 - (z / 2 * (1 - (z / 3 * (1 - (z / 4)))))));
        for (int i = 0; i < Halvings; i++)
        {
            e *= e;
        }

        return e;
    }
}
