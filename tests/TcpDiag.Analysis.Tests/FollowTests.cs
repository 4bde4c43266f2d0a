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
        Assert.Equal(whole.Connections.Select(Account), followed.Connections.Select(Account));
    }

    // The window is closed from 0.65 s to 1.98 s: told once while it is, and no second time for growing.
    [Fact]
    public void Follow_WhatGoesOn_IsToldOnceUntilItGetsGraver()
    {
        List<Finding> soFar = [];
        using TraceReader reader = TraceFile.Open(ProjectFolder.Fixture("zero-window.pcapng"));
        _ = TraceAnalyzer.Follow(reader, (findings, goOn) => soFar.AddRange(goOn ? findings : []));
        Finding[] closed = [.. soFar.Where(finding => finding.Id is FindingIds.ZeroWindow)];
        Assert.NotEmpty(closed);
        Assert.Equal(closed.Select(finding => finding.Severity).Distinct().Order(), closed.Select(finding => finding.Severity));
        Assert.All(soFar, finding => Assert.True(finding is { SecondsLost: > 0, Severity: > FindingSeverity.Note }));
    }

    static (string, string, double?) Told(Finding finding) => (finding.Id, finding.Title, finding.SecondsLost);

    static (long, long, long, NeedCounts?, string) Account(Connection connection) => (
        connection.FromClient.Packets,
        connection.FromClient.Retransmissions,
        connection.FromServer.Retransmissions,
        connection.FromClient.Needs,
        string.Join(' ', Enum.GetValues<LimitState>().Select(state => connection.FromClient.Limits?.Times.In(state))));
}
