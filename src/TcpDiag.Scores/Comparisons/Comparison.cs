using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>Two sets of runs compared.</summary>
/// <param name="Sets">What was compared.</param>
/// <param name="Settings">How.</param>
/// <param name="Metrics">What was measured; the first is the one asked for.</param>
/// <param name="LeftOut">Cells that only one of the sets has.</param>
/// <param name="Explanations">What goes with each verdict of the first metric, in the order of its cells.</param>
public sealed record Comparison(
    RunSetPair Sets,
    ComparisonSettings Settings,
    IReadOnlyList<MetricComparison> Metrics,
    IReadOnlyList<LeftOutCell> LeftOut,
    IReadOnlyList<Explanation> Explanations)
{
    /// <summary>The metric asked for.</summary>
    public MetricComparison Primary => Metrics[0];

    /// <summary>Whether B is worse by the metric asked for, in any cell or over all of them.</summary>
    public bool HasRegression =>
        Primary.Overall?.Verdict == Verdict.Regressed || Primary.Cells.Any(cell => cell.Judgement.Verdict == Verdict.Regressed);
}

/// <summary>How to compare.</summary>
public sealed record ComparisonSettings
{
    /// <summary>Level of the tests, and 1 − the intervals' confidence.</summary>
    public const double Level = 0.05;

    /// <summary>Confidence of the intervals.</summary>
    public const double Confidence = 1 - Level;

    /// <summary>Pairs, or runs of each side, that a cell needs: with four an interval of 95 % has no bounds.</summary>
    public const int MinRuns = 5;

    /// <summary>The part of the error budget that the metric asked for has, as long as nothing is decided.</summary>
    public const double PrimaryWeight = 0.5;

    /// <summary>The fraction by which a figure may differ without mattering: ratios from 1 / (1 + margin) to 1 + margin are equal. At least 0.</summary>
    public double Margin { get; init; } = 0.05;

    /// <summary>What is asked for.</summary>
    public Metric Metric { get; init; } = Metric.Goodput;
}

/// <summary>One metric of all runs.</summary>
/// <param name="Metric">The metric.</param>
/// <param name="Cells">Cells in which both sides have it, in the order of A.</param>
/// <param name="Overall">All cells with enough runs as one, each with the same weight; null where there is none.</param>
public sealed record MetricComparison(Metric Metric, IReadOnlyList<CellComparison> Cells, Judgement? Overall);

/// <summary>One metric of the runs of A and B under the same conditions.</summary>
/// <param name="A">The runs of A.</param>
/// <param name="B">The runs of B.</param>
/// <param name="Pairs">Pairs of runs with this metric; empty where A and B share no seed, and are compared without pairs.</param>
/// <param name="MedianA">Median of A's runs, in the unit of the metric; null where half of them or more do not have it.</param>
/// <param name="MedianB">The same of B.</param>
/// <param name="CensoredA">Runs of A that were cut short or reset.</param>
/// <param name="CensoredB">Runs of B that were.</param>
/// <param name="Judgement">What follows.</param>
public sealed record CellComparison(
    RunCell A,
    RunCell B,
    IReadOnlyList<RunPair> Pairs,
    double? MedianA,
    double? MedianB,
    int CensoredA,
    int CensoredB,
    Judgement Judgement);

/// <summary>Two runs of the same cell, iteration and seed: the same losses and delays met both.</summary>
/// <param name="A">The run of A.</param>
/// <param name="B">The run of B.</param>
public sealed record RunPair(Run A, Run B);

/// <summary>Runs that were not compared.</summary>
/// <param name="IsOfA">Whether they are A's.</param>
/// <param name="Cell">The runs.</param>
/// <param name="Reason">Why, as a clause.</param>
public sealed record LeftOutCell(bool IsOfA, RunCell Cell, string Reason);

/// <summary>How B compares with A, and how certain that is.</summary>
/// <param name="Ratio">B / A: the middle of the pairs' ratios, or of those of all runs of B to all of A; over cells their geometric mean. Infinite or 0
/// where most runs of one side did not come to their end.</param>
/// <param name="Interval">95 % interval of the ratio.</param>
/// <param name="PValue">Two-sided: of the signed-rank test of pairs, else of the test of Mann and Whitney; over cells stratified by cell.</param>
/// <param name="CorrectedPValue">The same after Holm's correction over the whole report; null where it was not tested.</param>
/// <param name="HigherShare">Share of pairs, or of all combinations of runs, in which B's figure is higher, ties counting half; 0 … 1.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Reason">Why there is not enough evidence, as a clause; null with any other verdict.</param>
public sealed record Judgement(double Ratio, Interval Interval, double PValue, double? CorrectedPValue, double HigherShare, Verdict Verdict, string? Reason);

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

    /// <summary>B has more, by more than the margin, of what is neither good nor bad.</summary>
    More,

    /// <summary>B has less.</summary>
    Less,
}
