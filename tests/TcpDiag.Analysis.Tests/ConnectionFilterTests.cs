using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Filtering;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>Which connections are listed, judged and drawn, and which part of the trace.</summary>
public sealed class ConnectionFilterTests
{
    const long Second = 1_000_000_000;

    // Four uploads: #0 to 445, #1 to 443, #2 to 21, #3 to 8080.
    static readonly string Demo = ProjectFolder.PathOf("src", "TcpDiag.Cli", "Demo", "demo.pcapng");

    static readonly Connection Sample = new()
    {
        Index = 7,
        Client = new Endpoint(Address("10.0.0.1"), 50000),
        Server = new Endpoint(Address("192.0.2.9"), 443),
        Start = default,
        FromClient = new ConnectionDirection(),
        FromServer = new ConnectionDirection(),
        ServerName = "www.Example.com",
        ProcessId = 1234,
        ProcessName = "curl.exe",
    };

    public static TheoryData<string, bool> Filters => new()
    {
        { "host 10.0.0.0/8", true },
        { "host 192.0.2.9", true },
        { "host 192.0.2.1", false },
        { "name www.example.com", true },
        { "name example.com", true },
        { "name ample.com", false },
        { "name other.org", false },
        { "name other.org host 10.0.0.1", true },
        { "port 443", true },
        { "port 50000", true },
        { "port 80", false },
        { "port 80 port 443", true },
        { "port 443 host 192.0.2.1", false },
        { "process 1234", true },
        { "process 123", false },
        { "process CURL", true },
        { "process url", false },
        { "number 7", true },
        { "number 6 number 8", false },
        { "", true },
    };

    [Theory]
    [MemberData(nameof(Filters))]
    public void Selects_Conditions_OneOfEachKindMustHold(string filter, bool isSelected) => Assert.Equal(isSelected, Parse(filter).Selects(Sample));

    [Fact]
    public void Selects_NoProcessKnown_IsNotThatProcess() =>
        Assert.False(Parse("process 0").Selects(Sample with { ProcessId = null, ProcessName = null }));

    [Fact]
    public void Analyze_Filter_KeepsNumbersFindingsAndTimelinesOfItsConnections()
    {
        TraceAnalysis whole = Analyze(new AnalysisOptions { Timelines = new TimelineOptions() });
        TraceAnalysis chosen = Analyze(new AnalysisOptions { Timelines = new TimelineOptions(), Connections = Parse("port 443 port 8080") });
        Assert.Equal([1, 3], chosen.Connections.Select(connection => connection.Index));
        Assert.Equal(whole.Connections.Count - 2, chosen.LeftOut);
        Assert.Equal(SummaryOf(whole).Where(row => row.Connection is 1 or 3), SummaryOf(chosen));
        Assert.Equal([1, 3], chosen.Timelines.Keys.Select(connection => connection.Index).Order());
    }

    // Of what lies outside nothing is counted, but frames keep their numbers and times count from the beginning of the trace.
    [Fact]
    public void Analyze_Part_KeepsFrameNumbersAndTheBeginning()
    {
        TraceAnalysis whole = Analyze(new AnalysisOptions());
        TraceAnalysis part = Analyze(new AnalysisOptions { From = new TimeBound(null, Second), To = new TimeBound(null, (3 * Second) / 2) });
        Assert.Equal(whole.Start, part.Start);
        Assert.InRange(part.From - part.Start, Second, (3 * Second) / 2);
        Assert.InRange(part.End - part.Start, Second, (3 * Second) / 2);
        Assert.InRange(part.Packets, 1, whole.Packets - 1);
        Connection first = part.Connections[0];
        Assert.Equal(FrameAt(first.Start), first.FirstPacket);
    }

    [Fact]
    public void Analyze_PartBehindTheEnd_HasNothingAndSaysWhereTheTraceIs()
    {
        TraceAnalysis whole = Analyze(new AnalysisOptions());
        TraceAnalysis none = Analyze(new AnalysisOptions { From = new TimeBound(null, 60 * Second) });
        Assert.Empty(none.Connections);
        Assert.Equal((0L, whole.Start, whole.End), (none.Packets, none.Start, none.End));
    }

    [Fact]
    public void Follow_Filter_ReportsItsConnectionsAlone()
    {
        List<Finding> reported = [];
        using TraceReader reader = TraceFile.Open(Demo);
        TraceAnalysis end = TraceAnalyzer.Follow(
            reader,
            (findings, news) => reported.AddRange(news is FindingNews.Withdrawn ? [] : findings),
            new AnalysisOptions { Connections = Parse("port 21") });
        Assert.NotEmpty(reported);
        Assert.All(reported.Concat(end.Findings), finding => Assert.Equal(21, finding.Connection?.Server.Port ?? -1));
    }

    static TraceAnalysis Analyze(AnalysisOptions options)
    {
        using TraceReader reader = TraceFile.Open(Demo);
        return TraceAnalyzer.Analyze(reader, options);
    }

    static IEnumerable<(string Id, int? Connection, double? Lost)> SummaryOf(TraceAnalysis analysis) =>
        analysis.Findings.Select(finding => (finding.Id, finding.Connection?.Index, finding.SecondsLost));

    static long FrameAt(TraceTime time)
    {
        using TraceReader reader = TraceFile.Open(Demo);
        var record = default(TraceRecord);
        long frame = 0;
        while (reader.TryRead(ref record))
        {
            frame += record.Kind == TraceRecordKind.Packet ? 1 : 0;
            if (record.Kind == TraceRecordKind.Packet && record.Time == time)
            {
                return frame;
            }
        }

        return -1;
    }

    static ConnectionFilter Parse(string text)
    {
        string[] words = text.Split(' ');
        IEnumerable<string> Values(string kind) =>
            words.Zip(words.Skip(1)).Where(pair => string.Equals(pair.First, kind, StringComparison.Ordinal)).Select(pair => pair.Second);
        return new ConnectionFilter
        {
            Hosts = [.. Values("host").Select(value => AddressRange.TryParse(value, out AddressRange range) ? range : default)],
            Names = [.. Values("name")],
            Ports = [.. Values("port").Select(int.Parse)],
            Processes = [.. Values("process")],
            Numbers = [.. Values("number").Select(int.Parse)],
        };
    }

    static IpAddress Address(string text) => IpAddress.TryParse(text, out IpAddress address) ? address : default;
}
