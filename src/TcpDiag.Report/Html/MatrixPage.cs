using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Report.Comparisons;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Report.Html;

/// <summary>
/// A matrix as one page without a script: a map of all builds and conditions, and behind each condition every build with its interval, its verdict, and what
/// to compare next. Its policy forbids the browser every connection.
/// </summary>
public static class MatrixPage
{
    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="matrix">The matrix.</param>
    public static void Write(Stream output, BuildMatrix matrix)
    {
        ArgumentNullException.ThrowIfNull(matrix);
        using StreamWriter page = ScriptlessPage.Open(output);
        ConditionLabels labels = new([.. matrix.Rows.Select(row => row.Base)]);
        string title = $"{matrix.Builds.Count + 1} builds, {matrix.Settings.Metric.Title}";
        ScriptlessPage.Begin(page, "matrix", title, ComparisonStyle.Text + ComparisonStyle.Map, "matrix");
        WriteSummary(page, matrix, labels);
        WriteMap(page, matrix, labels);
        WriteRows(page, matrix, labels);
        WriteLeftOut(page, matrix, labels);
        ScriptlessPage.End(page);
    }

    static void WriteSummary(StreamWriter page, BuildMatrix matrix, ConditionLabels labels)
    {
        page.WriteLine($"<p class=\"answer {(matrix.HasRegression ? "worse" : "equal")}\">{Text(MatrixWords.Conclusion(matrix))}</p><dl>");
        page.WriteLine($"<dt>base</dt><dd>{Text(ComparisonWords.Describe(matrix.Base.Set))}</dd>");
        if (labels.Common.Length > 0)
        {
            page.WriteLine($"<dt>in common</dt><dd>{Text(labels.Common)}</dd>");
        }

        page.WriteLine($"<dt>signs</dt><dd>{Text(MatrixWords.Legend(matrix, matrix.Base.Name))}</dd></dl>");
    }

    static void WriteMap(StreamWriter page, BuildMatrix matrix, ConditionLabels labels)
    {
        page.WriteLine($"<section><h2>{Text(ComparisonWords.Heading(matrix.Settings.Metric))}</h2><div class=\"wide\"><table class=\"map heat\"><thead><tr>");
        page.WriteLine($"<th scope=\"col\">condition</th><th scope=\"col\">{Text(matrix.Base.Name)}</th>");
        string published = MatrixWords.HasPublished(matrix) ? "<th scope=\"col\">published</th>" : string.Empty;
        page.WriteLine(string.Concat(matrix.Builds.Select(build => $"<th scope=\"col\">{Text(build.Name)}</th>")) + published + "</tr></thead><tbody>");
        if (matrix.Rows.Count > 1)
        {
            page.WriteLine($"<tr><th scope=\"row\">all</th><td></td>{string.Concat(matrix.Builds.Select(build => MapCell(matrix, build.Overall)))}</tr>");
        }

        for (int i = 0; i < matrix.Rows.Count; i++)
        {
            MatrixRow row = matrix.Rows[i];
            string figures = string.Concat(row.Cells.Select(cell => MapCell(matrix, cell?.Judgement)))
                + (published.Length > 0 ? $"<td>{Text(MatrixWords.Published(matrix, row) ?? string.Empty)}</td>" : string.Empty);
            page.WriteLine($"<tr><th scope=\"row\"><a href=\"#row-{i}\">{Text(labels.Of(row.Base))}</a></th>");
            page.WriteLine($"<td>{ComparisonWords.Figure(matrix.Settings.Metric, row.Median)}</td>{figures}</tr>");
        }

        page.WriteLine("</tbody></table></div></section>");
    }

    static string MapCell(BuildMatrix matrix, Judgement? judgement) => judgement is null
        ? "<td>-</td>"
        : $"<td class=\"{ComparisonMarkup.ClassOf(matrix.Settings.Metric, judgement)} step{MapSteps.Of(judgement)}\">{MatrixWords.Cell(judgement)}</td>";

    static void WriteRows(StreamWriter page, BuildMatrix matrix, ConditionLabels labels)
    {
        page.WriteLine("<section><h2>Each condition</h2>");
        for (int i = 0; i < matrix.Rows.Count; i++)
        {
            MatrixRow row = matrix.Rows[i];
            page.WriteLine($"<details id=\"row-{i}\"{(matrix.Rows.Count <= 3 ? " open" : string.Empty)}><summary>{Text(labels.Of(row.Base))}</summary>");
            page.WriteLine("<div class=\"wide\"><table><thead><tr><th scope=\"col\">build</th><th scope=\"col\">median</th><th scope=\"col\">n</th>");
            page.WriteLine("<th scope=\"col\">ratio</th><th scope=\"col\">95 % interval</th><th scope=\"col\">verdict</th></tr></thead><tbody>");
            page.WriteLine($"<tr><th scope=\"row\">{Text(matrix.Base.Name)}</th><td>{ComparisonWords.Figure(matrix.Settings.Metric, row.Median)}</td>");
            page.WriteLine($"<td>{row.Base.Runs.Count}</td><td>1</td><td></td><td>base</td></tr>");
            page.WriteLine(string.Concat(row.Cells.Select((cell, build) => BuildRow(matrix, matrix.Builds[build], cell))));
            page.WriteLine("</tbody></table></div>");
            page.WriteLine($"<p>To see why: <code>{Text(Command(matrix, row))}</code></p></details>");
        }

        page.WriteLine("</section>");
    }

    static string BuildRow(BuildMatrix matrix, MatrixBuild build, CellComparison? cell)
    {
        if (cell is null)
        {
            return $"<tr><th scope=\"row\">{Text(build.Name)}</th><td>-</td><td>0</td><td>-</td><td></td><td class=\"unclear\">no runs that count</td></tr>";
        }

        Judgement judgement = cell.Judgement;
        string reason = judgement.Reason is { } why ? $"<br><small>{Text(why)}</small>" : string.Empty;
        string censored = cell.CensoredB > 0 ? $"<br><small>{cell.CensoredB} of {cell.B.Runs.Count} runs not to their end</small>" : string.Empty;
        string figures = $"<td>{ComparisonWords.Figure(matrix.Settings.Metric, cell.MedianB)}</td><td>{ComparisonWords.Count(cell)}</td>"
            + $"<td>{ComparisonWords.Ratio(judgement.Ratio)}</td><td>{ComparisonWords.Text(judgement.Interval)}</td>";
        string verdict = "<td "
            + $"class=\"{ComparisonMarkup.ClassOf(matrix.Settings.Metric, judgement)}\">{Text(ComparisonWords.Name(judgement.Verdict))}{reason}{censored}</td>";
        return $"<tr><th scope=\"row\">{Text(build.Name)}</th>{figures}{verdict}</tr>\n";
    }

    // Beside the build that moved most, or the first.
    static string Command(BuildMatrix matrix, MatrixRow row)
    {
        int build = Enumerable.Range(0, row.Cells.Count)
            .MaxBy(index => row.Cells[index]?.Judgement is { } judgement && ComparisonWords.IsDifference(judgement.Verdict)
            ? Math.Abs(Math.Log(judgement.Ratio)) : -1);
        (RunSet a, RunSet b) = (matrix.Base.Set, matrix.Builds[build].Set);
        string sets = string.Equals(a.Path, b.Path, StringComparison.Ordinal) ? $"{a.Path} --side {a.Side} --side {b.Side}" : $"{a.Path} {b.Path}";
        return $"tcpdiag compare {sets} --cell {row.Base.Name}";
    }

    static void WriteLeftOut(StreamWriter page, BuildMatrix matrix, ConditionLabels labels)
    {
        IEnumerable<(int Build, LeftOutCell Cell)> left = MatrixWords.LeftOut(matrix);
        if (left.Any())
        {
            string lines = string.Concat(left.Select(one =>
                $"<li>{Text(one.Cell.IsOfA ? matrix.Base.Name : matrix.Builds[one.Build].Name)}: {Text(labels.Of(one.Cell.Cell))}: "
                + $"{Text(MatrixWords.Named(one.Cell.Reason, matrix, one.Build))}</li>\n"));
            page.WriteLine($"<section><h2>Left out</h2><ul>{lines}</ul></section>");
        }
    }

    static string Text(string text) => HtmlText.Encode(text);
}

/// <summary>How strongly a cell of a map is coloured; what is not certain is not.</summary>
static class MapSteps
{
    // Of the natural logarithm of the ratio: 5, 15 and 40 %.
    static readonly double[] Steps = [0.05, 0.14, 0.34];

    /// <summary>The step of a ratio.</summary>
    /// <returns>0 for no colour, to 3.</returns>
    public static int Of(Judgement judgement) => ComparisonWords.IsDifference(judgement.Verdict)
        ? Steps.Count(step => Math.Abs(Math.Log(judgement.Ratio)) >= step)
        : 0;
}
