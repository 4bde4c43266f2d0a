using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Csv;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class ConnectionCsvTests
{
    static readonly string Demo = ProjectFolder.PathOf("src", "TcpDiag.Cli", "Demo", "demo.pcapng");

    static TraceAnalysis Analyze()
    {
        using TraceReader reader = TraceFile.Open(Demo);
        return TraceAnalyzer.Analyze(reader);
    }

    static string[] Rows(TraceAnalysis analysis, ConnectionOrder order = ConnectionOrder.Start)
    {
        var text = new StringWriter();
        ConnectionCsv.Write(text, analysis, order);
        Assert.EndsWith("\r\n", text.ToString(), StringComparison.Ordinal);
        return text.ToString().Split("\r\n")[..^1];
    }

    static string Cell(string[] rows, int row, string name) => rows[row].Split(',')[Array.IndexOf(rows[0].Split(','), name)];

    [Fact]
    public void Write_Connections_ARowForEachDirectionWithTheMeasures()
    {
        TraceAnalysis analysis = Analyze();
        string[] rows = Rows(analysis);
        Assert.Equal(1 + (2 * analysis.Connections.Count), rows.Length);
        Assert.All(rows, row => Assert.Equal(rows[0].Split(',').Length, row.Split(',').Length));
        ConnectionDirection up = analysis.Connections[1].FromClient;
        Assert.Equal(("1", "client", "443"), (Cell(rows, 3, "connection"), Cell(rows, 3, "from"), Cell(rows, 3, "destinationPort")));
        Assert.Equal(up.PayloadBytes, long.Parse(Cell(rows, 3, "payloadBytes"), CultureInfo.InvariantCulture));
        Assert.Equal(up.Rtt.Median / 1000m, decimal.Parse(Cell(rows, 3, "rttMedianMicroseconds"), CultureInfo.InvariantCulture));
        Assert.Equal(("server", "443"), (Cell(rows, 4, "from"), Cell(rows, 4, "sourcePort")));
    }

    [Fact]
    public void Write_Shares_AddUpToOne()
    {
        string[] rows = Rows(Analyze());
        int first = Array.IndexOf(rows[0].Split(','), "applicationShare");
        double sum = rows[1].Split(',')[first..].Sum(cell => double.Parse(cell, CultureInfo.InvariantCulture));
        Assert.Equal(1, sum, 0.001); // ten shares, each rounded to four decimals
    }

    // RFC 4180 §2, rules 6 and 7; a spreadsheet would run the formula.
    [Fact]
    public void Write_HostileNames_StayInTheirCells()
    {
        TraceAnalysis analysis = Analyze();
        Connection hostile = analysis.Connections[0] with { ServerName = "a,\"b\"\r\nc", ProcessName = "=cmd|'/c calc'!A1" };
        string[] rows = Rows(new TraceAnalysis { Connections = [hostile] });
        Assert.Equal(3, rows.Length);
        Assert.Contains(",\"a,\"\"b\"\"??c\",", rows[1], StringComparison.Ordinal);
        Assert.Contains(",'=cmd|'/c calc'!A1,", rows[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Write_WhatIsNotKnown_IsEmpty()
    {
        TraceAnalysis analysis = Analyze();
        Connection unknown = analysis.Connections[0] with { FromServer = new ConnectionDirection() };
        string[] rows = Rows(new TraceAnalysis { Connections = [unknown] });
        Assert.All((string[])["packets", "payloadBytes", "goodputBitsPerSecond", "rttMinMicroseconds", "retransmissions", "timeouts", "idleShare"],
            name => Assert.Empty(Cell(rows, 2, name)));
    }

    public static TheoryData<ConnectionOrder> Orders => [.. Enum.GetValues<ConnectionOrder>()];

    [Theory]
    [MemberData(nameof(Orders))]
    public void Sort_AnyOrder_KeepsEveryConnection(ConnectionOrder order)
    {
        TraceAnalysis analysis = Analyze();
        Assert.Equal(
            analysis.Connections.Select(connection => connection.Index),
            ConnectionSorter.Sort(analysis, order).Select(connection => connection.Index).Order());
    }

    [Fact]
    public void Sort_Orders_BeginWithTheMostOrTheSlowest()
    {
        TraceAnalysis analysis = Analyze();
        Assert.Equal(
            analysis.Connections.Max(Length),
            Length(ConnectionSorter.Sort(analysis, ConnectionOrder.Duration).First()));
        Assert.Equal(
            analysis.Connections.Min(Goodput), Goodput(ConnectionSorter.Sort(analysis, ConnectionOrder.Goodput).First()));
        Assert.Equal(analysis.Findings[0].Connection, ConnectionSorter.Sort(analysis, ConnectionOrder.Lost).First());
    }

    [Fact]
    public void Sort_ByLimit_PutsTogetherWhatTheSameLimited()
    {
        TraceAnalysis one = Analyze();
        Connection[] again = [.. one.Connections.Select(connection => connection with { Index = connection.Index + 10 })];
        var twice = new TraceAnalysis { Connections = [.. one.Connections, .. again] };
        LimitState?[] limits =
            [.. ConnectionSorter.Sort(twice, ConnectionOrder.Limit).Select(connection => ConnectionMeasures.MainLimit(connection.FromClient))];
        int changes = limits.Zip(limits.Skip(1)).Count(pair => pair.First != pair.Second);
        Assert.Equal(limits.Distinct().Count() - 1, changes);
    }

    static long Length(Connection connection) => connection.Last - connection.Start;

    static double? Goodput(Connection connection) => ConnectionMeasures.Larger(connection).GoodputBitsPerSecond;
}
