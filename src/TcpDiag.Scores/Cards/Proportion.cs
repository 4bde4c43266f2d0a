using System;

namespace TcpDiag.Scores.Cards;

/// <summary>How many of so many, with the interval in which the rate behind them lies.</summary>
/// <param name="Hits">How many.</param>
/// <param name="Trials">Of how many; at least 1.</param>
/// <param name="Independent">How many independent trials tell as much: fewer where trials have a cause in common; at least 1.</param>
public readonly record struct Proportion(long Hits, long Trials, double Independent)
{
    /// <summary>97.5 % quantile of the normal distribution.</summary>
    internal const double Z = 1.959964;

    // −ln 0.95: of a rate below 0.0513/n, one hit in n trials is seen in less than 5 % of runs. Wilson's bound there lies at 0.18/n and more (one of one:
    // 0.21), and misses each rate between (Brown, Cai and DasGupta 2001, §4.1.1).
    const double RareOne = 0.051293;

    /// <summary>Trials that are independent of each other.</summary>
    /// <param name="hits">How many.</param>
    /// <param name="trials">Of how many; at least 1.</param>
    public Proportion(long hits, long trials)
        : this(hits, trials, trials)
    {
    }

    /// <summary>The share, 0 … 1.</summary>
    public double Rate => (double)Hits / Trials;

    /// <summary>Lower end of Wilson's 95 % interval, as far down as one hit needs it.</summary>
    public double Low => Hits == 0 ? 0 : Math.Max(Math.Min(Centre - HalfWidth, Rate * Independent <= 1 ? RareOne * Rate : 1), 0);

    /// <summary>Upper end of Wilson's 95 % interval, as far up as one miss needs it.</summary>
    public double High => Hits == Trials ? 1 : Math.Min(Math.Max(Centre + HalfWidth, (1 - Rate) * Independent <= 1 ? 1 - (RareOne * (1 - Rate)) : 0), 1);

    // Wilson 1927: the rates p for which (p̂ − p)² ≤ z²·p·(1 − p)/n.
    double Centre => (Rate + (Z * Z / (2 * Independent))) / (1 + (Z * Z / Independent));

    double HalfWidth => Z * Math.Sqrt((Rate * (1 - Rate) / Independent) + (Z * Z / (4 * Independent * Independent))) / (1 + (Z * Z / Independent));
}
