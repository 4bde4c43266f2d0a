using System;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Report.Html;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Report.Tests.Html;

public sealed class FindingPlacesTests
{
    static TraceAnalysis Analysis(string fixture)
    {
        using TraceReader reader = TraceFile.Open([ProjectFolder.Fixture(fixture)]);
        return TraceAnalyzer.Analyze(reader, new AnalysisOptions { Timelines = new TimelineOptions() });
    }

    static (FindingPlaces? Places, DirectionTimeline Timeline) PlacesOf(string fixture, string id)
    {
        TraceAnalysis analysis = Analysis(fixture);
        Finding finding = analysis.Findings.First(found => string.Equals(found.Id, id, StringComparison.Ordinal));
        ConnectionTimeline timeline = analysis.Timelines[finding.Connection!];
        return (FindingPlaces.Of(finding, timeline), finding.IsFromClient == true ? timeline.FromClient : timeline.FromServer);
    }

    [Fact]
    public void Of_LimitedByAWindow_FirstIsTheEarliestStretchWorstTheLongest()
    {
        (FindingPlaces? places, DirectionTimeline timeline) = PlacesOf("zero-window.pcapng", FindingIds.ReceiveWindowLimited);
        LimitInterval[] intervals = [.. timeline.Limits.Items.ToArray().Where(limit => limit.State == LimitState.ReceiveWindow)];
        Assert.Equal(intervals[0].Time, places!.First.From);
        LimitInterval longest = intervals.MaxBy(limit => limit.Duration);
        Assert.Equal(new Place(longest.Time, longest.Time + longest.Duration), places.Worst);
        Assert.NotEqual(places.First, places.Worst);
    }

    [Fact]
    public void Of_ZeroWindow_IsFromItsClosingToItsOpening()
    {
        (FindingPlaces? places, DirectionTimeline timeline) = PlacesOf("zero-window.pcapng", FindingIds.ZeroWindow);
        long closed = timeline.Marks.Items.ToArray().First(mark => mark.Kind == MarkKind.ZeroWindow).Time;
        Assert.Equal(closed, places!.First.From);
        Assert.InRange(places.Worst.To - places.Worst.From, 1_330_000_000, 1_340_000_000); // 1.33 s, as the finding says
    }

    [Fact]
    public void Of_Loss_WorstIsWhereMostRepairsStand()
    {
        (FindingPlaces? places, DirectionTimeline timeline) = PlacesOf("bulk-loss.pcapng", FindingIds.PathLoss);
        Mark[] repairs = [.. timeline.Marks.Items.ToArray().Where(mark => mark.Kind <= MarkKind.LostRetransmission && mark.Needless < mark.Count)];
        Assert.Equal(repairs[0].Time, places!.First.From);
        int worst = repairs.Count(mark => mark.Time >= places.Worst.From && mark.Time <= places.Worst.To);
        int first = repairs.Count(mark => mark.Time >= places.First.From && mark.Time <= places.First.To);
        Assert.InRange(worst, first, repairs.Length);
    }

    [Fact]
    public void Of_NoGraphs_IsNull()
    {
        Finding finding = Analysis("zero-window.pcapng").Findings[0];
        Assert.Null(FindingPlaces.Of(finding, null));
    }
}
