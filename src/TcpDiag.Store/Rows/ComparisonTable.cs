using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Rows;

/// <summary>What a comparison says about one metric of one cell, or of all.</summary>
/// <param name="Head">The comparison.</param>
/// <param name="Sets">What was compared.</param>
/// <param name="Metric">The metric.</param>
/// <param name="Cell">The cell; null for all together.</param>
/// <param name="Position">Place of the cell, from 0; all together stand behind the last.</param>
/// <param name="Judgement">What follows.</param>
sealed record ComparisonSubject(RowHead Head, RunSetPair Sets, Metric Metric, CellComparison? Cell, int Position, Judgement Judgement);

/// <summary>The table of comparisons. What is infinite, as half of the runs did not come to their end, is not known here; the verdict is.</summary>
static class ComparisonTable
{
    public static TableMap<ComparisonSubject> Map { get; } = new TableMap<ComparisonSubject>("comparison", "what B is beside A, by one metric", row => row.Head)
        .Key("metric", row => row.Metric.Name, "its name, e.g. goodput")
        .Key("position", row => row.Position, "place of the cell, from 0")
        .Word("cell", row => row.Cell?.A.Name, "name of its conditions; none for all cells together")
        .Text("conditions", row => row.Cell is { } cell ? LabTable.ConditionsOf(cell.A) : null, "path, flow and, where several were compared, side")
        .Text("path_a", row => Path.GetFullPath(row.Sets.A.Path), "result directory of A, or its recordings")
        .Text("path_b", row => Path.GetFullPath(row.Sets.B.Path), "result directory of B, or its recordings")
        .Word("side_a", row => row.Sets.A.Side, "side of A")
        .Word("side_b", row => row.Sets.B.Side, "side of B")
        .Word("verdict", row => Names.Of(row.Judgement.Verdict), "improved, regressed, equal, more, less, notEnoughEvidence")
        .Share("ratio_ppm", row => row.Judgement.Ratio, "B / A")
        .Share("low_ppm", row => row.Judgement.Interval.Low, "lower end of its 95 % interval")
        .Share("high_ppm", row => row.Judgement.Interval.High, "upper end")
        .Share("p_ppm", row => row.Judgement.PValue, "p-value")
        .Share("corrected_p_ppm", row => row.Judgement.CorrectedPValue, "p-value, corrected over the whole report")
        .Number("pairs", row => row.Cell?.Pairs.Count, "pairs of runs");

    /// <summary>Makes the rows of a comparison.</summary>
    /// <param name="comparison">The comparison.</param>
    /// <param name="comparedNanos">When it was made, nanoseconds since the Unix epoch.</param>
    /// <returns>The result; its source is a hash of both results, sides and settings.</returns>
    public static ResultRows Of(Comparison comparison, long comparedNanos)
    {
        var head = new RowHead(SourceOf(comparison), comparedNanos, null, null, null, null, null);
        IEnumerable<ComparisonSubject> rows = comparison.Metrics.SelectMany(metric => RowsOf(head, comparison.Sets, metric));
        return new(ResultKind.Comparison, head, RecordingRows.ProgramVersion, [Map.Rows(rows)]);
    }

    static IEnumerable<ComparisonSubject> RowsOf(RowHead head, RunSetPair sets, MetricComparison metric)
    {
        IEnumerable<ComparisonSubject> cells = metric.Cells.Select((cell, i) => new ComparisonSubject(head, sets, metric.Metric, cell, i, cell.Judgement));
        return metric.Overall is { } overall ? cells.Append(new(head, sets, metric.Metric, null, metric.Cells.Count, overall)) : cells;
    }

    static string SourceOf(Comparison comparison)
    {
        (RunSet a, RunSet b) = (comparison.Sets.A, comparison.Sets.B);
        string cells = string.Join(' ', comparison.Primary.Cells.Select(cell => cell.A.Name));
        string text = FormattableString.Invariant(
            $"{HashOf(a)} {a.Side} {HashOf(b)} {b.Side} {comparison.Settings.Metric.Name} {comparison.Settings.Margin:R} {cells}");
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
    }

    // Recordings are the same under other names.
    static string HashOf(RunSet set) => set.IsByMachine ? set.Path
        : set.IsRecorded
        ? string.Join(' ', set.Cells.SelectMany(cell => cell.Runs).Select(run => RecordingFile.Of(run.Folder!).Sha256).Order(StringComparer.Ordinal))
        : RecordingFile.Of(LabTable.FileOf(set.Path)).Sha256;
}
