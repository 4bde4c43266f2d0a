using System;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>Adds the propagation delay and its jitter. Without <see cref="JitterSettings.Reorders"/> packets keep their order.</summary>
sealed class PropagationStage(long delayNanos, JitterSource? jitter, bool reorders) : ILinkStage
{
    TraceTime _last = new(long.MinValue);

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        TraceTime sent = packet.DueAt;
        long delay = jitter is null ? delayNanos : Math.Max(0, delayNanos + jitter.Next());
        TraceTime due = sent + delay;
        if (!reorders && due < _last)
        {
            due = _last;
        }

        _last = due;
        packet.DueAt = due;
        packet.PropagationNanos = due - sent;
        return ImpairmentAction.None;
    }
}

/// <summary>Random variation of the propagation delay. Delay and jitter together never fall below zero.</summary>
/// <param name="AmountNanos">Nanoseconds, with the meaning <paramref name="Shape"/> gives them.</param>
/// <param name="Shape">The distribution.</param>
/// <param name="Reorders">Whether a packet may overtake another; if not, a packet waits for the one before it.</param>
public sealed record JitterSettings(long AmountNanos, JitterShape Shape = JitterShape.Uniform, bool Reorders = false);

/// <summary>How the jitter of a link is distributed.</summary>
public enum JitterShape
{
    /// <summary>Uniform from −amount to +amount.</summary>
    Uniform = 0,

    /// <summary>Normal with a standard deviation of amount, cut off at six of them.</summary>
    Normal = 1,

    /// <summary>Pareto (Lomax, shape 4): never negative, with amount as its mean and a long tail.</summary>
    Pareto = 2,
}

/// <summary>
/// Draws jitter. Only operations that IEEE 754 rounds exactly (+ × ÷ √) are used, so that every platform draws the same nanoseconds;
/// logarithm and cosine do not guarantee that.
/// </summary>
sealed class JitterSource(JitterSettings settings, Xoshiro256 random)
{
    // Irwin–Hall: the sum of 12 uniforms of 16 bits has mean 12 × 32767.5 and standard deviation 65536 (to 2⁻³³).
    const double SumMean = 12 * 32767.5;
    const double SumDeviation = 65536;

    // Lomax with shape 4 has mean scale / 3.
    const double ParetoScale = 3;

    readonly double _amountNanos = settings.AmountNanos;
    readonly JitterShape _shape = settings.Shape;
    Xoshiro256 _random = random;

    /// <summary>The next value in nanoseconds; negative is possible except for Pareto.</summary>
    public long Next() => (long)(_amountNanos * NextUnitJitter());

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
