using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Analysis;
using TcpDiag.Report.Json;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class AnalysisJsonTests
{
    static JsonElement Write(string fixture)
    {
        string path = ProjectFolder.Fixture(fixture);
        using TraceReader reader = TraceFile.Open(path);
        var text = new StringWriter();
        AnalysisJson.Write(text, TraceAnalyzer.Analyze(reader), [path], isComplete: true);
        return JsonDocument.Parse(text.ToString()).RootElement;
    }

    static JsonElement Truth(string fixture) =>
        JsonDocument.Parse(File.ReadAllText(ProjectFolder.Fixture(fixture.Replace(".pcapng", ".truth.json", StringComparison.Ordinal)))).RootElement;

    // The kernel's own counters at the sender, taken when the fixture was recorded.
    [Theory]
    [InlineData("bulk-loss.pcapng")]
    [InlineData("send-buffer.pcapng")]
    [InlineData("zero-window.pcapng")]
    [InlineData("ipv6.pcapng")]
    [InlineData("reset.pcapng")]
    public void Write_Fixture_AgreesWithTheKernel(string fixture)
    {
        JsonElement truth = Truth(fixture).GetProperty("senders")[0];
        JsonElement connection = Write(fixture).GetProperty("connections")[0];
        JsonElement client = connection.GetProperty("directions")[0];
        Assert.Equal(truth.GetProperty("end").GetString(), connection.GetProperty("end").GetString());
        Assert.Equal(truth.GetProperty("totalRetransmissions").GetInt64(), client.GetProperty("retransmissions").GetProperty("total").GetInt64());
        Assert.Equal(truth.GetProperty("bytesSent").GetInt64(), client.GetProperty("payloadBytes").GetInt64());
        Assert.Equal(truth.GetProperty("dataSegmentsOut").GetInt64(), client.GetProperty("wireSegments").GetInt64());
        Assert.Equal(truth.GetProperty("dsacksReceived").GetInt64(), client.GetProperty("dsacks").GetInt64());
        double kernelRtt = truth.GetProperty("minRttMicroseconds").GetDouble();
        Assert.InRange(client.GetProperty("rtt").GetProperty("minMicroseconds").GetDouble(), kernelRtt * 0.98, kernelRtt * 1.02);
    }

    [Fact]
    public void Write_AnyTrace_HasTheFieldsOthersRelyOn()
    {
        JsonElement document = Write("bulk-loss.pcapng");
        Assert.Equal("tcpdiag/analysis/1", document.GetProperty("schema").GetString());
        AssertHas(document, "file", "packets", "durationSeconds", "connections", "findings");
        JsonElement connection = document.GetProperty("connections")[0];
        AssertHas(connection, "index", "client", "server", "process", "startSeconds", "durationSeconds", "handshake", "end", "vantage", "directions", "findings");
        AssertHas(connection.GetProperty("client"), "address", "port");
        AssertHas(connection.GetProperty("handshake"), "complete", "synRetransmissions", "rttMicroseconds", "nameLookupMicroseconds");
        JsonElement direction = connection.GetProperty("directions")[0];
        AssertHas(
            direction,
            "from", "packets", "payloadBytes", "goodputBitsPerSecond", "mss", "retransmissions", "loss", "reordering", "dsacks", "dsacksTsharkFilter",
            "duplicateAcks", "zeroWindows", "outOfOrder", "rtt", "maxInFlightBytes", "cwnd", "receiveWindow", "activeMicroseconds", "limits");
        AssertHas(direction.GetProperty("retransmissions"), "total", "byTrigger", "byNeed", "zeroWindowProbes", "keepAlives", "evidence");
        AssertHas(direction.GetProperty("rtt"), "minMicroseconds", "medianMicroseconds", "p95Microseconds", "samples");
        AssertHas(direction.GetProperty("receiveWindow"), "maxBytes", "minBytes");
    }

    [Fact]
    public void Write_WhatIsNotKnown_IsNull()
    {
        JsonElement direction = Write("bulk-loss.pcapng").GetProperty("connections")[0].GetProperty("directions")[1];
        foreach (string name in new[] { "limits", "loss", "reordering", "cwnd", "goodputBitsPerSecond", "activeMicroseconds" })
        {
            Assert.Equal(JsonValueKind.Null, direction.GetProperty(name).ValueKind);
        }
    }

    static void AssertHas(JsonElement element, params string[] names) =>
        Assert.Empty(names.Except(element.EnumerateObject().Select(property => property.Name)));
}
