using System;

namespace TcpDiag.Scores.Cards;

/// <summary>How many of so many, with the interval in which the rate behind them lies.</summary>
/// <param name="Hits">How many.</param>
/// <param name="Trials">Of how many; at least 1.</param>
public readonly record struct Proportion(long Hits, long Trials)
{
    const double Z = 1.959964; // 97.5 % quantile of the normal distribution

    /// <summary>The share, 0 … 1.</summary>
    public double Rate => (double)Hits / Trials;

    /// <summary>Lower end of Wilson's 95 % interval.</summary>
    public double Low => Hits == 0 ? 0 : Math.Max(Centre - HalfWidth, 0);

    /// <summary>Upper end of Wilson's 95 % interval.</summary>
    public double High => Hits == Trials ? 1 : Math.Min(Centre + HalfWidth, 1);

    // Wilson 1927: the rates p for which (p̂ − p)² ≤ z²·p·(1 − p)/n.
    double Centre => (Rate + (Z * Z / (2 * Trials))) / (1 + (Z * Z / Trials));

    double HalfWidth => Z * Math.Sqrt((Rate * (1 - Rate) / Trials) + (Z * Z / (4.0 * Trials * Trials))) / (1 + (Z * Z / Trials));
}
