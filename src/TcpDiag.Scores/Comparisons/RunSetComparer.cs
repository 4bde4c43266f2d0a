using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// Compares two sets of runs, metric by metric and cell by cell, and each metric over all cells. Runs of one seed are compared with each other; the unit is
/// the run, since packets and flows of one run are not independent. docs/commands/compare.md says what each figure means and where it comes from.
/// </summary>
public static class RunSetComparer
{
    // A state that took less of the time explains nothing.
    const double LittleOfTheTime = 0.01;

    /// <summary>Compares two sets.</summary>
    /// <param name="sets">The sets.</param>
    /// <param name="settings">How.</param>
    /// <returns>The comparison.</returns>
    public static Comparison Compare(RunSetPair sets, ComparisonSettings settings)
    {
        Alignment alignment = new(sets);
        MeasuredMetric[] measured = [.. Metrics(settings.Metric, alignment.Cells).Select(metric => new MeasuredMetric(metric, alignment.Cells))];
        MeasuredMetric[] kept = [.. measured.Where((metric, index) => index == 0 || (metric.HasRuns && !IsNegligible(metric.Metric, alignment.Cells)))];
        ErrorBudget budget = new(kept);
        Judge judge = new(settings.Margin, budget.Tests);
        MetricComparison[] metrics = [.. kept.Select(metric => Conclude(metric, judge, budget))];
        return new Comparison(sets, settings, metrics, alignment.LeftOut, Explanation.Of(metrics));
    }

    // What follows from the metric asked for needs no test of its own.
    static IEnumerable<Metric> Metrics(Metric primary, IReadOnlyList<AlignedCell> cells) =>
        Metric.All.Concat(Scores(cells)).Where(metric => !metric.IsSameAs(primary)).Prepend(primary);

    // Those that runs were scored by.
    static IEnumerable<Metric> Scores(IReadOnlyList<AlignedCell> cells) => cells
        .SelectMany(cell => cell.A.Runs.Concat(cell.B.Runs)).SelectMany(run => run.Figures.Keys).Distinct().Except(Metric.All)
        .OrderBy(metric => metric.Name, StringComparer.Ordinal);

    // Of both sides together, so that leaving it out favours none of them.
    static bool IsNegligible(Metric metric, IReadOnlyList<AlignedCell> cells)
    {
        if (!metric.IsTimeInLimit)
        {
            return false;
        }

        Run[] runs = [.. cells.SelectMany(cell => cell.A.Runs.Concat(cell.B.Runs))];
        double time = runs.Sum(run => run.Figures.GetValueOrDefault(metric));
        double all = runs.Sum(run => Metric.TimeInLimits.Sum(limit => run.Figures.GetValueOrDefault(limit)));
        return time <= all * LittleOfTheTime;
    }

    /// <summary>What follows from what was measured.</summary>
    internal static MetricComparison Conclude(MeasuredMetric metric, Judge judge, ErrorBudget budget)
    {
        CellComparison[] cells = [.. metric.Cells.Select(cell => Conclude(cell, judge, budget))];
        Judgement? overall = metric.Overall switch
        {
            null => null,
            { Only: { } only } => cells[Array.IndexOf(metric.Cells, only)].Judgement,
            { } all => judge.OfAll(metric.Metric, all, budget.CorrectedOf(all)),
        };
        return new MetricComparison(metric.Metric, cells, overall);
    }

    static CellComparison Conclude(CellMeasurement cell, Judge judge, ErrorBudget budget) => new(
        cell.Cell.A,
        cell.Cell.B,
        cell.Pairs,
        MedianOf(cell.Cell.A, cell.Metric),
        MedianOf(cell.Cell.B, cell.Metric),
        cell.Cell.A.Runs.Count(run => run.End != RunEnd.Complete),
        cell.Cell.B.Runs.Count(run => run.End != RunEnd.Complete),
        judge.OfCell(cell, budget.CorrectedOf(cell), budget.PartOf(cell)));

    /// <summary>The median of all runs: without the censored ones a side would look better than it is.</summary>
    internal static double? MedianOf(RunCell cell, Metric metric)
    {
        Score[] scores = [.. cell.Runs.Select(run => run.ScoreOf(metric)).OfType<Score>().OrderBy(score => score.Log)];
        if (scores.Length == 0)
        {
            return null;
        }

        double? low = Figure(scores[(scores.Length - 1) / 2], metric);
        double? high = Figure(scores[scores.Length / 2], metric);
        return (low + high) / 2;
    }

    // Without a figure, and of what is good at its highest, nothing came.
    static double? Figure(Score score, Metric metric)
    {
        const double beyond = 500;
        double log = score.Log + (score.Log < -beyond ? 1000 : score.Log > beyond ? -1000 : 0);
        return score.IsMeasured ? Math.Exp(log) - metric.Start : metric.Better == Better.Higher ? 0 : null;
    }
}

/// <summary>One metric of all cells, measured.</summary>
/// <param name="metric">The metric.</param>
/// <param name="cells">The cells.</param>
sealed class MeasuredMetric(Metric metric, IReadOnlyList<AlignedCell> cells)
{
    /// <summary>The metric.</summary>
    public Metric Metric { get; } = metric;

    /// <summary>The cells.</summary>
    public CellMeasurement[] Cells { get; } = [.. cells.Select(cell => new CellMeasurement(cell, metric))];

    /// <summary>Whether any run of both sides has it.</summary>
    public bool HasRuns => Cells.Any(cell => Math.Min(cell.RunsOfA, cell.RunsOfB) > 0);

    /// <summary>All cells with enough runs; null without any.</summary>
    public Overall? Overall => field ??= Overall.Of(Cells);
}
