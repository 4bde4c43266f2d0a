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
    /// <param name="output">Where to.</param>
    /// <param name="comparison">The comparison.</param>
    public static void Write(TextWriter output, Comparison comparison) =>
        output.WriteLine(JsonSerializer.Serialize(ToDocument(comparison), ComparisonJsonContext.Default.ComparisonDocument));

    /// <summary>The name of a verdict, also in text.</summary>
    /// <param name="verdict">The verdict.</param>
    /// <returns>Its name.</returns>
    public static string Name(Verdict verdict) => verdict switch
    {
        Verdict.Improved => "improved",
        Verdict.Regressed => "regressed",
        Verdict.Equal => "equal",
        _ => "not-enough-evidence",
    };

    static ComparisonDocument ToDocument(Comparison comparison) => new(
        "tcpdiag/comparison/1",
        "goodput",
        Entry(comparison.Sets.A),
        Entry(comparison.Sets.B),
        comparison.Settings.Margin,
        ComparisonSettings.Confidence,
        ComparisonSettings.Level,
        comparison.Settings.Resamples,
        comparison.Settings.Seed,
        comparison.HasRegression,
        comparison.Overall is { } overall ? Entry(overall) : null,
        [.. comparison.Cells.Select(Entry)],
        [.. comparison.LeftOut.Select(Entry)]);

    static ComparedSetEntry Entry(RunSet set) => new(set.Path, set.Side, Entries(set.Settings), set.Kernel, set.IsComplete, set.Runs, set.VoidRuns);

    static ComparedCellEntry Entry(CellComparison cell) =>
        new(Entries(cell.A.Conditions), Entry(cell.A, cell.MedianA), Entry(cell.B, cell.MedianB), cell.Shift, Entry(cell.Judgement));

    static ComparedRunsEntry Entry(RunCell cell, double median) => new(cell.Name, cell.GoodputBitsPerSecond.Count, cell.VoidRuns, median, cell.GoodputBitsPerSecond);

    static LeftOutEntry Entry(LeftOutCell left) =>
        new(left.IsOfA ? "a" : "b", left.Cell.Name, Entries(left.Cell.Conditions), left.Cell.GoodputBitsPerSecond.Count, left.Cell.VoidRuns, left.Reason);

    static JudgementEntry Entry(Judgement judgement) => new(
        Finite(judgement.Ratio),
        Finite(judgement.Interval.Low),
        Finite(judgement.Interval.High),
        judgement.PValue,
        judgement.CorrectedPValue,
        judgement.CliffsDelta,
        Name(judgement.Verdict),
        judgement.Reason);

    static IReadOnlyList<SettingEntry> Entries(IReadOnlyList<Setting> settings) => [.. settings.Select(setting => new SettingEntry(setting.Name, setting.Value))];

    static double? Finite(double value) => double.IsFinite(value) ? value : null;
}
