using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public class EventsCommandTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    [Fact]
    public void Events_OneId_IsDescribed()
    {
        Assert.Equal(ExitCode.Done, Run("events", "--build", "26100", "--id", "1577"));
        Assert.StartsWith("Microsoft-Windows-TCPIP 1577 v0 TcpSendTrackerUpdateReoWnd\n  builds 22000 to 28000 (6 known), level verbose\n", _output.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Events_List_FitsEightyColumns()
    {
        Assert.Equal(ExitCode.Done, Run("events", "--provider", "all"));
        Assert.All(_output.ToString().Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Events_Json_HasTheFields()
    {
        Assert.Equal(ExitCode.Done, Run("events", "--id", "1300", "--json"));
        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal("tcpdiag/events/1", document.RootElement.GetProperty("schema").GetString());
        Assert.Equal([0, 1, 2, 3], document.RootElement.GetProperty("events").EnumerateArray().Select(entry => entry.GetProperty("version").GetInt32()));
    }

    [Fact]
    public void EventsDiff_TwoBuilds_NamesWhatAppeared()
    {
        Assert.Equal(ExitCode.Done, Run("events", "diff", "22000", "22621"));
        Assert.Contains("  TCPIP 1585 v0 TcpSendTrackerRackUpdate\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void EventsDiff_SameVersionOtherLayout_NamesTheFields()
    {
        Assert.Equal(ExitCode.Done, Run("events", "diff", "10586", "14393"));
        Assert.Contains("  TCPIP 1223 v0 TcpTemplateParameters\n    + UInt32 Rack\n    + UInt32 TailLossProbe\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Events_UnknownBuild_IsUsage()
    {
        Assert.Equal(ExitCode.Usage, Run("events", "--build", "5"));
        Assert.Contains("build 5 is not known; known are 10586, ", _error.ToString(), StringComparison.Ordinal);
    }

    [SharedFact]
    public void Dump_FilteredByFieldAndConnection_ShowsThose()
    {
        string path = SharedFolder.PathOf("traces", "windows", "sample-22621-netsh", "sample-22621-netsh.etl");
        Assert.Equal(ExitCode.Done, Run("dump", path, "--json", "--id", "1332", "--connection", "0xFFFFA98D43C06960"));
        string[] lines = _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(609, lines.Length);
        Assert.All(lines, line => Assert.Contains("\"layout\":\"exactBuild\"", line, StringComparison.Ordinal));
    }

    [SharedFact]
    public void Dump_Text_FitsEightyColumnsUnlessANameIsLonger()
    {
        string path = SharedFolder.PathOf("traces", "windows", "sample-26100-pktmon", "sample-26100-pktmon.etl");
        Assert.Equal(ExitCode.Done, Run("dump", path, "--limit", "500"));
        Assert.All(_output.ToString().Split('\n').Where(_ => true), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Dump_FieldWithoutValue_IsUsage()
    {
        Assert.Equal(ExitCode.Usage, Run("dump", "x.etl", "--field", "Tcb"));
        Assert.Contains("--field: expected NAME=VALUE, found 'Tcb'", _error.ToString(), StringComparison.Ordinal);
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
