using System;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Truth;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>
/// What limited real TCP against the clocks of its kernel and the program's log of its writes (tools/truth --limits prints what this checks).
/// </summary>
public sealed class LimitTruthTests : IDisposable
{
    const string Few = """
        iterations: 1
        path: { limit: 3ms, rate: 30mbit, rtt: 20ms, buffer: 1bdp }
        sides:
          application: { bytes: 300kb, bursts: 30kb/150ms }
          trickle: { bytes: 10kb, bursts: 400b/60ms }
          requests: { bytes: 200kb, bursts: 20kb/300ms }
          clock: { bytes: 80kb, bursts: 8192b/100ms }
          send-buffer: { bytes: 300kb, send-buffer: 4kib, write-size: 8kib }
          bottleneck: { bytes: 9mb }
          receive-window: { bytes: 3mb, receive-buffer: 24kib }
          slow-reader: { bytes: 600kb, receive-buffer: 48kib, read-rate: 3mbit }
          zero-window: { bytes: 300kb, receive-buffer: 32kib, pause: 150kb/1200ms }
          recovery: { bytes: 4mb, loss: "behind:out:3pct" }
          timeout: { bytes: 60kb, send-buffer: 1mb, loss: "behind:out:list:40-46" }
        """;

    const double Points = 0.05;

    readonly string _out = Directory.CreateTempSubdirectory("tcpdiag-limits").FullName;

    [RootFact]
    public void Limits_OfFewRuns_AreTheKernelsAndTheProgramsOwn()
    {
        string matrix = Path.Combine(_out, "few.yaml");
        File.WriteAllText(matrix, Few);
        using var error = new StringWriter();
        int code = new CommandLine(TextWriter.Null, error).Run(["lab", "run", matrix, "--out", _out, "--retries", "2"]);
        Assert.True(code is ExitCode.Done or ExitCode.CheckFailed, error.ToString()); // void runs of a busy machine are as true as others
        var truth = LimitTruth.Of(_out);
        string text = truth.ToMarkdown();

        Assert.True(truth.Runs.Count == 11, text);
        Assert.True(truth.Runs.All(run => run.Retransmissions.True == run.Retransmissions.Told), text);
        Assert.True(truth.Runs.All(run => run.Sender.Told is not null && run.SenderOff <= Points), text);
        Assert.True(truth.Runs.Single(run => run.Name.Contains("timeout", StringComparison.Ordinal)) is { Timeouts: > 0, Sender.True.Timeout: > Points }, text);
    }

    // 20 points more of a send buffer than in truth: 16 that are told to be uncertain leave 4, and 14 leave 6.
    [Theory]
    [InlineData(0.16, 1, "4.0")]
    [InlineData(0.14, 0, "6.0")]
    public void Summarise_RunsOffByWhatIsToldToBeUncertain_CountsThem(double uncertain, int counted, string beyond)
    {
        var all = new LimitShares(1, 0, 0, 0, 0, 0);
        var most = new LimitShares(0.8, 0.2, 0, 0, 0, 0) { UncertainBuffer = uncertain };
        LimitRun[] runs = [new("right", (all, all), (all, all), (0, 0), 0), new("portions", (all, most), (all, all), (0, 0), 0)];

        string[] lines = LimitTruth.Summarise(runs).Split('\n');

        string expected = $"At the sender: 1 of 2 within 5 points, {counted} of the others with what is told to be uncertain.";
        Assert.StartsWith(expected, lines[0], StringComparison.Ordinal);
        Assert.Equal($"Off (beyond what is uncertain): portions 20.0 ({beyond})", lines[1]);
        Assert.StartsWith("At the receiver: 2 of 2 within 5 points", lines[2], StringComparison.Ordinal);
    }

    // What is uncertain of one share may be another's, but no share takes more than that: recovery has none of it, and 25 of the application's 30 points may be
    // among the window's, as may 20 of the receive window's.
    [Fact]
    public void DistanceBeyondUncertain_OfAnotherShare_IsWhatNothingExplains()
    {
        var truth = new LimitShares(0.3, 0, 0.4, 0.3, 0, 0);
        var told = new LimitShares(0, 0, 0.7, 0.1, 0.2, 0) { UncertainWindow = 0.25 };

        Assert.Equal(0.3, truth.Distance(told), 9);
        Assert.Equal(0.2, truth.DistanceBeyondUncertain(told), 9);
    }

    // Both windows were full for 20 points, which the kernel's clock counts as the congestion window's: either is right, but for no more than that.
    [Theory]
    [InlineData(0.15, 0)]
    [InlineData(0.25, 0.05)]
    public void Distance_WhereBothWindowsWereFull_IsOfTheRest(double told, double off)
    {
        var truth = new LimitShares(0, 0, 1, 0, 0, 0) { EitherWindow = 0.2 };

        Assert.Equal(off, truth.Distance(new LimitShares(0, 0, 1 - told, told, 0, 0)), 9);
    }

    public void Dispose() => Directory.Delete(_out, recursive: true);
}
