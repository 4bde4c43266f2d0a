using System;

namespace TcpDiag.Impairment.Randomness;

/// <summary>
/// Draws jitter. Only operations that IEEE 754 rounds exactly (+ × ÷ √) are used, so that every platform draws the same nanoseconds;
/// logarithm and cosine would not promise that.
/// </summary>
sealed class JitterSource(JitterSettings settings, Xoshiro256 random)
{
    // Irwin–Hall: the sum of 12 uniforms of 16 bits has mean 12 × 32767.5 and standard deviation 65536 (to 2⁻³³).
    const double SumMean = 12 * 32767.5;
    const double SumDeviation = 65536;

    // Lomax with shape 4 has mean scale / 3.
    const double ParetoScale = 3;

    readonly double _amountNs = settings.AmountNs;
    readonly JitterShape _shape = settings.Shape;
    Xoshiro256 _random = random;

    /// <summary>The next value in nanoseconds; negative is possible except for Pareto.</summary>
    public long Next() => (long)(_amountNs * NextUnitJitter());

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
