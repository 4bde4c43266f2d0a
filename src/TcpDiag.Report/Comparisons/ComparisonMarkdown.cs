using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Report.Comparisons;

/// <summary>The Markdown form of a comparison, for an issue or a change's description: the verdict first, then tables.</summary>
public static class ComparisonMarkdown
{
    /// <summary>Writes the report.</summary>
    /// <param name="output">Takes it; stays open.</param>
    /// <param name="comparison">The comparison.</param>
    public static void Write(TextWriter output, Comparison comparison)
    {
        ConditionLabels labels = new(comparison);
        Paragraph(output, $"**{Escape(ComparisonWords.Conclusion(comparison))}**");
        Line(output, $"- A: {Escape(ComparisonWords.Describe(comparison.Sets.A))}");
        Line(output, $"- B: {Escape(ComparisonWords.Describe(comparison.Sets.B))}");
        if (labels.Common.Length > 0)
        {
            Line(output, $"- in common: {Escape(labels.Common)}");
        }

        if (comparison.Primary.Cells.Count > 0)
        {
            Line(output, $"- {Escape(ComparisonWords.Pairing(comparison))}; margin {Escape(ComparisonWords.Margin(comparison))}");
            Line(output, string.Empty);
            WriteCells(output, comparison.Primary, labels);
            WriteOthers(output, comparison);
        }

        foreach (Explanation explanation in comparison.Explanations)
        {
            WriteWhy(output, explanation, labels);
        }

        foreach (LeftOutCell left in comparison.LeftOut)
        {
            Line(output, $"- left out of {(left.IsOfA ? "A" : "B")}: {Escape(labels.Of(left.Cell))}: {Escape(left.Reason)}");
        }
    }

    static void WriteCells(TextWriter output, MetricComparison metric, ConditionLabels labels)
    {
        Header(output, ComparisonWords.Heading(metric.Metric), "verdict");
        foreach (CellComparison cell in metric.Cells)
        {
            string[] remarks = [cell.Judgement.Reason ?? string.Empty, ComparisonWords.Censored(cell), ComparisonWords.Alone(cell)];
            string verdict = string.Join("; ", remarks.Where(remark => remark.Length > 0).Prepend(ComparisonWords.Name(cell.Judgement.Verdict)));
            Row(output, metric.Metric, labels.Of(cell.A), (cell.MedianA, cell.MedianB), ComparisonWords.Count(cell), cell.Judgement, verdict);
        }

        Line(output, string.Empty);
    }

    static void WriteOthers(TextWriter output, Comparison comparison)
    {
        MetricComparison[] others = [.. comparison.Metrics.Skip(1).Where(metric => metric.Overall is not null)];
        if (others.Length == 0)
        {
            return;
        }

        Header(output, "besides, over all cells", "verdict");
        foreach (MetricComparison metric in others)
        {
            string verdict = ComparisonWords.Name(metric.Overall!.Verdict);
            Row(output, metric.Metric, metric.Metric.Title, ComparisonWords.Medians(metric), string.Empty, metric.Overall, verdict);
        }

        Line(output, string.Empty);
    }

    static void WriteWhy(TextWriter output, Explanation explanation, ConditionLabels labels)
    {
        IEnumerable<string> parts = ComparisonWords.MovedOf(explanation).Prepend(ComparisonWords.TimeShifts(explanation)).Where(part => part.Length > 0);
        string runs = explanation.Best is { A.Folder: { } a, B.Folder: { } b } ? $" See {Code(a)} and {Code(b)}." : string.Empty;
        Line(output, $"- why, {Escape(labels.Of(explanation.Cell.A))}: {Escape(string.Join("; ", parts))}.{runs}");
    }

    static void Header(TextWriter output, string first, string last)
    {
        Line(output, $"| {first} | A | B | n | B/A | 95 % interval | {last} |");
        Line(output, "|---|--:|--:|--:|--:|---|---|");
    }

    static void Row(TextWriter output, Metric metric, string label, (double? A, double? B) medians, string n, Judgement judgement, string verdict)
    {
        string figures = $"{ComparisonWords.Figure(metric, medians.A)} | {ComparisonWords.Figure(metric, medians.B)}";
        string ratio = $"{ComparisonWords.Ratio(judgement.Ratio)} | {ComparisonWords.Text(judgement.Interval)}";
        Line(output, $"| {Escape(label)} | {figures} | {n} | {ratio} | {Escape(verdict)} |");
    }

    static void Paragraph(TextWriter output, string text)
    {
        Line(output, text);
        Line(output, string.Empty);
    }

    static void Line(TextWriter output, string text) => output.Write(text + "\n");

    // A folder's name is shown as it is; a backtick in it would end the code.
    static string Code(string text) => $"`{SafeText.OneLine(text).Replace('`', '\'')}`";

    // What Markdown or HTML would take for markup; names come from files.
    static string Escape(string text)
    {
        StringBuilder escaped = new(text.Length);
        foreach (char letter in SafeText.OneLine(text))
        {
            bool isMarkup = "\\`*_[]|#!~".Contains(letter, StringComparison.Ordinal);
            escaped.Append(letter switch
            {
                '<' => "&lt;",
                '&' => "&amp;",
                _ => isMarkup ? $"\\{letter}" : $"{letter}",
            });
        }

        return escaped.ToString();
    }
}
