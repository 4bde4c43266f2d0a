using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Fleets;
using TcpDiag.Report.Html;
using TcpDiag.Report.Site;
using TcpDiag.Scores.Cards;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Builds;

/// <summary>What is documented of builds and what a store has measured of them, as one page without a script: three maps with a row for each build.</summary>
public static class BuildsPage
{
    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="report">The report.</param>
    /// <param name="links">Where names lead to.</param>
    public static void Write(Stream output, BuildsReport report, SiteLinks links)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(links);
        using StreamWriter page = ScriptlessPage.Open(output);
        int measured = report.Rows.Count(row => row.Measured is not null);
        SitePage.Begin(page, links, "/builds", "builds", $"{Quantity.Count(report.Rows.Count, "build")}, {measured} of them measured");
        WriteSummary(page, report);
        page.WriteLine(Measured(report, links));
        page.WriteLine(FleetMarkup.BesideOthers(report.Fleet, links));
        page.WriteLine(Scores(report, links));
        page.WriteLine(Documented(report, links));
        SitePage.End(page);
    }

    static void WriteSummary(StreamWriter page, BuildsReport report)
    {
        string when = report.Fleet.Week is { } week ? $"weeks of {report.Fleet.Since} to {week}: {Quantity.Count(report.Fleet.Machines, "machine")}"
            : "no recording of a known machine and time";
        page.WriteLine($"<dl><dt>measured</dt><dd>{when}</dd>");
        page.WriteLine("<dt>how</dt><dd>Shares are medians over machines, each with the sum of its recordings, with an interval of 95 % from six machines on. "
            + "What concerns a sender or a receiver is of the recorded end, and of both where it is not known which was; scores and loss detection are of "
            + "recorded machines alone.</dd></dl>");
    }

    static string Measured(BuildsReport report, SiteLinks links)
    {
        IEnumerable<BuildRow> rows = report.Rows.Where(row => row.Measured is not null);
        string[] titles = ["build", "machines", "recordings", .. BuildShares.All.Select(share => share.Title), "weeks"];
        return "<section><h2>What was measured</h2>" + SitePage.Table("What was measured", "map heat", [.. titles.Select(SitePage.Heading)])
            + string.Concat(rows.Select(row => MeasuredRow(row, row.Measured!, links))) + SitePage.EndTable + "</section>";
    }

    static string MeasuredRow(BuildRow row, MeasuredBuild measured, SiteLinks links)
    {
        IEnumerable<string> shares = BuildShares.All.Zip(measured.Shares, (share, one) =>
            $"<td class=\"use{BuildWords.Step(share, one)}\" "
                + $"title=\"{HtmlText.Encode(BuildWords.Basis(one))}\">{BuildWords.Share(one.Median)}{BuildWords.Interval(one)}</td>");
        return "<tr><th "
            + $"scope=\"row\">{links.Recordings("build", row.Build)}</th><td>{measured.Machines}</td><td>{measured.Recordings}</td>{string.Concat(shares)}"
            + $"<td>{measured.FirstWeek}<br>{measured.LastWeek}</td></tr>\n";
    }

    static string Scores(BuildsReport report, SiteLinks links)
    {
        BuildRow[] rows = [.. report.Rows.Where(row => row.Measured is { } measured && measured.Scores.Count + measured.Fingerprints.Count > 0)];
        string[] components = [.. rows.SelectMany(row => row.Measured!.Scores.Select(score => score.Component)).Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal)];
        const string heading = "<section><h2>Scores</h2>";
        return rows.Length == 0
            ? $"{heading}<p>No sender was scored; <code>tcpdiag score --store</code> does.</p></section>"
            : $"{heading}<p>How often senders did what they should, of how often, with the interval of 95 %. What bears an asterisk is the path's as much as "
                + "the sender's: builds that were recorded over other paths differ in it.</p>"
                + SitePage.Table("Scores", "map heat",
                    [
                        SitePage.Heading("build"), SitePage.TextHeading("loss detection"),
                        .. components.Select(ScoreWords.NameOf).Prepend("as documented").Select(SitePage.Heading),
                    ])
                + string.Concat(rows.Select(row => ScoreRow(row, row.Measured!, components, links))) + SitePage.EndTable + "</section>";
    }

    static string ScoreRow(BuildRow row, MeasuredBuild measured, string[] components, SiteLinks links)
    {
        string detection = string.Join("<br>", measured.Fingerprints.Select(one =>
            HtmlText.Encode(FormattableString.Invariant($"{one.Fingerprint}: {one.Senders}"))));
        IEnumerable<string> rates = components.Select(component =>
            Rate(measured.Scores.Where(score => string.Equals(score.Component, component, StringComparison.Ordinal)).Select(score => (Proportion?)score.Rate)
                .FirstOrDefault()));
        string agreement = row.Agreement is { } agrees
            ? $"<td class=\"{(agrees.High < 0.5 ? "worse" : agrees.Low > 0.5 ? "better" : "unclear")} step1\">{RateText(agrees)}</td>" : "<td>-</td>";
        return $"<tr><th scope=\"row\">{links.Recordings("build", row.Build)}</th><td class=\"text\">{detection}</td>{agreement}{string.Concat(rates)}</tr>\n";
    }

    static string Rate(Proportion? rate) => rate is { } known ? $"<td>{RateText(known)}</td>" : "<td>-</td>";

    static string RateText(Proportion rate) =>
        FormattableString.Invariant($"{rate.Rate * 100:0} % of {rate.Trials}<br><small>{rate.Low * 100:0} to {rate.High * 100:0} %</small>");

    static string Documented(BuildsReport report, SiteLinks links)
    {
        BuildRow[] rows = [.. report.Rows.Where(row => row.Documented?.Traits.Count > 0)];
        if (rows.Length == 0)
        {
            return string.Empty;
        }

        string[] headings =
        [
            SitePage.Heading("build"), .. rows[0].Documented!.Traits.Select(trait => SitePage.TextHeading(trait.Name)), SitePage.Heading("events"),
            SitePage.TextHeading("which show"),
        ];
        IEnumerable<string> lines = rows.Select((row, i) => DocumentedRow(row.Documented!, i == 0 ? null : rows[i - 1].Documented, links));
        return "<section><h2>What is documented</h2><p>Coloured where a build differs from the one before; <small>assumed</small> where no source says it.</p>"
            + SitePage.Table("What is documented", "map heat", headings) + string.Concat(lines) + SitePage.EndTable + "</section>";
    }

    static string DocumentedRow(DocumentedBuild build, DocumentedBuild? before, SiteLinks links)
    {
        string number = FormattableString.Invariant($"{build.Number}");
        string name = before is null ? HtmlText.Encode(number) : links.Comparison(FormattableString.Invariant($"{before.Number}"), number, number);
        string system = build.System is { } known ? $"<br><small>{HtmlText.Encode(known)}</small>" : string.Empty;
        IEnumerable<string> traits = build.Traits.Select((trait, i) =>
        {
            bool isNew = before is not null && !string.Equals(before.Traits[i].Value, trait.Value, StringComparison.Ordinal);
            string assumed = trait.IsAssumed ? " <small>assumed</small>" : string.Empty;
            return $"<td class=\"text{(isNew ? " moved step1" : string.Empty)}\">{HtmlText.Encode(trait.Value)}{assumed}</td>";
        });
        return $"<tr><th scope=\"row\">{name}{system}</th>{string.Concat(traits)}<td>{(build.Events is { } events ? events : "not known")}</td>"
            + $"<td class=\"text long\"><small>{HtmlText.Encode(string.Join(", ", build.Shown))}</small></td></tr>\n";
    }
}
