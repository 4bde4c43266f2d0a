using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Builds;
using TcpDiag.Report.Fleets;
using TcpDiag.Report.Html;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Site;

/// <summary>Two builds beside each other.</summary>
public static class ComparePage
{
    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="builds">The builds to choose from.</param>
    /// <param name="pair">The two; null where none are chosen.</param>
    /// <param name="links">Where names lead to.</param>
    public static void Write(Stream output, IReadOnlyList<string> builds, BuildPair? pair, SiteLinks links)
    {
        ArgumentNullException.ThrowIfNull(builds);
        ArgumentNullException.ThrowIfNull(links);
        using StreamWriter page = ScriptlessPage.Open(output);
        SitePage.Begin(page, links, "/compare", "serve", pair is null ? "Compare two builds" : $"{pair.B} beside {pair.A}");
        page.WriteLine($"<form action=\"/compare\">{Choice("a", "Build A", builds, pair?.A)}{Choice("b", "Build B, beside it", builds, pair?.B)}"
            + "<button>Compare</button></form>");
        if (pair is not null)
        {
            WriteMeasured(page, pair);
            WriteDocumented(page, pair);
        }

        SitePage.End(page);
    }

    static string Choice(string name, string title, IReadOnlyList<string> builds, string? chosen)
    {
        IEnumerable<string> all = chosen is null || builds.Contains(chosen, StringComparer.Ordinal) ? builds : builds.Prepend(chosen);
        IEnumerable<string> options = all.Select(build =>
            $"<option{(string.Equals(build, chosen, StringComparison.Ordinal) ? " selected" : string.Empty)}>{HtmlText.Encode(build)}</option>");
        return $"<label>{title}<select name=\"{name}\">{string.Concat(options)}</select></label>";
    }

    static void WriteMeasured(StreamWriter page, BuildPair pair)
    {
        FleetChange[] different = [.. pair.Changes.Where(FleetMarkup.IsDifferent)];
        string verdict = different.Any(change => change.Judgement.Verdict == Verdict.Regressed) ? "worse" : different.Length > 0 ? "better" : "equal";
        page.WriteLine($"<p class=\"answer {verdict}\">{HtmlText.Encode(Conclusion(pair, different))}</p>");
        if (pair.Changes.Count > 0)
        {
            page.WriteLine($"<section><h2>Machines of {HtmlText.Encode(pair.B)} beside those of {HtmlText.Encode(pair.A)}</h2>");
            page.WriteLine($"<p>Weeks of {pair.Since} to {pair.Week}. Ratios of B to A, one error budget for all questions. Goodput on a class of paths is "
                + "beside the same machine's other paths.</p>");
            page.WriteLine($"{FleetMarkup.Forest(pair.Changes, change => FleetMarkup.MetricOf(change.Metric, change.Path))}</section>");
        }

        if (pair.MeasuredA is not null || pair.MeasuredB is not null)
        {
            page.WriteLine("<section><h2>What was measured</h2>");
            page.WriteLine(SitePage.Table("What was measured", "figures", [.. ((string[])["median of machines", pair.A, pair.B]).Select(SitePage.Heading)]));
            page.WriteLine($"<tr><th scope=\"row\">machines</th><td>{pair.MeasuredA?.Machines ?? 0}</td><td>{pair.MeasuredB?.Machines ?? 0}</td></tr>");
            for (int i = 0; i < BuildShares.All.Count; i++)
            {
                page.WriteLine($"<tr><th scope=\"row\">{BuildShares.All[i].Title}</th>{Share(pair.MeasuredA, i)}{Share(pair.MeasuredB, i)}</tr>");
            }

            page.WriteLine($"{SitePage.EndTable}</section>");
        }
    }

    static string Share(MeasuredBuild? measured, int index) =>
        measured is null ? "<td>-</td>" : $"<td>{BuildWords.Share(measured.Shares[index].Median)}{BuildWords.Interval(measured.Shares[index])}</td>";

    static string Conclusion(BuildPair pair, FleetChange[] different) =>
        string.Equals(pair.A, pair.B, StringComparison.Ordinal) ? "A and B are the same build."
        : pair.MeasuredA is null || pair.MeasuredB is null ? $"Nothing was measured of {(pair.MeasuredA is null ? pair.A : pair.B)}."
        : different.Length == 0 ? $"Nothing is sure to differ in {Quantity.Count(pair.Changes.Count, "question")}."
        : $"{pair.B} beside {pair.A}: " + string.Join(", ", different.GroupBy(change => change.Judgement.Verdict)
            .Select(group => $"{(group.Key == Verdict.Regressed ? "worse" : "better")} in {Quantity.Count(group.Count(), "question")} of {pair.Changes.Count}"))
                + ".";

    static void WriteDocumented(StreamWriter page, BuildPair pair)
    {
        if (BuildStep.NumberOf(pair.A) is { } a && BuildStep.NumberOf(pair.B) is { } b && a != b)
        {
            page.WriteLine("<section><h2>What changed between them</h2>");
            page.WriteLine(BuildStepMarkup.Of([BuildStep.Between(a, b)], SiteLinks.None));
            page.WriteLine("</section>");
        }
    }
}
