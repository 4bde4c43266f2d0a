using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Builds;
using TcpDiag.Report.Html;
using TcpDiag.Report.Site;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Fleets;

/// <summary>
/// The report of a fleet as one page without a script: what differs beside its intervals, what it costs, and what changed between the builds.
/// </summary>
public static class FleetPage
{
    const int ShownFindings = 40;

    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="report">The report.</param>
    /// <param name="links">Where names lead to.</param>
    public static void Write(Stream output, FleetReport report, SiteLinks links)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(links);
        using StreamWriter page = ScriptlessPage.Open(output);
        string title = report.Week is null ? "Fleet" : $"Fleet by {report.By}, week of {report.Week}";
        SitePage.Begin(page, links, "/", "fleet report", title);
        WriteSummary(page, report);
        if (links.IsServed)
        {
            page.WriteLine(Grouping(report.By));
        }

        if (report.Week is not null)
        {
            WriteDifferences(page, report);
            page.WriteLine(FleetMarkup.WeekOverWeek(report, links));
            page.WriteLine(FleetMarkup.BesideOthers(report, links));
            WriteFindings(page, report, links);
            WriteAttention(page, report, links);
            WriteSteps(page, report, links);
        }

        SitePage.End(page);
    }

    static void WriteSummary(StreamWriter page, FleetReport report)
    {
        FleetChange[] different = [.. report.Changes.Where(FleetMarkup.IsDifferent)];
        string verdict = different.Any(change => change.Judgement.Verdict == Verdict.Regressed) ? "worse" : different.Length > 0 ? "better" : "equal";
        page.WriteLine($"<p class=\"answer {verdict}\">{Text(Conclusion(report, different))}</p><dl>");
        if (report.Week is not null)
        {
            string machines = Quantity.Count(report.Machines, "machine");
            page.WriteLine($"<dt>looked at</dt><dd>weeks of {report.Since} to {report.Week}: {machines}, {Quantity.Count(report.Transfers, "transfer")} of "
                + "100 kB or more</dd>");
            page.WriteLine("<dt>how</dt><dd>The unit is the machine. Like paths are compared with like paths, by round trip and rate. Differences within 5 % "
                + "do not matter; the chance that a fleet in which nothing differs shows a difference is at most 5 %.</dd>");
        }

        if (report.Unknown > 0)
        {
            page.WriteLine($"<dt>left out</dt><dd>{Quantity.Count(report.Unknown, "recording")}: of which machine or when is not known</dd>");
        }

        page.WriteLine("</dl>");
    }

    static string Conclusion(FleetReport report, FleetChange[] different) => report.Week is null ? "No recording of a known machine and time."
        : different.Length == 0 ? $"By {report.By}, nothing is sure to differ."
        : $"{Groups(different, Verdict.Regressed, "Worse")}{Groups(different, Verdict.Improved, "Better")}".Trim();

    static string Groups(FleetChange[] different, Verdict verdict, string word)
    {
        string groups = string.Join(", ", different.Where(change => change.Judgement.Verdict == verdict).Select(change => change.Group)
            .Distinct(StringComparer.Ordinal));
        return groups.Length == 0 ? string.Empty : $"{word}: {groups}. ";
    }

    static string Grouping(string by) => "<p>By " + string.Join(" · ", FleetBuilder.Groupings.Select(one => string.Equals(one, by, StringComparison.Ordinal)
        ? $"<b>{one}</b>"
        : $"<a href=\"/?by={one}\">{one}</a>")) + "</p>";

    static void WriteDifferences(StreamWriter page, FleetReport report)
    {
        FleetChange[] different = [.. report.Changes.Where(FleetMarkup.IsDifferent)];
        page.WriteLine("<section><h2>What differs</h2>");
        page.WriteLine(different.Length == 0 ? "<p>Nothing that is sure to differ.</p>" : FleetMarkup.Forest(different, FleetText.SubjectOf));
        int equal = report.Changes.Count(change => change.Judgement.Verdict == Verdict.Equal);
        page.WriteLine($"<p>{Quantity.Count(report.Changes.Count, "question")} with one error budget; equal within 5 %: {equal}.</p>");
        IGrouping<string, FleetChange>[] open = [.. report.Changes.Where(change => change.Judgement.Verdict == Verdict.NotEnoughEvidence)
            .GroupBy(change => change.Judgement.Reason ?? string.Empty, StringComparer.Ordinal).OrderByDescending(reason => reason.Count())];
        if (open.Length > 0)
        {
            IEnumerable<string> reasons = open.Select(reason => $"<li>{reason.Count()} of them: {Text(reason.Key)}</li>");
            page.WriteLine($"<details><summary>Not enough to tell: {open.Sum(reason => reason.Count())}</summary><ul>{string.Concat(reasons)}</ul></details>");
        }

        page.WriteLine("</section>");
    }

    static void WriteFindings(StreamWriter page, FleetReport report, SiteLinks links)
    {
        page.WriteLine("<section><h2>Findings of the week</h2>");
        if (report.Findings.Count == 0)
        {
            page.WriteLine("<p>None.</p></section>");
            return;
        }

        page.WriteLine(SitePage.Table("Findings of the week", string.Empty, [.. ((string[])["finding", "time lost by all", "machines", "share of machines",
            "week before", "news"]).Select(SitePage.Heading)]));
        long most = Math.Max(report.Findings.Max(finding => finding.LostNanos), 1);
        foreach (FleetFinding finding in report.Findings.Take(ShownFindings))
        {
            string share = finding.Prevalence.ToString("0 %", CultureInfo.InvariantCulture);
            string before = finding.LostBeforeNanos is { } lost ? Quantity.Duration(lost) : "none";
            string tag = finding.IsNew ? "<span class=\"tag worse\">new</span>" : string.Empty;
            page.WriteLine($"<tr><th scope=\"row\">{links.Recordings("first_finding", finding.Id)}</th><td>{Quantity.Duration(finding.LostNanos)}");
            page.WriteLine($"{Bar((double)finding.LostNanos / most)}</td><td>{finding.Machines}</td><td>{share}{Bar(finding.Prevalence)}</td>"
                + $"<td>{before}</td><td>{tag}</td></tr>");
        }

        page.WriteLine($"{SitePage.EndTable}</section>");
    }

    // Styles in the page are forbidden: the width is that of a drawing.
    static string Bar(double share) =>
        "<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" "
            + $"aria-hidden=\"true\">{Svg.Rect("dot", 0, 0, Math.Clamp(share, 0, 1) * 100, 4)}</svg>";

    static void WriteAttention(StreamWriter page, FleetReport report, SiteLinks links)
    {
        page.WriteLine("<section><h2>Machines that need attention first</h2>");
        if (report.Attention.Count == 0)
        {
            page.WriteLine("<p>None lost time in the week.</p></section>");
            return;
        }

        page.WriteLine(SitePage.Table("Machines that need attention first", string.Empty,
            [.. ((string[])["machine", "time lost", "most to"]).Select(SitePage.Heading)]));
        foreach (FleetMachine machine in report.Attention)
        {
            page.WriteLine($"<tr><th scope=\"row\">{links.Recordings("machine", machine.Machine)}</th><td>{Quantity.Duration(machine.LostNanos)}</td>"
                + $"<td>{Text(machine.Worst)}</td></tr>");
        }

        page.WriteLine($"{SitePage.EndTable}</section>");
    }

    static void WriteSteps(StreamWriter page, FleetReport report, SiteLinks links)
    {
        IReadOnlyList<BuildStep> steps = report.By is "build" ? BuildStep.Of(report.Changes.Select(change => change.Group).Distinct(StringComparer.Ordinal))
            : [];
        if (steps.Count > 0)
        {
            page.WriteLine("<section><h2>What changed between the builds</h2>");
            page.WriteLine(BuildStepMarkup.Of(steps, links));
            page.WriteLine("</section>");
        }
    }

    static string Text(string text) => HtmlText.Encode(text);
}
