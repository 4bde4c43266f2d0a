using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Report.Comparisons;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Report.Html;

/// <summary>Parts of the page of a comparison that its sections share.</summary>
static class ComparisonMarkup
{
    /// <summary>The class that colours a verdict.</summary>
    public static string ClassOf(Metric metric, Judgement judgement) => ClassOf(judgement.Verdict);

    /// <summary>The class that colours a verdict.</summary>
    public static string ClassOf(Verdict verdict) => verdict switch
    {
        Verdict.Improved => "better",
        Verdict.Regressed => "worse",
        Verdict.Equal => "equal",
        Verdict.More or Verdict.Less => "moved",
        _ => "unclear",
    };

    /// <summary>What is said of a cell besides its verdict.</summary>
    /// <param name="cell">The cell.</param>
    /// <param name="explanation">Why; null without a difference.</param>
    /// <returns>Sentences without their full stop.</returns>
    public static IEnumerable<string> Remarks(CellComparison cell, Explanation? explanation)
    {
        string basis = cell.Judgement.Verdict == Verdict.NotEnoughEvidence ? $"Not enough evidence: {cell.Judgement.Reason}" : ComparisonWords.Basis(cell);
        List<string> remarks = [basis, ComparisonWords.Censored(cell), ComparisonWords.Alone(cell)];
        if (explanation is not null)
        {
            string moved = string.Join(", ", ComparisonWords.MovedOf(explanation));
            remarks.AddRange([ComparisonWords.TimeShifts(explanation), moved.Length > 0 ? $"moved with it: {moved}" : string.Empty]);
        }

        return remarks.Where(remark => remark.Length > 0);
    }

    /// <summary>All metrics of a cell.</summary>
    /// <param name="comparison">The comparison.</param>
    /// <param name="cell">The cell's index.</param>
    /// <returns>A table.</returns>
    public static string Table(Comparison comparison, int cell)
    {
        StringBuilder table = new("<div class=\"wide\"><table><thead><tr><th scope=\"col\">metric</th>");
        table.Append("<th scope=\"col\">A</th><th scope=\"col\">B</th><th scope=\"col\">B/A</th>");
        table.Append("<th scope=\"col\">95 % interval</th><th scope=\"col\">verdict</th></tr></thead><tbody>");
        foreach (MetricComparison metric in comparison.Metrics)
        {
            CellComparison here = metric.Cells[cell];
            Judgement judgement = here.Judgement;
            table.Append($"<tr><th scope=\"row\">{HtmlText.Encode(metric.Metric.Title)}</th>");
            table.Append($"<td>{ComparisonWords.Figure(metric.Metric, here.MedianA)}</td><td>{ComparisonWords.Figure(metric.Metric, here.MedianB)}</td>");
            table.Append($"<td>{ComparisonWords.Ratio(judgement.Ratio)}</td><td>{ComparisonWords.Text(judgement.Interval)}</td>");
            string title = judgement.Reason is { } reason ? $" title=\"{HtmlText.Encode(reason)}\"" : string.Empty;
            table.Append($"<td class=\"{ClassOf(metric.Metric, judgement)}\"{title}>{HtmlText.Encode(ComparisonWords.Name(judgement.Verdict))}</td></tr>");
        }

        return table.Append("</tbody></table></div>").ToString();
    }
}
