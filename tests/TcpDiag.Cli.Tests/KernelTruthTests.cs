using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>What analyze says about the recorded traces is what the sender's kernel counted (struct tcp_info, in NAME.truth.json).</summary>
public sealed class KernelTruthTests
{
    // The kernel keeps its minimum in microseconds, but took one sample in a clock of 4 ms.
    const double RttTolerance = 0.02;

    public static TheoryData<string> Traces =>
    [
        .. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng").Select(file => Path.GetRelativePath(ProjectFolder.Root, file)),
        Path.Combine("src", "TcpDiag.Cli", "Demo", "demo.pcapng"),
    ];

    [Theory]
    [MemberData(nameof(Traces))]
    public void Analyze_RecordedTrace_AgreesWithTheKernel(string trace)
    {
        string file = ProjectFolder.PathOf(trace);
        JsonElement[] connections = [.. Analyze(file).GetProperty("connections").EnumerateArray()];
        JsonElement[] senders = [.. Json(File.ReadAllText(Path.ChangeExtension(file, ".truth.json"))).GetProperty("senders").EnumerateArray()];
        Assert.Equal(senders.Length, connections.Length);
        Assert.All(senders, sender => AssertAgrees(sender, connections.Single(connection => Number(FromClient(connection), "wireSegments") == Number(sender,
            "dataSegmentsOut"))));
    }

    static void AssertAgrees(JsonElement sender, JsonElement connection)
    {
        JsonElement direction = FromClient(connection);
        Assert.Equal(sender.GetProperty("end").GetString(), connection.GetProperty("end").GetString());
        Assert.Equal(Number(sender, "segmentsOut"), Number(direction, "packets"));
        Assert.Equal(Number(sender, "bytesSent"), Number(direction, "payloadBytes"));
        Assert.Equal(Number(sender, "totalRetransmissions"), Number(direction.GetProperty("retransmissions"), "total"));
        Assert.Equal(Number(sender, "dsacksReceived"), Number(direction, "dsacks"));
        double minRtt = Number(direction.GetProperty("rtt"), "minMicroseconds");
        Assert.InRange(minRtt / Number(sender, "minRttMicroseconds"), 1 - RttTolerance, 1 + RttTolerance);
    }

    static JsonElement Analyze(string file)
    {
        var output = new StringWriter();
        Assert.Equal(ExitCode.Done, new CommandLine(output, TextWriter.Null).Run(["analyze", file, "--json"]));
        return Json(output.ToString());
    }

    static JsonElement FromClient(JsonElement connection) =>
        connection.GetProperty("directions").EnumerateArray().Single(direction => string.Equals(direction.GetProperty("from").GetString(), "client",
            StringComparison.Ordinal));

    static double Number(JsonElement element, string name) => element.GetProperty(name).GetDouble();

    static JsonElement Json(string text) => JsonDocument.Parse(text).RootElement;
}
