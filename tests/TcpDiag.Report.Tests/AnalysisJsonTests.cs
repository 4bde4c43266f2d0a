using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Report.Json;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;
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
        AssertHas(
            connection,
            "index", "client", "server", "process", "startSeconds", "durationSeconds", "handshake", "roundTrip", "end", "vantage", "directions", "findings");
        AssertHas(connection.GetProperty("client"), "address", "port");
        AssertHas(connection.GetProperty("handshake"), "complete", "synRetransmissions", "rttMicroseconds", "synAckMicroseconds", "nameLookupMicroseconds");
        JsonElement direction = connection.GetProperty("directions")[0];
        AssertHas(
            direction,
            "from", "packets", "payloadBytes", "goodputBitsPerSecond", "mss", "retransmissions", "loss", "reordering", "dsacks", "dsacksTsharkFilter",
            "duplicateAcks", "zeroWindows", "outOfOrder", "rtt", "maxInFlightBytes", "delivery", "cwnd", "receiveWindow", "activeMicroseconds", "limits");
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

    // Of a capture with 100,000 connections the document has 400 MB.
    [Fact]
    public void Write_LongDocument_IsHandedOnInPieces()
    {
        const int pieceBytes = 1 << 17; // what is collected before it is flushed, and a finding
        var text = new FindingText("title", new string('x', 1000), [], []);
        var finding = new Finding(FindingIds.ZeroWindow, null, null, FindingSeverity.Note, null, 1, () => text);
        var analysis = new TraceAnalysis { Connections = [], Findings = [.. Enumerable.Repeat(finding, 1000)] };
        using var bytes = new PieceStream();
        using (var output = new StreamWriter(bytes, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)))
        {
            AnalysisJson.Write(output, analysis, ["trace"], isComplete: true);
        }

        Assert.InRange(bytes.LargestWrite, 1, pieceBytes);
        Assert.Equal(1000, JsonDocument.Parse(bytes.ToArray()).RootElement.GetProperty("findings").GetArrayLength());
    }

    sealed class PieceStream : MemoryStream
    {
        public int LargestWrite { get; private set; }

        // A stream derived from MemoryStream receives spans here, too.
        public override void Write(byte[] buffer, int offset, int count)
        {
            LargestWrite = Math.Max(LargestWrite, count);
            base.Write(buffer, offset, count);
        }
    }

    static void AssertHas(JsonElement element, params string[] names) =>
        Assert.Empty(names.Except(element.EnumerateObject().Select(property => property.Name)));
}

public sealed class TcpOptionNamesTests
{
    [Fact]
    public void Of_SeveralKinds_NamesEachInOrder() =>
        Assert.Equal(
            ["mss", "timestamps", "accurateEcn"],
            TcpOptionNames.Of(TcpOptionKinds.AccurateEcn | TcpOptionKinds.Timestamps | TcpOptionKinds.MaximumSegmentSize));

    // SACK blocks never stand in a SYN; every other kind the parser knows has a name.
    [Fact]
    public void Of_EveryKind_HasAName()
    {
        foreach (TcpOptionKinds kind in Enum.GetValues<TcpOptionKinds>().Except([TcpOptionKinds.None, TcpOptionKinds.Sack]))
        {
            Assert.Single(TcpOptionNames.Of(kind));
        }
    }
}
