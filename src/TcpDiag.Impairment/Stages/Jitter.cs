using System;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>Random variation of the propagation delay. Delay and jitter together never fall below zero.</summary>
/// <param name="AmountNanos">Nanoseconds, with the meaning <paramref name="Shape"/> gives them.</param>
/// <param name="Shape">The distribution.</param>
/// <param name="Reorders">Whether each packet has a delay of its own, so that packets overtake each other; if not, the delay wanders.</param>
/// <param name="OverNanos">How long the wandering delay takes to move by the amount, at least twice the amount; 0 for twice the amount.</param>
public sealed record JitterSettings(long AmountNanos, JitterShape Shape = JitterShape.Uniform, bool Reorders = false, long OverNanos = 0)
{
    internal IJitter Create(Xoshiro256 random) => Reorders ? new JitterSource(this, random) : new WanderingJitter(this, random);
}

/// <summary>How the jitter of a link is distributed.</summary>
public enum JitterShape
{
    /// <summary>Uniform from −amount to +amount.</summary>
    Uniform = 0,

    /// <summary>Normal with a standard deviation of amount, cut off at six of them, or four where it wanders.</summary>
    Normal = 1,

    /// <summary>Pareto (Lomax, shape 4): never negative, with amount as its mean and a long tail; where it wanders cut off at thirty times the
    /// amount.</summary>
    Pareto = 2,
}

/// <summary>Where the jitter of a link comes from.</summary>
interface IJitter
{
    /// <summary>The jitter of a packet that is sent at an instant, ns; negative is possible except for Pareto.</summary>
    long Next(TraceTime sent);
}

/// <summary>
/// Draws jitter for each packet alone. Only operations that IEEE 754 rounds exactly (+ × ÷ √) are used, so that every platform draws the same nanoseconds;
/// logarithm and cosine do not guarantee that.
/// </summary>
sealed class JitterSource(JitterSettings settings, Xoshiro256 random) : IJitter
{
    // Irwin–Hall: the sum of 12 uniforms of 16 bits has mean 12 × 32767.5 and standard deviation 65536 (to 2⁻³³).
    const double SumMean = 12 * 32767.5;
    const double SumDeviation = 65536;

    // Lomax with shape 4 has mean scale / 3.
    const double ParetoScale = 3;

    readonly double _amountNanos = settings.AmountNanos;
    readonly JitterShape _shape = settings.Shape;
    Xoshiro256 _random = random;

    /// <inheritdoc/>
    public long Next(TraceTime sent) => (long)(_amountNanos * NextUnitJitter());

    double NextUnitJitter() => _shape switch
    {
        JitterShape.Normal => NextNormal(),
        JitterShape.Pareto => NextPareto(),
        _ => (2 * _random.NextUnit()) - 1,
    };

    double NextNormal()
    {
        ulong sum = SumOfFour(_random.NextBits()) + SumOfFour(_random.NextBits()) + SumOfFour(_random.NextBits());
        return (sum - SumMean) / SumDeviation;
    }

    double NextPareto()
    {
        // 1 − u lies in (0, 1], so the quotient is finite: at most 2^(53/4), about 9700.
        double survival = 1 - _random.NextUnit();
        return ParetoScale * ((1 / Math.Sqrt(Math.Sqrt(survival))) - 1);
    }

    static ulong SumOfFour(ulong bits) => (bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) + (bits >> 48);
}

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
