using System;
using System.IO;
using TcpDiag.Testing;
using TcpDiag.Truth;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>
/// What the analysis says about real TCP on emulated paths, against the path's log of what it did and the sending kernel's events:
/// a few runs at every run of the tests, those of the preset <c>varied</c> in the long form (tools/truth prints what this checks).
/// </summary>
public sealed class PathTruthTests : IDisposable
{
    const string Few = """
        iterations: 1
        path:
          rate: 20mbit
          rtt: 20ms
          buffer: 1bdp
          loss: [none, "out:3pct"]
          reorder: [none, "out:2pct:replace:3ms", "out:1pct:add:12ms"]
        flow:
          bytes: 400kb
        sides:
          only: { stack: adaptive }
        """;

    // Precision and recall that verdicts on retransmissions must have where DSACK and timestamps are on. Of few runs, one bad moment of the path decides.
    const double Enough = 0.98;
    const double EnoughOfFew = 0.9;

    readonly string _out = Directory.CreateTempSubdirectory("tcpdiag-truth").FullName;

    [RootFact]
    public void Analyze_FewRuns_AgreesWithPathAndKernel()
    {
        string matrix = Path.Combine(_out, "few.yaml");
        File.WriteAllText(matrix, Few);
        Check(matrix, 6, EnoughOfFew);
    }

    [LongFact]
    public void Analyze_VariedRuns_AgreesWithPathAndKernel() => Check("varied", 200, Enough);

    public void Dispose() => Directory.Delete(_out, recursive: true);

    void Check(string matrix, int leastRuns, double enough)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        int code = new CommandLine(output, error).Run(["lab", "run", matrix, "--out", _out, "--retries", "2", "--jobs", "2"]);
        Assert.True(code is ExitCode.Done or ExitCode.CheckFailed, error.ToString()); // void runs of a busy machine are as true as others
        TruthReport report = TruthReport.Of(_out);
        string text = report.ToMarkdown() + string.Join('\n', report.Differences);

        Assert.True(report.Runs >= leastRuns, text);
        Assert.True(report.ExactRetransmissions == report.Runs, text);
        Assert.True(report.ExactLosses == report.Runs, text);
        Assert.True(report.ExactReorderings == report.Runs, text);
        Assert.True(report.Precision.Necessary >= enough && report.Recall.Necessary >= enough, text);
        Assert.True(report.TriggerAgreement >= Enough, text);
    }
}
