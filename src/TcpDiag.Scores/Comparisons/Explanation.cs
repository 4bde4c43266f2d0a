using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>What goes with a difference in one cell: where the time went, what else moved, and the two runs that show it best.</summary>
/// <param name="Cell">The cell, as the metric asked for has it.</param>
/// <param name="CompletionTime">How the time a run took has changed; null where runs do not say.</param>
/// <param name="Limits">What took that time, the greatest change first; changes below a tenth of the greatest are left out. They add up, nearly: each is a
/// median.</param>
/// <param name="Moved">Other metrics with a verdict of their own, in this cell or over all.</param>
/// <param name="Best">The two runs to open: their ratio is nearest to the cell's. Without pairs, one of each side nearest to its median.</param>
public sealed record Explanation(
    CellComparison Cell,
    TimeShift? CompletionTime,
    IReadOnlyList<TimeShift> Limits,
    IReadOnlyList<MovedMetric> Moved,
    RunPair Best)
{
    const double Minor = 0.1;

    /// <summary>Explains each cell with a difference by the metric asked for.</summary>
    /// <param name="metrics">All metrics; the first is the one asked for.</param>
    /// <returns>The explanations, in the order of the cells.</returns>
    internal static IReadOnlyList<Explanation> Of(IReadOnlyList<MetricComparison> metrics) =>
    [
        .. metrics[0].Cells
            .Where(cell => IsDifference(cell.Judgement.Verdict))
            .Select(cell => Of(cell, metrics)),
    ];

    static Explanation Of(CellComparison cell, IReadOnlyList<MetricComparison> metrics)
    {
        TimeShift[] shifts = [.. Metric.TimeInLimits.Select(limit => ShiftOf(cell, limit)).OfType<TimeShift>().OrderByDescending(shift => shift.Size)];
        TimeShift[] great = [.. shifts.Where(shift => shift.Size > 0 && shift.Size >= shifts[0].Size * Minor)];
        MovedMetric[] moved = [.. metrics.Skip(1).Select(metric => MoveOf(cell, metric)).OfType<MovedMetric>()];
        return new Explanation(cell, ShiftOf(cell, Metric.CompletionTime), great, moved, BestOf(cell, metrics[0].Metric));
    }

    static TimeShift? ShiftOf(CellComparison cell, Metric metric)
    {
        double[] a = [.. cell.A.Runs.Where(run => run.Figures.ContainsKey(metric)).Select(run => run.Figures[metric])];
        double[] b = [.. cell.B.Runs.Where(run => run.Figures.ContainsKey(metric)).Select(run => run.Figures[metric])];
        double[] paired =
        [
            .. cell.Pairs
                .Where(pair => pair.A.Figures.ContainsKey(metric) && pair.B.Figures.ContainsKey(metric))
                .Select(pair => pair.B.Figures[metric] - pair.A.Figures[metric]),
        ];
        return a.Length == 0 || b.Length == 0
            ? null
            : new TimeShift(metric, Medians.Of(a), Medians.Of(b), (paired.Length > 0 ? RankIntervals.OfPairs(paired) : RankIntervals.OfSamples(a, b)).Value);
    }

    static MovedMetric? MoveOf(CellComparison cell, MetricComparison metric)
    {
        if (metric.Cells.FirstOrDefault(candidate => ReferenceEquals(candidate.A, cell.A)) is not { } here)
        {
            return null;
        }

        // Runs that did not come to their end rank below all others by every metric: that is told of them, and says nothing of this one.
        if (!double.IsFinite(Math.Log(here.Judgement.Ratio)))
        {
            return null;
        }

        bool isHere = IsDifference(here.Judgement.Verdict);
        bool isOverall = metric.Overall is { } overall && IsDifference(overall.Verdict) && SameWay(overall, here.Judgement);
        return isHere || isOverall ? new MovedMetric(metric.Metric, here, isHere) : null;
    }

    // What is true of all cells is said of one only where that one shows it too.
    static bool SameWay(Judgement overall, Judgement here) =>
        (overall.Ratio > 1 && here.Interval.Low > 1) || (overall.Ratio < 1 && here.Interval.High < 1);

    static RunPair BestOf(CellComparison cell, Metric metric)
    {
        if (cell.Pairs.Count > 0)
        {
            double typical = Math.Log(cell.Judgement.Ratio);
            return cell.Pairs.MinBy(pair => Math.Abs(Log(pair.B, metric) - Log(pair.A, metric) - typical))!;
        }

        return new RunPair(NearestToMedian(cell.A.Runs, metric), NearestToMedian(cell.B.Runs, metric));
    }

    static Run NearestToMedian(IReadOnlyList<Run> runs, Metric metric)
    {
        Run[] sorted = [.. runs.OrderBy(run => Log(run, metric))];
        return sorted[sorted.Length / 2];
    }

    static double Log(Run run, Metric metric) => run.ScoreOf(metric)?.Log ?? 0;

    static bool IsDifference(Verdict verdict) => verdict is not (Verdict.Equal or Verdict.NotEnoughEvidence);
}

/// <summary>How much more time B spent on something than A.</summary>
/// <param name="Metric">On what.</param>
/// <param name="MedianA">Median of A's runs, seconds.</param>
/// <param name="MedianB">Median of B's runs, seconds.</param>
/// <param name="Seconds">B − A (Hodges–Lehmann), of pairs where there are some; negative where B spent less.</param>
public sealed record TimeShift(Metric Metric, double MedianA, double MedianB, double Seconds)
{
    /// <summary>The change, whichever way.</summary>
    public double Size => Math.Abs(Seconds);
}

/// <summary>A metric that moved with the one asked for.</summary>
/// <param name="Metric">Which.</param>
/// <param name="Cell">Its figures in the cell.</param>
/// <param name="IsOfCell">Whether the cell alone shows it; else it is certain over all cells only.</param>
public sealed record MovedMetric(Metric Metric, CellComparison Cell, bool IsOfCell);
