using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Comparisons;
using TcpDiag.Report.Html;
using TcpDiag.Report.Site;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Fleets;

/// <summary>The questions of a fleet's report as tables.</summary>
static class FleetMarkup
{
    /// <summary>The part that does not matter.</summary>
    public const double Margin = 0.05;

    static readonly FleetMetric[] Metrics = [FleetMetric.Goodput, FleetMetric.TimeLost];

    /// <summary>Whether something is sure to differ.</summary>
    public static bool IsDifferent(FleetChange change) => change.Judgement.Verdict is Verdict.Improved or Verdict.Regressed;

    /// <summary>Questions with their intervals on a common axis.</summary>
    /// <param name="changes">The questions.</param>
    /// <param name="name">What a question is called.</param>
    public static string Forest(IReadOnlyList<FleetChange> changes, Func<FleetChange, string> name)
    {
        RatioScale scale = new([.. changes.Where(IsMeasured).Select(change => change.Judgement.Interval)], ForestPlot.Width);
        var table = new StringBuilder(SitePage.Table("Ratios with their intervals", "forest", SitePage.Heading("what"),
            $"<th scope=\"col\" class=\"axis\">{ForestPlot.Axis(scale, "ratio")}</th>", SitePage.Heading("ratio"), SitePage.Heading("machines"),
            SitePage.Heading("verdict")));
        foreach (FleetChange change in changes)
        {
            string kind = ComparisonMarkup.ClassOf(change.Judgement.Verdict);
            string drawing = IsMeasured(change) ? ForestPlot.Drawing(scale, change.Judgement, Margin, kind) : string.Empty;
            table.Append($"<tr><th scope=\"row\">{HtmlText.Encode(name(change))}</th><td class=\"axis\">{drawing}</td><td>{Ratio(change)}</td>");
            table.Append($"<td>{change.Machines}</td>{VerdictCell(change)}</tr>\n");
        }

        return table.Append(SitePage.EndTable).ToString();
    }

    /// <summary>What a question is about where the groups are known.</summary>
    public static string MetricOf(FleetMetric metric, PathClass? path) => path is { } known ? $"{NameOf(metric)} on {known}"
        : metric == FleetMetric.Goodput ? "goodput, all paths" : NameOf(metric);

    /// <summary>Each group beside itself a week before.</summary>
    public static string WeekOverWeek(FleetReport report, SiteLinks links)
    {
        FleetChange[] changes = [.. report.Changes.Where(change => change.Baseline == FleetBaseline.WeekBefore)];
        if (changes.Length == 0)
        {
            return string.Empty;
        }

        RatioScale scale = new([.. changes.Where(IsMeasured).Select(change => change.Judgement.Interval)], ForestPlot.Width);
        string axis = $"<th scope=\"col\" class=\"axis\">{ForestPlot.Axis(scale, "ratio")}</th>";
        string[] metrics = [.. Metrics.Select(metric => $"{SitePage.Heading(NameOf(metric))}{axis}<td></td>")];
        var table = new StringBuilder("<section><h2>Week over week</h2><p>Each machine beside itself in the week before, with the interval of 95 %.</p>");
        table.Append(SitePage.Table("Week over week", "forest", [SitePage.Heading(report.By), .. metrics, SitePage.Heading("machines")]));
        ILookup<(string, FleetMetric), FleetChange> known = changes.ToLookup(change => (change.Group, change.Metric));
        foreach (string group in changes.Select(change => change.Group).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal))
        {
            IEnumerable<string> cells = Metrics.Select(metric => Cells(scale, known[(group, metric)].FirstOrDefault()));
            int machines = Metrics.Max(metric => known[(group, metric)].FirstOrDefault()?.Machines ?? 0);
            table.Append($"<tr><th scope=\"row\">{links.Recordings(report.By, group)}</th>{string.Concat(cells)}<td>{machines}</td></tr>\n");
        }

        return table.Append(SitePage.EndTable).Append("</section>").ToString();
    }

    /// <summary>Each group beside the machines of all others, as a map: a row for each group, a column for time lost and for each class of paths.</summary>
    /// <returns>Empty where there is one group alone.</returns>
    public static string BesideOthers(FleetReport report, SiteLinks links)
    {
        FleetChange[] changes = [.. report.Changes.Where(change => change.Baseline == FleetBaseline.Others)];
        if (changes.Length == 0)
        {
            return string.Empty;
        }

        (FleetMetric Metric, PathClass? Path)[] columns = [.. changes.Select(change => (change.Metric, change.Path)).Distinct()
            .OrderByDescending(column => column.Metric).ThenBy(column => column.Path?.Rtt).ThenBy(column => column.Path?.Rate)];
        var map = new StringBuilder("<section><h2>Beside the others</h2><p>Ratio to the machines of all other groups over the weeks looked at: ");
        map.Append("+ better, - worse, = equal, ? not enough to tell. Coloured where it is certain. Goodput on a class of paths is beside the same machine's ");
        map.Append("other paths, so that what a machine is falls out. The group that stands out most is left out of what the others are beside.</p>");
        map.Append(SitePage.Table("Beside the others", "map heat",
            [SitePage.Heading(report.By), .. columns.Select(column => SitePage.Heading(MetricOf(column.Metric, column.Path)))]));
        ILookup<(string, FleetMetric, PathClass?), FleetChange> known = changes.ToLookup(change => (change.Group, change.Metric, change.Path));
        foreach (string group in changes.Select(change => change.Group).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal))
        {
            IEnumerable<string> cells = columns.Select(column => Cell(known[(group, column.Metric, column.Path)].FirstOrDefault()));
            map.Append($"<tr><th scope=\"row\">{links.Recordings(report.By, group)}</th>{string.Concat(cells)}</tr>\n");
        }

        return map.Append(SitePage.EndTable).Append("</section>").ToString();
    }

    /// <summary>A cell of a map; empty where nothing was asked.</summary>
    public static string Cell(FleetChange? change)
    {
        if (change is null || !IsMeasured(change))
        {
            return "<td>-</td>";
        }

        string title = change.Judgement.Reason ?? $"{ComparisonWords.Text(change.Judgement.Interval)}, {Quantity.Count(change.Machines, "machine")}";
        string kind = ComparisonMarkup.ClassOf(change.Judgement.Verdict);
        return $"<td class=\"{kind} step{MapSteps.Of(change.Judgement)}\" title=\"{HtmlText.Encode(title)}\">{MatrixWords.Cell(change.Judgement)}</td>";
    }

    // Ratio, drawing and verdict of a week beside the one before.
    static string Cells(RatioScale scale, FleetChange? change)
    {
        if (change is null)
        {
            return "<td>-</td><td></td><td></td>";
        }

        string kind = ComparisonMarkup.ClassOf(change.Judgement.Verdict);
        string drawing = IsMeasured(change) ? ForestPlot.Drawing(scale, change.Judgement, Margin, kind) : string.Empty;
        string reason = change.Judgement.Reason is { } why ? $" title=\"{HtmlText.Encode(why)}\"" : string.Empty;
        string verdict = $"<td class=\"{kind} left\"{reason}>{HtmlText.Encode(ComparisonWords.Short(change.Judgement.Verdict))}</td>";
        return $"<td>{Ratio(change)}</td><td class=\"axis\">{drawing}</td>{verdict}";
    }

    static bool IsMeasured(FleetChange change) => change.Machines > 0 && double.IsFinite(change.Judgement.Ratio);

    static string Ratio(FleetChange change) => !IsMeasured(change) ? "-"
        : FormattableString.Invariant($"{change.Judgement.Ratio:0.000} <small>{change.Judgement.Interval.Low:0.000} to ")
            + FormattableString.Invariant($"{change.Judgement.Interval.High:0.000}</small>");

    static string VerdictCell(FleetChange change)
    {
        string reason = change.Judgement.Reason is { } why ? $"<br><small>{HtmlText.Encode(why)}</small>" : string.Empty;
        return "<td "
            + $"class=\"{ComparisonMarkup.ClassOf(change.Judgement.Verdict)}\">{HtmlText.Encode(ComparisonWords.Name(change.Judgement.Verdict))}{reason}</td>";
    }

    static string NameOf(FleetMetric metric) => metric == FleetMetric.Goodput ? "goodput" : "time lost";
}
