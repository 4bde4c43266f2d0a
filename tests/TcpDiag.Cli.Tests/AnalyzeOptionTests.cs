using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>Which connections <c>analyze</c> lists, which part of the trace it reads, and what else it writes.</summary>
public sealed class AnalyzeOptionTests : IDisposable
{
    static readonly string Demo = ProjectFolder.PathOf("src", "TcpDiag.Cli", "Demo", "demo.pcapng");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-test-").FullName;
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("--port 443")]
    [InlineData("--connection 1")]
    [InlineData("--host 10.78.0.0/16 --port 443")]
    public void Analyze_Chosen_ListsOneOfFour(string options)
    {
        Assert.Equal(ExitCode.Done, Run(options));
        Assert.Contains("\n1 of 4 TCP connections with ", Output, StringComparison.Ordinal);
        Assert.Contains("10.78.0.2:443", Output, StringComparison.Ordinal);
        Assert.DoesNotContain("10.78.0.2:21", Output, StringComparison.Ordinal);
        Assert.DoesNotContain("#0 ", Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Analyze_ChosenAsJson_CountsWhatIsLeftOut()
    {
        Assert.Equal(ExitCode.Done, Run("--port 443 --port 21 --json"));
        JsonElement document = JsonDocument.Parse(Output).RootElement;
        Assert.Equal([1, 2], document.GetProperty("connections").EnumerateArray().Select(connection => connection.GetProperty("index").GetInt32()));
        Assert.Equal(2, document.GetProperty("connectionsLeftOut").GetInt32());
        Assert.Empty(JsonSchema.Read("analysis.json").Check(Output));
    }

    [Theory]
    [InlineData("--host 10.9.9.9 --port 1", "tcpdiag: --host 10.9.9.9 --port 1: matches none of the 4 connections of the trace\n")]
    [InlineData("--process curl", "tcpdiag: --process curl: matches none of the 4 connections of the trace\n")]
    [InlineData("--port 443 --from 1s", "tcpdiag: --port 443: matches none of the 2 connections of that part of the trace\n")]
    public void Analyze_NothingChosen_SaysSoInOneLine(string options, string line)
    {
        Assert.Equal(ExitCode.NoResult, Run($"{options} --html {_folder}/page.html --csv {_folder}/table.csv"));
        Assert.Equal(line, _error.ToString().ReplaceLineEndings("\n"));
        Assert.Empty(Output);
        Assert.Empty(Directory.GetFiles(_folder));
    }

    [Fact]
    public void Analyze_PartOutsideTheTrace_SaysWhereTheTraceIs()
    {
        Assert.Equal(ExitCode.NoResult, Run("--from 00:01:00"));
        Assert.Equal(
            "tcpdiag: --from 00:01:00: no record of the trace lies there; "
            + "it begins at 2026-11-21T11:53:50.036961054Z and ends at 2026-11-21T11:53:51.912415542Z\n",
            _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Analyze_Part_IsChosenByTheTimesThatTheReportPrints()
    {
        Assert.Equal(ExitCode.Done, Run("--utc --connection 2 --findings 0"));
        string[] shown = Output.Split('\n').Single(line => line.StartsWith("      2026-", StringComparison.Ordinal)).Trim().Split(" to ");
        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run($"--from {shown[0]} --to {shown[1]} --json"));
        JsonElement document = JsonDocument.Parse(Output).RootElement;
        Assert.InRange(document.GetProperty("durationSeconds").GetDouble(), 1.2, 1.25); // #2 lasts 1.24 s, the trace 1.88 s
        Assert.Equal("2026-11-21T11:53:50.036961054Z", document.GetProperty("startUtc").GetString());
    }

    [Fact]
    public void Analyze_Local_ShowsTheZoneOfTheMachine()
    {
        var zone = TimeZoneInfo.CreateCustomTimeZone("test", TimeSpan.FromHours(2), "test", "test");
        var surroundings = new Surroundings { LocalZone = () => zone };
        Assert.Equal(ExitCode.Done, new CommandLine(_output, _error, surroundings).Run(["analyze", Demo, "--local"]));
        Assert.Contains("\n2026-11-21T13:53:50.036961+02:00 to 2026-11-21T13:53:51.912415+02:00\n", Output, StringComparison.Ordinal);
        Assert.All(Output.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Analyze_Csv_WritesEveryChosenConnectionInTheOrder()
    {
        string table = Path.Combine(_folder, "table.csv");
        Assert.Equal(ExitCode.Done, Run($"--csv {table} --sort duration --top 1"));
        string[] rows = File.ReadAllText(table).Split("\r\n");
        Assert.Equal(1 + (2 * 4) + 1, rows.Length);
        Assert.StartsWith("0,client,", rows[1], StringComparison.Ordinal); // 1.88 s
        Assert.StartsWith("2,client,", rows[3], StringComparison.Ordinal); // 1.24 s
        Assert.Contains("4 TCP connections", Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Analyze_CsvToStandardOutput_IsAllThatIsWritten()
    {
        Assert.Equal(ExitCode.Done, Run("--csv - --port 443"));
        Assert.StartsWith("connection,from,source,", Output, StringComparison.Ordinal);
        Assert.Equal(3, Output.TrimEnd().Split('\n').Length);
    }

    [Theory]
    [InlineData("--fail-on critical", ExitCode.CheckFailed)]
    [InlineData("--fail-on warning", ExitCode.CheckFailed)]
    [InlineData("--fail-on critical --port 443", ExitCode.Done)]
    [InlineData("--fail-on warning --port 443", ExitCode.Done)]
    public void Analyze_FailOn_IsTheExitCode(string options, int expected) => Assert.Equal(expected, Run(options));

    [Theory]
    [InlineData("--json --csv -", "--json, --html - and --csv - write to standard output: give one of them")]
    [InlineData("--html a --csv a", "--html and --csv both write a: name two files")]
    [InlineData("--utc --local", "--utc and --local are two clocks: give one of them")]
    [InlineData("--follow --process curl", "--follow: what --process asks for is known at the end of the trace only; leave it away")]
    [InlineData("--follow --csv a", "--follow: prints text only, neither --json nor --html nor --csv")]
    [InlineData("--vantage here", "--vantage: expected client, server or middle, found 'here'")]
    [InlineData("--fail-on note", "--fail-on: expected warning or critical, found 'note'")]
    [InlineData("--host 10.0.0.0/99", "--host: cannot read '10.0.0.0/99'. ")]
    [InlineData("--connection -1", "--connection: expected the number of a connection, from 0 on, found '-1'")]
    public void Analyze_OptionsThatDoNotFit_AreWrongUsage(string options, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(options));
        Assert.StartsWith($"tcpdiag: {message}", _error.ToString(), StringComparison.Ordinal);
    }

    string Output => _output.ToString().ReplaceLineEndings("\n");

    int Run(string options) => new CommandLine(_output, _error).Run(["analyze", Demo, .. options.Split(' ')]);
}
