using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>A live trace: what is told on the way, and that looking on the way changes nothing.</summary>
public sealed class FollowTests
{
    public static TheoryData<string> Captures =>
        [.. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng",
            SearchOption.AllDirectories).Select(path => Path.GetRelativePath(ProjectFolder.Root, path))];

    [Theory]
    [MemberData(nameof(Captures))]
    public void Follow_GivesTheSameResultAsAnalyze(string capture)
    {
        using TraceReader once = TraceFile.Open(ProjectFolder.PathOf(capture));
        using TraceReader live = TraceFile.Open(ProjectFolder.PathOf(capture));
        TraceAnalysis whole = TraceAnalyzer.Analyze(once);
        TraceAnalysis followed = TraceAnalyzer.Follow(live, static (_, _) => { });
        Assert.Equal(whole.Findings.Select(Told), followed.Findings.Select(Told));
        Assert.Equal(whole.Connections.Select(SummaryOf), followed.Connections.Select(SummaryOf));
    }

    // The window is closed from 0.65 s to 1.98 s: told once while it is, and no second time for growing.
    [Fact]
    public void Follow_WhatGoesOn_IsToldOnceUntilItGetsGraver()
    {
        List<Finding> soFar = [];
        using TraceReader reader = TraceFile.Open(ProjectFolder.Fixture("zero-window.pcapng"));
        _ = TraceAnalyzer.Follow(reader, (findings, news) => soFar.AddRange(news is FindingNews.SoFar ? findings : []));
        Finding[] closed = [.. soFar.Where(finding => finding.Id is FindingIds.ZeroWindow)];
        Assert.NotEmpty(closed);
        Assert.Equal(closed.Select(finding => finding.Severity).Distinct().Order(), closed.Select(finding => finding.Severity));
        Assert.All(soFar, finding => Assert.True(finding is { SecondsLost: > 0, Severity: > FindingSeverity.Note }));
    }

    // Each capture ends after an eighth of its records, after two eighths, and so on: of what was told, whatever is not withdrawn is in the last report.
    [Theory]
    [MemberData(nameof(Captures))]
    public void Follow_WhatWasTold_HoldsOrIsWithdrawn(string capture)
    {
        long records = RecordsOf(capture);
        for (int part = 1; part <= 8; part++)
        {
            HashSet<FindingKey> told = [];
            using var reader = new ShortenedReader(TraceFile.Open(ProjectFolder.PathOf(capture)), records * part / 8);
            TraceAnalysis last = TraceAnalyzer.Follow(reader, (findings, news) =>
            {
                if (news is FindingNews.Withdrawn)
                {
                    Assert.Empty(findings.Select(FindingKey.Of).Except(told));
                    told.ExceptWith(findings.Select(FindingKey.Of));
                }
                else
                {
                    told.UnionWith(findings.Select(FindingKey.Of));
                }
            });
            Assert.Empty(told.Except(last.Findings.Select(FindingKey.Of)));
        }
    }

    // Seen at the server: for 2 s it sends five segments for each acknowledgment, less than an initial window, then 500 bytes each 100 ms for 26 s. A send
    // buffer was the limit of 2 s, told then; of 28 s that is less than a tenth.
    [Fact]
    public void Follow_WhatHoldsNoLonger_IsWithdrawnOnce()
    {
        List<(string Id, FindingNews News)> told = [];
        using TraceReader reader = SmallBatchesThenWritesNowAndThen();
        TraceAnalysis last = TraceAnalyzer.Follow(reader, (findings, news) => told.AddRange(findings.Select(finding => (finding.Id, news))));
        Assert.Equal(
            [FindingNews.SoFar, FindingNews.Withdrawn],
            told.Where(entry => entry.Id is FindingIds.SendBufferLimited).Select(entry => entry.News));
        Assert.DoesNotContain(last.Findings, finding => finding.Id is FindingIds.SendBufferLimited);
    }

    static MemoryTrace SmallBatchesThenWritesNowAndThen()
    {
        MemoryTrace trace = Segments.Opened();
        long now = 20_200;
        uint next = 1;
        for (int round = 0; round < 100; round++, now += 20_000)
        {
            for (int i = 0; i < 5; i++, next += 1460)
            {
                trace.Packet(now + i, Segments.FromServer(next, 1, 1460));
            }

            trace.Packet(now + 19_990, Segments.FromClient(1, next).Window(65_000));
        }

        for (int write = 0; write < 260; write++, now += 100_000, next += 500)
        {
            trace.Packet(now, Segments.FromServer(next, 1, 500)).Packet(now + 20_000, Segments.FromClient(1, next + 500).Window(65_000));
        }

        return trace;
    }

    static long RecordsOf(string capture)
    {
        using TraceReader reader = TraceFile.Open(ProjectFolder.PathOf(capture));
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
        }

        return reader.RecordsRead;
    }

    static (string, string, double?) Told(Finding finding) => (finding.Id, finding.Title, finding.SecondsLost);

    static (long, long, long, NeedCounts?, string) SummaryOf(Connection connection) => (
        connection.FromClient.Packets,
        connection.FromClient.Retransmissions,
        connection.FromServer.Retransmissions,
        connection.FromClient.Needs,
        string.Join(' ', Enum.GetValues<LimitState>().Select(state => connection.FromClient.Limits?.Times.In(state))));
}

/// <summary>The beginning of a trace.</summary>
/// <param name="whole">The trace.</param>
/// <param name="records">Records it has, at most.</param>
sealed class ShortenedReader(TraceReader whole, long records) : TraceReader
{
    public override string Path => whole.Path;

    public override TraceFormat Format => whole.Format;

    public override IReadOnlyList<TraceInterface> Interfaces => whole.Interfaces;

    public override SystemFacts System => whole.System;

    public override IReadOnlyList<TraceProblem> Problems => whole.Problems;

    public override long RecordsRead => whole.RecordsRead;

    public override bool TryRead(ref TraceRecord record) => whole.RecordsRead < records && whole.TryRead(ref record);

    protected override void Dispose(bool disposing) => whole.Dispose();
}
