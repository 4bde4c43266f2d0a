using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Report.Json;

/// <summary>Writes the JSON document of a comparison.</summary>
public static class ComparisonJson
{
    /// <summary>Writes the document.</summary>
    public static void Write(TextWriter output, Comparison comparison) =>
        output.WriteLine(JsonSerializer.Serialize(ToDocument(comparison), ComparisonJsonContext.Default.ComparisonDocument));

    /// <summary>The name of a verdict, also in text.</summary>
    public static string Name(Verdict verdict) => verdict switch
    {
        Verdict.Improved => "improved",
        Verdict.Regressed => "regressed",
        Verdict.Equal => "equal",
        Verdict.More => "more",
        Verdict.Less => "less",
        _ => "not-enough-evidence",
    };

    static ComparisonDocument ToDocument(Comparison comparison) => new(
        "tcpdiag/comparison/2",
        comparison.Primary.Metric.Name,
        Entry(comparison.Sets.A),
        Entry(comparison.Sets.B),
        comparison.Settings.Margin,
        ComparisonSettings.Confidence,
        ComparisonSettings.Level,
        comparison.HasRegression,
        [.. comparison.Metrics.Select(Entry)],
        [.. comparison.Explanations.Select(explanation => Entry(explanation, comparison))],
        [.. comparison.LeftOut.Select(Entry)]);

    /// <summary>The name of a unit.</summary>
    internal static string NameOf(MetricUnit unit) => JsonNamingPolicy.CamelCase.ConvertName(unit.ToString());

    /// <summary>A set of runs.</summary>
    internal static ComparedSetEntry Entry(RunSet set) => new(set.Path, set.Side, Entries(set.Settings), set.Kernel, set.IsComplete, set.Runs, set.VoidRuns);

    static ComparedMetricEntry Entry(MetricComparison metric) => new(
        metric.Metric.Name,
        NameOf(metric.Metric.Unit),
        JsonNamingPolicy.CamelCase.ConvertName(metric.Metric.Better.ToString()),
        metric.Overall is { } overall ? Entry(overall) : null,
        [.. metric.Cells.Select(cell => Entry(metric.Metric, cell))]);

    static ComparedCellEntry Entry(Metric metric, CellComparison cell) => new(
        Entries(cell.A.Conditions),
        Entry(metric, cell.A, cell.MedianA, cell.CensoredA),
        Entry(metric, cell.B, cell.MedianB, cell.CensoredB),
        cell.Pairs.Count,
        Entry(cell.Judgement));

    static ComparedRunsEntry Entry(Metric metric, RunCell cell, double? median, int censored) =>
        new(cell.Name, cell.Runs.Count, cell.VoidRuns, censored, median, [.. cell.Runs.Select(run => Entry(metric, run))]);

    static ComparedRunEntry Entry(Metric metric, Run run) =>
        new(run.Iteration, run.Seed, run.Folder, Name(run.End), run.Figures.TryGetValue(metric, out double figure) ? figure : null);

    static string Name(RunEnd end) => end switch
    {
        RunEnd.Complete => "complete",
        RunEnd.CutShort => "cut-short",
        _ => "reset",
    };

    static ExplanationEntry Entry(Explanation explanation, Comparison comparison)
    {
        int cell = comparison.Primary.Cells.TakeWhile(candidate => !ReferenceEquals(candidate, explanation.Cell)).Count();
        return new ExplanationEntry(
            cell,
            explanation.CompletionTime is { } time ? Entry(time) : null,
            [.. explanation.Limits.Select(Entry)],
            [.. explanation.Moved.Select(moved => new MovedMetricEntry(moved.Metric.Name, moved.IsOfCell))],
            explanation.Best.A.Folder,
            explanation.Best.B.Folder);
    }

    static TimeShiftEntry Entry(TimeShift shift) => new(shift.Metric.Name, shift.MedianA, shift.MedianB, shift.Seconds);

    /// <summary>What was not compared.</summary>
    internal static LeftOutEntry Entry(LeftOutCell left) =>
        new(left.IsOfA ? "a" : "b", left.Cell.Name, Entries(left.Cell.Conditions), left.Cell.Runs.Count, left.Cell.VoidRuns, left.Reason);

    /// <summary>How two sets stand to each other.</summary>
    internal static JudgementEntry Entry(Judgement judgement) => new(
        Finite(judgement.Ratio),
        Finite(judgement.Interval.Low),
        Finite(judgement.Interval.High),
        judgement.PValue,
        judgement.CorrectedPValue,
        judgement.HigherShare,
        Name(judgement.Verdict),
        judgement.Reason);

    /// <summary>Settings, in their order.</summary>
    internal static IReadOnlyList<SettingEntry> Entries(IReadOnlyList<Setting> settings) =>
        [.. settings.Select(setting => new SettingEntry(setting.Name, setting.Value))];

    // Beyond it lie ratios of a run that came to its end and one that did not.
    static double? Finite(double value) => value < 1e100 ? value : null;
}
