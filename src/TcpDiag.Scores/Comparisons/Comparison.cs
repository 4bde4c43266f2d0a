using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>Two sets of runs compared.</summary>
/// <param name="Sets">What was compared.</param>
/// <param name="Settings">How.</param>
/// <param name="Cells">What they have in common, in the order of A.</param>
/// <param name="LeftOut">What they do not.</param>
/// <param name="Overall">All cells with enough runs as one, each with the same weight; null where there is none.</param>
public sealed record Comparison(
    RunSetPair Sets,
    ComparisonSettings Settings,
    IReadOnlyList<CellComparison> Cells,
    IReadOnlyList<LeftOutCell> LeftOut,
    Judgement? Overall)
{
    /// <summary>Whether B is worse, in any cell or over all of them.</summary>
    public bool HasRegression => Overall?.Verdict == Verdict.Regressed || Cells.Any(cell => cell.Judgement.Verdict == Verdict.Regressed);
}

/// <summary>How to compare.</summary>
public sealed record ComparisonSettings
{
    /// <summary>Level of the tests, and 1 − the intervals' confidence.</summary>
    public const double Level = 0.05;

    /// <summary>Confidence of the intervals.</summary>
    public const double Confidence = 1 - Level;

    /// <summary>Runs that each side of a cell needs: with fewer the bootstrap interval is too narrow (docs/commands/compare.md).</summary>
    public const int MinRuns = 5;

    /// <summary>The fraction by which goodput may differ without mattering: ratios from 1 / (1 + margin) to 1 + margin are equal. At least 0.</summary>
    public double Margin { get; init; } = 0.05;

    /// <summary>Seed of the resampling.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>How often runs are resampled for an interval.</summary>
    public int Resamples { get; init; } = 10_000;
}

/// <summary>The runs of A and B under the same conditions.</summary>
/// <param name="A">The runs of A; at least one counts.</param>
/// <param name="B">The runs of B; at least one counts.</param>
/// <param name="MedianA">Median goodput, bit/s.</param>
/// <param name="MedianB">Median goodput, bit/s.</param>
/// <param name="Shift">By how much B is faster, bit/s (Hodges–Lehmann); negative where it is slower.</param>
/// <param name="Judgement">What follows.</param>
public sealed record CellComparison(RunCell A, RunCell B, double MedianA, double MedianB, double Shift, Judgement Judgement);

/// <summary>Runs that were not compared.</summary>
/// <param name="IsOfA">Whether they are A's.</param>
/// <param name="Cell">The runs.</param>
/// <param name="Reason">Why, as a clause.</param>
public sealed record LeftOutCell(bool IsOfA, RunCell Cell, string Reason);

/// <summary>How B's goodput compares with A's, and how certain that is.</summary>
/// <param name="Ratio">
/// B / A: of a cell's medians; over cells their geometric mean. Infinite where nothing arrived with A, NaN where infinite ratios meet zeros.
/// </param>
/// <param name="Interval">95 % bootstrap interval of the ratio.</param>
/// <param name="PValue">Of the test of Mann and Whitney, two-sided; over cells stratified by cell.</param>
/// <param name="CorrectedPValue">
/// The same after Holm's correction over the cells; null where the cell has too few runs to be tested. Over cells, as it is.
/// </param>
/// <param name="CliffsDelta">Share of pairs of runs in which B is faster, minus that in which it is slower; −1 … 1.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Reason">Why there is not enough evidence, as a clause; null with any other verdict.</param>
public sealed record Judgement(double Ratio, Interval Interval, double PValue, double? CorrectedPValue, double CliffsDelta, Verdict Verdict, string? Reason);

/// <summary>What a comparison says about B, relative to A.</summary>
public enum Verdict
{
    /// <summary>The runs do not show it; the reason is given.</summary>
    NotEnoughEvidence,

    /// <summary>B is better, by more than the margin.</summary>
    Improved,

    /// <summary>B is worse, by more than the margin.</summary>
    Regressed,

    /// <summary>Whatever difference there is lies within the margin.</summary>
    Equal,
}
