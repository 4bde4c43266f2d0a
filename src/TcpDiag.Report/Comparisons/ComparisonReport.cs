using System;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Report.Comparisons;

/// <summary>
/// The text form of a comparison: what was compared; the metric asked for, cell by cell; the others over all cells; the verdict; and why. 80 columns;
/// conditions that take more get a line of their own.
/// </summary>
public static class ComparisonReport
{
    const int LabelWidth = 24;
    const string Columns = "       A       B     n    B/A  95 % interval  verdict";

    /// <summary>Writes the report.</summary>
    public static void Write(IAnsiConsole console, Comparison comparison)
    {
        PlainLines.Wrap(console, "A  ", ComparisonWords.Describe(comparison.Sets.A));
        PlainLines.Wrap(console, "B  ", ComparisonWords.Describe(comparison.Sets.B));
        ConditionLabels labels = new(comparison);
        if (labels.Common.Length > 0)
        {
            PlainLines.Wrap(console, "in common: ", labels.Common);
        }

        if (comparison.Primary.Cells.Count > 0)
        {
            PlainLines.Wrap(console, string.Empty, ComparisonWords.Pairing(comparison));
            WriteMetric(console, comparison.Primary, labels);
            WriteOthers(console, comparison);
        }

        WriteLeftOut(console, comparison, labels);
        foreach (Explanation explanation in ComparisonWords.Strongest(comparison))
        {
            WriteWhy(console, explanation, labels);
        }

        WriteConclusion(console, comparison);
    }

    static void WriteMetric(IAnsiConsole console, MetricComparison metric, ConditionLabels labels)
    {
        PlainLines.Write(console, string.Empty);
        PlainLines.Write(console, ComparisonWords.Heading(metric.Metric).PadRight(LabelWidth) + Columns);
        foreach (CellComparison cell in metric.Cells)
        {
            WriteRow(console, labels.Of(cell.A), Row(metric.Metric, cell.MedianA, cell.MedianB, ComparisonWords.Count(cell), cell.Judgement));
            string[] remarks = [Remark(cell), ComparisonWords.Censored(cell), ComparisonWords.Alone(cell)];
            foreach (string remark in remarks.Where(remark => remark.Length > 0))
            {
                PlainLines.Wrap(console, "    ", remark);
            }
        }
    }

    static string Remark(CellComparison cell) => cell.Judgement.Verdict switch
    {
        Verdict.Equal => string.Empty,
        Verdict.NotEnoughEvidence => $"not enough evidence: {cell.Judgement.Reason}{VoidRuns(cell)}",
        _ => ComparisonWords.Basis(cell),
    };

    static void WriteOthers(IAnsiConsole console, Comparison comparison)
    {
        if (comparison.Metrics.Count == 1)
        {
            return;
        }

        PlainLines.Write(console, string.Empty);
        PlainLines.Write(console, (comparison.Primary.Cells.Count == 1 ? "besides" : "besides, over all cells").PadRight(LabelWidth) + Columns);
        foreach (MetricComparison metric in comparison.Metrics.Skip(1).Where(metric => metric.Overall is not null))
        {
            string n = metric.Cells is [CellComparison only] ? ComparisonWords.Count(only) : string.Empty;
            (double? a, double? b) = ComparisonWords.Medians(metric);
            WriteRow(console, metric.Metric.Title, Row(metric.Metric, a, b, n, metric.Overall!));
        }
    }

    static string Row(Metric metric, double? a, double? b, string n, Judgement judgement)
    {
        string figures = $"{ComparisonWords.Figure(metric, a),7} {ComparisonWords.Figure(metric, b),7} {n,5} {ComparisonWords.Ratio(judgement.Ratio),6}";
        return $"{figures}  {ComparisonWords.Text(judgement.Interval),-13}  {ComparisonWords.Short(judgement.Verdict)}";
    }

    static void WriteRow(IAnsiConsole console, string label, string row)
    {
        if (label.Length > LabelWidth)
        {
            PlainLines.Wrap(console, string.Empty, label);
            label = string.Empty;
        }

        PlainLines.Write(console, $"{SafeText.OneLine(label).PadRight(LabelWidth)} {row}");
    }

    static void WriteLeftOut(IAnsiConsole console, Comparison comparison, ConditionLabels labels)
    {
        if (comparison.LeftOut.Count == 0)
        {
            return;
        }

        PlainLines.Write(console, string.Empty);
        PlainLines.Write(console, "Left out:");
        foreach (IGrouping<(bool IsOfA, string Reason), LeftOutCell> group in comparison.LeftOut.GroupBy(left => (left.IsOfA, left.Reason)))
        {
            RunCell[] cells = [.. group.Select(left => left.Cell)];
            string what = cells is [RunCell only] ? labels.Of(only) : Quantity.Count(cells.Length, "cell");
            string runs = Quantity.Count(cells.Sum(cell => cell.Runs.Count), "run");
            PlainLines.Wrap(console, group.Key.IsOfA ? "  A  " : "  B  ",
                $"{what}, {runs}{ComparisonWords.Void(cells.Sum(cell => cell.VoidRuns))}: {group.Key.Reason}");
        }
    }

    static void WriteWhy(IAnsiConsole console, Explanation explanation, ConditionLabels labels)
    {
        string moved = string.Join(", ", ComparisonWords.MovedOf(explanation));
        string[] lines = [ComparisonWords.TimeShifts(explanation), moved.Length > 0 ? $"moved with it: {moved}" : string.Empty];
        bool hasRuns = explanation.Best is { A.Folder: not null, B.Folder: not null };
        if (!hasRuns && Array.TrueForAll(lines, line => line.Length == 0))
        {
            return;
        }

        PlainLines.Write(console, string.Empty);
        PlainLines.Wrap(console, string.Empty, $"Why, {labels.Of(explanation.Cell.A)}:");
        foreach (string line in lines.Where(line => line.Length > 0))
        {
            PlainLines.Wrap(console, "  ", line);
        }

        if (hasRuns)
        {
            string which = explanation.Cell.Pairs.Count > 0 ? "the pair that shows it best" : "the runs in the middle of each side";
            PlainLines.Wrap(console, "  ", $"{which}, for tcpdiag analyze:");
            PlainLines.Wrap(console, "    A  ", explanation.Best.A.Folder!);
            PlainLines.Wrap(console, "    B  ", explanation.Best.B.Folder!);
        }
    }

    static void WriteConclusion(IAnsiConsole console, Comparison comparison)
    {
        PlainLines.Write(console, string.Empty);
        PlainLines.Wrap(console, string.Empty, ComparisonWords.Conclusion(comparison));
        if (comparison.Primary.Overall is not null)
        {
            string cells = Quantity.Count(comparison.Primary.Cells.Count, "cell");
            PlainLines.Wrap(console, string.Empty, $"{cells}: {ComparisonWords.Verdicts(comparison.Primary)}. Margin {ComparisonWords.Margin(comparison)}.");
        }
    }

    // Void runs are mentioned only where they are what a verdict lacks.
    static string VoidRuns(CellComparison cell) => cell.A.VoidRuns + cell.B.VoidRuns == 0 || cell.Judgement.CorrectedPValue is not null
        ? string.Empty
        : FormattableString.Invariant($" ({cell.A.VoidRuns} of A and {cell.B.VoidRuns} of B are void)");
}
