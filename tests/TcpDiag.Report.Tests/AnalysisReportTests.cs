using System;
using System.IO;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Intake;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class AnalysisReportTests
{
    const int Columns = 80;

    static string[] Render(string[] paths, int top = 20, int columns = Columns, int findings = 0)
    {
        var text = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.No, Out = new AnsiConsoleOutput(text) });
        console.Profile.Width = columns;
        using TraceReader reader = TraceFile.Open(paths);
        AnalysisReport.Write(console, TraceAnalyzer.Analyze(reader), reader, new AnalysisExtent(top, findings, findings));
        return text.ToString().ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');
    }

    static string[] Render(params string[] fixtures) => Render([.. fixtures.Select(ProjectFolder.Fixture)], 20);

    [Fact]
    public void Write_WideConsole_HasRoomForEndpointsAndText()
    {
        string[] narrow = Render([ProjectFolder.Fixture("ipv6.pcapng")]);
        string[] wide = Render([ProjectFolder.Fixture("ipv6.pcapng")], columns: 140);
        Assert.True(wide.Length <= narrow.Length, string.Join('\n', wide));
        Assert.Contains(wide, line => line.Contains("start   lasted  end", StringComparison.Ordinal));
        Assert.All(wide, line => Assert.InRange(line.Length, 0, 140));
    }

    [Fact]
    public void Write_WideConsole_BreaksFindingsLater()
    {
        string[] wide = Render([ProjectFolder.Fixture("zero-window.pcapng")], columns: 120, findings: 5);
        Assert.Contains(wide, line => line.Length > Columns);
        Assert.All(wide, line => Assert.InRange(line.Length, 0, 120));
    }

    [Fact]
    public void Write_OneConnection_TellsItInTwoLines()
    {
        string[] lines = Render("bulk-loss.pcapng");
        Assert.Equal("595 packets, captured over 406 ms", lines[0]);
        Assert.Equal("1 TCP connection with 507 kB of payload, 5 segments resent (1 fin)", lines[1]);
        Assert.Equal("   0  10.78.0.1:44038 → 10.78.0.2:443                       0 s   406 ms  fin", lines[5]);
        Assert.Equal("        507 kB       0 B      10.9M/-  40.9 ms/40.9 ms    5    0", lines[6]);
    }

    [Fact]
    public void Write_SeveralFiles_SortsByBytesAndFitsTheColumns()
    {
        string[] lines = Render("reset.pcapng", "bulk-loss.pcapng", "ipv6.pcapng", "zero-window.pcapng", "send-buffer.pcapng");
        Assert.Contains("5 TCP connections", lines[1], StringComparison.Ordinal);
        Assert.Contains("10.78.0.1:44038", lines[5], StringComparison.Ordinal);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, Columns));
    }

    [SharedFact]
    public void Write_LongEndpointsAndNames_FitTheColumns()
    {
        string folder = SharedFolder.PathOf("traces", "pcap");
        string[] lines = Render([Path.Combine(folder, "http_ip4and6.pcapng"), Path.Combine(folder, "http_espn.pcapng")], top: 100);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, Columns));
        Assert.Contains(lines, line => line.EndsWith("  → espn.go.com", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains("→ [2001:db8:1:2::1000]:80", StringComparison.Ordinal));
    }

    [SharedFact]
    public void Write_PacketsDropped_TellsReasonsAndPlaces()
    {
        string[] lines = Render([SharedFolder.PathOf("traces", "windows", "sample-26100-pktmon", "sample-26100-pktmon.etl")], top: 1);
        int at = Array.IndexOf(lines, "10 packets dropped on the recording machine:");
        Assert.Equal(["  7 × INET_EndpointNotFound at TCPIP_TL_RCV_TCP_MATCH", "  3 × Filtered at NDIS_FAKE_FILTER_SEND"], lines[(at + 1)..(at + 3)]);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, Columns));
    }

    [Fact]
    public void Write_MoreThanTop_SaysSo()
    {
        string[] lines = Render([ProjectFolder.Fixture("reset.pcapng"), ProjectFolder.Fixture("ipv6.pcapng")], top: 1);
        Assert.Equal("… and 1 more; --top 2 lists them, --json has them all", lines[^1]);
    }

    [SharedFact]
    public void Write_NoTcp_SaysWhatIsMissing() =>
        Assert.Equal(
            "There are packets in this trace, but no TCP among them.",
            Render([SharedFolder.PathOf("traces", "pcap", "dns.pcap")], top: 1)[^1]);
}
