using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>RTT samples beside tshark's <c>tcp.analysis.ack_rtt</c>, without those of SYNs and FINs alone: median and 95th percentile.</summary>
public sealed class TsharkRttTests
{
    const double Tolerance = 0.1;
    const int MinSamples = 20;

    static readonly string[] Fields = ["frame.number", "tcp.srcport", "tcp.len", "tcp.analysis.acks_frame", "tcp.analysis.ack_rtt"];

    // Captures at the sender, and one in which both ends are near. Of captures at the receiver with losses tshark has the time that repairs took.
    [ToolTheory("tshark")]
    [InlineData("bulk-loss.pcapng")]
    [InlineData("ipv6.pcapng")]
    [InlineData("reset.pcapng")]
    [InlineData("send-buffer.pcapng")]
    [InlineData("zero-window.pcapng")]
    [InlineData("stories/s1-fixed-sender.pcapng")]
    [InlineData("stories/s1-not-adapting-sender.pcapng")]
    [InlineData("stories/s2-not-adapting-sender.pcapng")]
    [InlineData("stories/s3-large-buffer-sender.pcapng")]
    [InlineData("stories/s3-small-buffer-sender.pcapng")]
    [InlineData("stories/s4-half-window-sender.pcapng")]
    [InlineData("stories/s4-whole-window-sender.pcapng")]
    public void Rtt_OfTheLargerDirection_IsThatOfTshark(string name)
    {
        string path = ProjectFolder.PathOf(["tests", "fixtures", .. name.Split('/')]);
        using TraceReader reader = TraceFile.Open(path);
        Connection connection = TraceAnalyzer.Analyze(reader).Connections.Single();
        bool isUp = connection.FromClient.PayloadBytes > connection.FromServer.PayloadBytes;
        RttSummary own = (isUp ? connection.FromClient : connection.FromServer).Rtt;
        double[] samples = [.. AskTshark(path, (isUp ? connection.Server : connection.Client).Port)];

        Assert.True(samples.Length >= MinSamples, "there is something to compare");
        Assert.InRange(own.Median, (1 - Tolerance) * Quantile(samples, 50), (1 + Tolerance) * Quantile(samples, 50));
        Assert.InRange(own.P95, (1 - Tolerance) * Quantile(samples, 95), (1 + Tolerance) * Quantile(samples, 95));
    }

    static double Quantile(double[] sorted, int percent) => sorted[(((sorted.Length * percent) + 99) / 100) - 1];

    // Nanoseconds, sorted.
    static IEnumerable<double> AskTshark(string path, ushort acker)
    {
        string[] arguments = ["-r", path, "-T", "fields", .. Fields.SelectMany(field => new[] { "-e", field })];
        string[][] rows = [.. ExternalProgram.Run("tshark", arguments).Lines.Select(line => line.Split('\t')).Where(row => row.Length == Fields.Length)];
        HashSet<string> data = [.. rows.Where(row => row[2] is not ("" or "0")).Select(row => row[0])];
        return rows
            .Where(row => row[4].Length > 0 && data.Contains(row[3]) && ushort.Parse(row[1], CultureInfo.InvariantCulture) == acker)
            .Select(row => double.Parse(row[4], CultureInfo.InvariantCulture) * 1e9)
            .Order();
    }
}
