using System;
using System.IO;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class ShimLogCommandTests : IDisposable
{
    const long Start = 1_800_000_000_000_000_000; // 2027-01-15T08:00:00Z

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _log = Path.GetTempFileName();

    [Fact]
    public void Log_Text_IsTheHeadALineForEachDecisionAndTheEnd()
    {
        WriteLog();
        Assert.Equal(ExitCode.Done, Run("shim", "log", _log));
        Assert.Equal(
            """
            Started     2027-01-15T08:00:00.000000000Z
            Emulated    rate: 100mbit, loss: out:1pct
            Seed        7; 99 % of the delay errors within 0.5 ms

               seconds way    packet bytes     flow  asked ms  error us  action
              0.001000 out         1  1500 0000beef     0.000            dropped: loss
              0.026003 in'         2    52 0000beef    12.500       3.0  forwarded

            2 decisions shown.
            The log is complete; not in it: 3 decisions, 4 lost packets, 5 bypassed.

            """,
            _output.ToString().ReplaceLineEndings("\n"));
        Assert.All(_output.ToString().Split('\n'), line => Assert.InRange(line.TrimEnd('\r').Length, 0, 80));
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public void Log_Json_HoldsToItsSchema()
    {
        WriteLog();
        Assert.Equal(ExitCode.Done, Run("shim", "log", _log, "--json"));
        string[] lines = _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(4, lines.Length);
        Assert.All(lines, line => Assert.Empty(JsonSchema.Read("shim-log.json").Check(line)));
        Assert.Contains("\"action\":\"dropped: loss\",\"delayAskedNs\":0,\"delayErrorNs\":null", lines[1], StringComparison.Ordinal);
        Assert.StartsWith("{\"isComplete\":true,\"shown\":2,\"recordsLost\":3,\"lost\":4,\"bypassed\":5}", lines[3], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--action drop", "dropped: loss")]
    [InlineData("--action forward", "forwarded")]
    [InlineData("--direction in", "forwarded")]
    [InlineData("--packet 1", "dropped: loss")]
    [InlineData("--limit 1", "dropped: loss")]
    public void Log_Filtered_ShowsWhatIsMeant(string options, string action)
    {
        WriteLog();
        Assert.Equal(ExitCode.Done, Run(["shim", "log", _log, .. options.Split(' ')]));
        string[] lines = _output.ToString().ReplaceLineEndings("\n").Split('\n');
        Assert.EndsWith(action, lines.Single(line => line.Contains("0000beef", StringComparison.Ordinal)), StringComparison.Ordinal);
        Assert.Contains("1 decision shown.", lines);
    }

    [Fact]
    public void Log_CutOff_ShowsWhatIsThereAndSaysSo()
    {
        WriteLog();
        using (FileStream stream = File.OpenWrite(_log))
        {
            stream.SetLength(stream.Length - 40); // the end record, and a quarter of the one before
        }

        Assert.Equal(ExitCode.Damaged, Run("shim", "log", _log));
        Assert.Contains("1 decision shown.", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal($"tcpdiag: {_log}: cut off; the decisions before the cut are good\n", _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Log_OfSomethingElse_SaysWhatWasExpected()
    {
        File.WriteAllText(_log, "no log");
        Assert.Equal(ExitCode.Failed, Run("shim", "log", _log));
        Assert.StartsWith("tcpdiag: decision log@0x0: expected the 40-byte header beginning with TDIMPAIR", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Info_DecisionLog_NamesTheCommand()
    {
        WriteLog();
        Assert.Equal(ExitCode.Failed, Run("info", _log));
        Assert.Contains("found a decision log of shim run, which tcpdiag shim log shows", _error.ToString(), StringComparison.Ordinal);
    }

    public void Dispose() => File.Delete(_log);

    void WriteLog()
    {
        using FileStream stream = File.Create(_log);
        DecisionLogWriter writer = new(stream, new DecisionLogHeader(new TraceTime(Start), 7, 500_000, "rate: 100mbit\nloss: out:1pct\n"));
        writer.Record(new ImpairmentDecision(new TraceTime(Start + 1_000_000), 1, 0xBEEF, 1500, LinkDirection.Out, 0, ImpairmentAction.DropLoss, 0, 0));
        writer.Record(new ImpairmentDecision(new TraceTime(Start + 26_003_000), 2, 0xBEEF, 52, LinkDirection.In, 1, ImpairmentAction.Forward, 12_500_000,
            3_000));
        writer.Complete(new TraceTime(Start + 30_000_000), new RunLosses(3, 4, 5));
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
