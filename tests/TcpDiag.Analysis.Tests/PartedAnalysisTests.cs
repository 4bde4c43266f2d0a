using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Tests.Generation;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>A trace that is analysed in parts gives what it gives at once.</summary>
public sealed class PartedAnalysisTests
{
    static readonly TrafficPlan Plan = new(500, 6) { LossPerMille = 50, ReorderingPerMille = 40, SpuriousPerMille = 30 };

    [Theory]
    [InlineData(500)]
    [InlineData(7)]
    [InlineData(1)] // more connections between two hosts than a part may have: what these say of each other is learnt over all parts
    public void Read_FiveHundredConnections_GivesWhatAnAnalysisAtOnceDoes(int clients)
    {
        TrafficPlan plan = Plan with { Clients = clients };
        using SyntheticTrace trace = new(plan);
        TraceAnalysis whole = TraceAnalyzer.Analyze(trace);
        int most = 0;
        using PartedAnalysis parted = PartedAnalysis.Begin(() => new SyntheticTrace(plan), AnalysisOptions.Default, new ConnectionLimit(100));
        var connections = new List<string>();
        List<FindingFigures> found = [];
        for (int number = 0; number < parted.Parts; number++)
        {
            AnalysisPart part = parted.Read(number);
            most = int.Max(most, part.Connections.Count);
            connections.AddRange(part.Connections.Select(Describe));
            found.AddRange(part.Findings.Span);
        }

        FindingFigures[] findings = [.. found, .. parted.Trace.Findings.Select(FindingFigures.Of)];
        FindingOrder.Sort(findings);
        Assert.InRange(most, 1, 100);
        Assert.Equal(500, parted.Count);
        Assert.Equal(whole.Connections.Select(Describe).Order(), connections.Order());
        Assert.True(whole.Findings.Count > 100);
        Assert.Equal(whole.Findings.Select(finding => Describe(FindingFigures.Of(finding))), findings.Select(Describe));
        Assert.Equal(Sum(whole), Sum(parted.Trace));
    }

    // Half of the hash says which hosts they are: twice as many connections need one reading more, not one for each bit.
    [Fact]
    public void Begin_ConnectionsOfManyHosts_TakesFewReadings()
    {
        int readings = 0;
        using PartedAnalysis parted = PartedAnalysis.Begin(Open, AnalysisOptions.Default, new ConnectionLimit(100));
        Assert.InRange(parted.Parts, 5, 10);
        Assert.InRange(readings, parted.Parts, parted.Parts + 5);

        SyntheticTrace Open()
        {
            readings++;
            return new(Plan);
        }
    }

    [Fact]
    public void Read_TraceThatWasChanged_IsTold()
    {
        TrafficPlan plan = Plan;
        using PartedAnalysis parted = PartedAnalysis.Begin(() => new SyntheticTrace(plan), AnalysisOptions.Default, new ConnectionLimit(100));
        plan = Plan with { Connections = 5 };
        var exception = Assert.Throws<IOException>(() => parted.Read(0));
        Assert.Equal("synthetic: it was changed while it was read", exception.Message);
    }

    // What one direction held is what the others between the same hosts could have had, whichever part they are in.
    [Fact]
    public void Judge_ConnectionsBetweenTheSameHostsInSeveralParts_KnowsTheirRates()
    {
        TrafficPlan plan = Plan with { Clients = 1 };
        using SyntheticTrace trace = new(plan);
        IReadOnlyList<Connection> connections = TraceAnalyzer.Analyze(trace).Connections;
        var rates = new HostRates([]);
        foreach (Connection connection in connections.Reverse())
        {
            rates.Add(connection);
        }

        var atOnce = new HostRates(connections);
        Assert.All(connections, connection => Assert.Equal(atOnce.Of(connection, true), rates.Of(connection, true)));
    }

    [Fact]
    public void Analyze_MoreThanTheLimit_IsGivenUp()
    {
        using SyntheticTrace trace = new(Plan);
        int told = 0;
        Assert.Null(TraceAnalyzer.Analyze(trace, AnalysisOptions.Default, new ConnectionLimit(499, count => told = count)));
        Assert.Equal(500, told);
        using SyntheticTrace again = new(Plan);
        Assert.NotNull(TraceAnalyzer.Analyze(again, AnalysisOptions.Default, new ConnectionLimit(500)));
    }

    // All that a record prints, its directions and what they hold with it.
    static string Describe(Connection connection) => connection.ToString();

    static string Describe(FindingFigures finding) => string.Join(
        ' ',
        finding.Id,
        finding.Connection,
        finding.IsFromClient,
        finding.Severity,
        finding.SecondsLost,
        finding.MinSecondsLost,
        finding.Confidence,
        finding.IsDescription);

    static (long Packets, long TcpPackets, TraceTime Start, TraceTime End) Sum(TraceAnalysis analysis) =>
        (analysis.Packets, analysis.TcpPackets, analysis.Start, analysis.End);
}
