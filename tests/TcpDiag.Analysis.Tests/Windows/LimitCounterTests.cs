using System;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>A download that its receive window limits, told as Windows builds would tell it, with what their stacks count of it.</summary>
public sealed class LimitCounterTests
{
    const int LastBuild = 26200; // alone tells bytes with each acknowledged send
    const long Millisecond = 1_000_000;

    public static TheoryData<int> EachBuild => new(14393, 19041, 22000, 22621, 26100, LastBuild);

    [Theory]
    [MemberData(nameof(EachBuild))]
    public void Counters_ThatFitThePackets_StandBesideThem(int build)
    {
        CountedLimits fitting = Fitting();
        TraceAnalysis analysis = Analyze(new(build) { Counted = fitting });
        LimitCounters told = CountersOf(analysis)!;
        Assert.Equal(new(fitting.ReceiveWindow * Millisecond, fitting.Congestion * Millisecond, fitting.Sender * Millisecond), told.Times);
        Assert.Equal(Sender(analysis).UniqueBytes, told.Bytes?.ReceiveWindow);
        Assert.True(told.IsComparable);
        Assert.Null(told.Disagreement);
        Finding limit = analysis.Findings.Single(found => found.Id is FindingIds.ReceiveWindowLimited);
        Assert.Equal(EndSystem.Windows, analysis.Connections.Single().ServerSystem);
        Assert.Contains(limit.Text().Evidence, shown => shown.Measure.StartsWith("counted by the sender's Windows", StringComparison.Ordinal));
    }

    // Of nearly all of the time the packets show a full window, and the stack says that its congestion window was.
    [Theory]
    [MemberData(nameof(EachBuild))]
    public void Counters_OfAnotherLimit_AreAFinding(int build)
    {
        (long window, long congestion, long sender) = Fitting();
        TraceAnalysis analysis = Analyze(new(build) { Counted = new(congestion, window, sender) });
        LimitDisagreement told = CountersOf(analysis)!.Disagreement!;
        Assert.Equal((LimitState.ReceiveWindow, LimitState.CongestionWindow), (told.FromPackets, told.FromEvents));
        Assert.Equal((double)(window - congestion) * Millisecond / Sender(analysis).ActiveTime!.Value, told.Part, 0.01);
        Finding finding = analysis.Findings.Single(found => found.Id is FindingIds.EvidenceDisagrees);
        Assert.Equal("The server's own counters disagree about what limited the download.", finding.Title);
    }

    // Where the trace ends before the connection, bytes with each acknowledged send tell which limit time belongs to.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Counters_OfBytesAlone_DivideTheTime(bool isWindow)
    {
        TraceAnalysis analysis = Analyze(new(LastBuild) { Counted = isWindow ? new(1, 0, 0) : new(0, 1, 0), HasSummary = false });
        LimitCounters told = CountersOf(analysis)!;
        Assert.True(told is { IsTimeByBytes: true, IsComparable: true });
        Assert.Equal(told.Times!.Value.Total, isWindow ? told.Times.Value.ReceiveWindow : told.Times.Value.Congestion);
        Assert.Equal(isWindow, told.Disagreement is null);
    }

    // The older builds tell all of it in the summary at the end, or not at all.
    [Fact]
    public void Counters_NotToldOrNotKept_AreNone()
    {
        Assert.Null(CountersOf(Analyze(new(22621) { Counted = Fitting(), HasSummary = false })));
        Assert.Null(CountersOf(Analyze(new(22621))));
    }

    // A summary of ten seconds, of a connection that the trace shows for some two: most of it lies before the trace.
    [Fact]
    public void Counters_OfALongerLife_AreNotCompared()
    {
        TraceAnalysis analysis = Analyze(new(26100) { Counted = new(0, 10_000, 0), IsOlder = true });
        Assert.Equal((10_000 * Millisecond, false), (CountersOf(analysis)!.Times!.Value.Congestion, CountersOf(analysis)!.IsComparable));
        Assert.Null(CountersOf(analysis)!.Disagreement);
    }

    // What the packets tell, in the three limits that the stack knows; it counts whole milliseconds, and half a second before and behind the transfer to the
    // sender.
    static CountedLimits Fitting()
    {
        using TraceReader reader = TraceFile.Open(PathOf);
        LimitTimes times = Sender(TraceAnalyzer.Analyze(reader)).Limits!.Times;
        long window = times.In(LimitState.ReceiveWindow) / Millisecond;
        long sender = (times.In(LimitState.Application) + times.In(LimitState.Idle) + times.In(LimitState.SendBuffer)) / Millisecond;
        return new(window, (times.Total / Millisecond) - window - sender, sender + 500);
    }

    static TraceAnalysis Analyze(StoryOptions options)
    {
        using TraceReader reader = TraceFile.Open(new MemoryTraceInput(WindowsStory.Of(PathOf, options).File, "story.etl"), TraceFormat.Etl,
            TraceOpenOptions.Default);
        return TraceAnalyzer.Analyze(reader);
    }

    static ConnectionDirection Sender(TraceAnalysis analysis) => analysis.Connections.Single().FromServer;

    static LimitCounters? CountersOf(TraceAnalysis analysis) => Sender(analysis).LimitCounters;

    static string PathOf => Path.Combine(ProjectFolder.PathOf("tests", "fixtures", "stories"), "s4-half-window-sender.pcapng");
}
