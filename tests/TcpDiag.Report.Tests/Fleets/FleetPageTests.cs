using System;
using System.IO;
using System.Text;
using TcpDiag.Report.Fleets;
using TcpDiag.Report.Site;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.Statistics;
using TcpDiag.Store.Fleets;
using Xunit;

namespace TcpDiag.Report.Tests.Fleets;

/// <summary>The report of a fleet as a page.</summary>
public sealed class FleetPageTests
{
    const string Hostile = "<b onclick=x>&\"'\u202e";
    const string Encoded = "&lt;b onclick=x&gt;&amp;&quot;&#x27;?";

    [Fact]
    public void Alone_ItHasNeitherLinksNorScripts()
    {
        string page = Written(Report("26200"), SiteLinks.None);
        Assert.DoesNotContain("<script", page, StringComparison.Ordinal);
        Assert.DoesNotContain("href=\"/", page, StringComparison.Ordinal);
        Assert.DoesNotContain("http://", page, StringComparison.Ordinal);
        Assert.DoesNotContain("https://", page, StringComparison.Ordinal);
        Assert.Contains("form-action 'none'", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Difference_StandsWithItsIntervalInFront()
    {
        string page = Written(Report("26200"), SiteLinks.None);
        Assert.Contains("<p class=\"answer worse\">Worse: 26200.</p>", page, StringComparison.Ordinal);
        Assert.Contains("0.750 <small>0.650 to 0.880</small>", page, StringComparison.Ordinal);
        Assert.Contains("<td class=\"worse step2\" title=\"0.65 to 0.88, 30 machines\">0.75-</td>", page, StringComparison.Ordinal);
        Assert.Contains("1 of them: no machine in both weeks, 5 are needed", page, StringComparison.Ordinal);
        Assert.Contains("<span class=\"tag worse\">new</span>", page, StringComparison.Ordinal);
        Assert.Contains("loss detection: RACK, blind to DSACKs &#x2192; RACK, window adapts", page, StringComparison.Ordinal);
        Assert.Contains("<code>tcpdiag events diff 22000 26200</code>", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Served_NamesLeadOn_AndStayText()
    {
        string page = Written(Report(Hostile), SiteLinks.Served);
        Assert.Contains($"href=\"/recordings?build=%3Cb%20onclick%3Dx%3E%26%22%27%E2%80%AE\">{Encoded}</a>", page, StringComparison.Ordinal);
        Assert.DoesNotContain(Hostile, page, StringComparison.Ordinal);
        Assert.Contains("aria-current=\"page\">Fleet</a>", page, StringComparison.Ordinal);
    }

    [Fact]
    public void EmptyStore_SaysSo() =>
        Assert.Contains("No recording of a known machine and time.", Written(new FleetReport(null, null, 0, 0, 3) { By = "build" }, SiteLinks.None),
            StringComparison.Ordinal);

    static FleetReport Report(string group) => new("2026-11-16", "2026-10-26", 60, 1000, 0)
    {
        By = "build",
        Changes =
        [
            new(group, FleetMetric.Goodput, FleetBaseline.Others, new PathClass(4, 2), 30,
                new(0.75, new Interval(0.65, 0.88), 0.001, 0.01, 0.2, Verdict.Regressed, null)),
            new("22000", FleetMetric.Goodput, FleetBaseline.WeekBefore, null, 0,
                new(1, default, 1, null, 0.5, Verdict.NotEnoughEvidence, "no machine in both weeks, 5 are needed")),
        ],
        Findings = [new("path-loss", 10, 0.5, 5_000_000_000, null, true)],
        Attention = [new(Hostile, 1_000_000_000, "path-loss")],
    };

    static string Written(FleetReport report, SiteLinks links)
    {
        using var output = new MemoryStream();
        FleetPage.Write(output, report, links);
        return Encoding.UTF8.GetString(output.ToArray());
    }
}
