using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Report.Comparisons;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Report.Html;

/// <summary>
/// A comparison as one page without a script: the verdict, each condition of the metric asked for beside its interval, every metric of every condition as a
/// map, and behind each condition its runs as drawings. Its policy forbids the browser every connection.
/// </summary>
public static class ComparisonPage
{
    // Each has some 10 kB of drawings: with them a page stays below 5 MB.
    const int MaxDrawn = 150;

    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="comparison">The comparison.</param>
    public static void Write(Stream output, Comparison comparison)
    {
        using StreamWriter page = ScriptlessPage.Open(output);
        ConditionLabels labels = new(comparison);
        ScriptlessPage.Begin(page, "compare", $"{Name(comparison.Sets.A)} and {Name(comparison.Sets.B)}", ComparisonStyle.Text);
        WriteSummary(page, comparison, labels);
        if (comparison.Primary.Cells.Count > 0)
        {
            page.WriteLine($"<section><h2>{Text(ComparisonWords.Heading(comparison.Primary.Metric))} by condition</h2>");
            page.WriteLine(ForestPlot.Of(comparison, labels));
            page.WriteLine("</section>");
            WriteMap(page, comparison, labels);
            WriteCells(page, comparison, labels);
        }

        WriteLeftOut(page, comparison, labels);
        ScriptlessPage.End(page);
    }

    static void WriteSummary(StreamWriter page, Comparison comparison, ConditionLabels labels)
    {
        string verdict = comparison.Primary.Overall is { } overall ? ComparisonMarkup.ClassOf(comparison.Primary.Metric, overall) : "unclear";
        page.WriteLine($"<p class=\"answer {verdict}\">{Text(ComparisonWords.Conclusion(comparison))}</p><dl>");
        Entry(page, "A", ComparisonWords.Describe(comparison.Sets.A));
        Entry(page, "B", ComparisonWords.Describe(comparison.Sets.B));
        if (labels.Common.Length > 0)
        {
            Entry(page, "in common", labels.Common);
        }

        if (comparison.Primary.Cells.Count > 0)
        {
            Entry(page, "conditions", ComparisonWords.Verdicts(comparison.Primary));
            Entry(page, "how", $"{ComparisonWords.Pairing(comparison)}; differences within {ComparisonWords.Margin(comparison)} do not matter");
        }

        page.WriteLine("</dl>");
    }

    static void WriteMap(StreamWriter page, Comparison comparison, ConditionLabels labels)
    {
        page.WriteLine("<section><h2>Every metric</h2><p>B/A of each condition. Coloured where it is certain; the others may be chance.</p>");
        page.WriteLine("<div class=\"wide\"><table class=\"map\"><thead><tr><th scope=\"col\">condition</th>");
        page.WriteLine(string.Concat(comparison.Metrics.Select(metric => $"<th scope=\"col\">{Text(metric.Metric.Title)}</th>")));
        page.WriteLine("</tr></thead><tbody>");
        if (comparison.Primary.Cells.Count > 1)
        {
            page.WriteLine($"<tr><th scope=\"row\">all</th>{string.Concat(comparison.Metrics.Select(metric => MapCell(metric.Metric, metric.Overall)))}</tr>");
        }

        for (int i = 0; i < comparison.Primary.Cells.Count; i++)
        {
            string figures = string.Concat(comparison.Metrics.Select(metric => MapCell(metric.Metric, metric.Cells[i].Judgement)));
            page.WriteLine($"<tr><th scope=\"row\"><a href=\"#cell-{i}\">{Text(labels.Of(comparison.Primary.Cells[i].A))}</a></th>{figures}</tr>");
        }

        page.WriteLine("</tbody></table></div></section>");
    }

    static string MapCell(Metric metric, Judgement? judgement) => judgement is null
        ? "<td>-</td>"
        : $"<td class=\"{ComparisonMarkup.ClassOf(metric, judgement)}\">{ComparisonWords.Ratio(judgement.Ratio)}</td>";

    static void WriteCells(StreamWriter page, Comparison comparison, ConditionLabels labels)
    {
        page.WriteLine("<section><h2>Each condition</h2>");
        Dictionary<CellComparison, Explanation> why = comparison.Explanations.ToDictionary(explanation => explanation.Cell);
        for (int i = 0; i < comparison.Primary.Cells.Count; i++)
        {
            CellComparison cell = comparison.Primary.Cells[i];
            string verdict = ComparisonWords.Name(cell.Judgement.Verdict);
            string open = comparison.Primary.Cells.Count <= 3 ? " open" : string.Empty;
            page.WriteLine($"<details id=\"cell-{i}\"{open}><summary>{Text(labels.Of(cell.A))}: {Text(verdict)}</summary>");
            foreach (string remark in ComparisonMarkup.Remarks(cell, why.GetValueOrDefault(cell)))
            {
                page.WriteLine($"<p>{Text(remark)}</p>");
            }

            WriteBest(page, why.GetValueOrDefault(cell));
            if (i < MaxDrawn)
            {
                page.WriteLine($"<div class=\"plots\">{DistributionPlot.Of(comparison.Primary.Metric, cell)}{PairPlot.Of(comparison, cell)}</div>");
            }

            page.WriteLine(ComparisonMarkup.Table(comparison, i));
            page.WriteLine("</details>");
        }

        page.WriteLine("</section>");
    }

    static void WriteBest(StreamWriter page, Explanation? explanation)
    {
        if (explanation?.Best is { A.Folder: { } a, B.Folder: { } b })
        {
            string what = explanation.Cell.Pairs.Count > 0 ? "The pair that shows it best" : "The runs in the middle of each side";
            page.WriteLine($"<p>{what}: <code>{Text(a)}</code> and <code>{Text(b)}</code>.</p>");
        }
    }

    static void WriteLeftOut(StreamWriter page, Comparison comparison, ConditionLabels labels)
    {
        if (comparison.LeftOut.Count > 0)
        {
            page.WriteLine("<section><h2>Left out</h2><ul>");
            foreach (LeftOutCell left in comparison.LeftOut)
            {
                page.WriteLine($"<li>{(left.IsOfA ? "A" : "B")}: {Text(labels.Of(left.Cell))}: {Text(left.Reason)}</li>");
            }

            page.WriteLine("</ul></section>");
        }
    }

    static void Entry(StreamWriter page, string name, string text) => page.WriteLine($"<dt>{name}</dt><dd>{Text(text)}</dd>");

    static string Name(RunSet set) => set.Side is { } side ? $"{set.Path} {side}" : set.Path;

    static string Text(string text) => HtmlText.Encode(text);
}
