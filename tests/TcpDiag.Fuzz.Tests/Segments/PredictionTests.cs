using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Intake;
using TcpDiag.Report.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>
/// What is booked by header prediction, alone or with others of a burst, gives the same result as what is parsed: of tagged frames nothing is predicted.
/// </summary>
public sealed class PredictionTests
{
    const int Traces = 150;
    const int QuickTraces = 20;
    const int Packets = 500;
    const int Tag = 4; // bytes
    const int DataOffset = 46; // in Ethernet and IPv4

    [Fact]
    public void Analyze_PredictedOrParsed_TellsTheSame()
    {
        for (int seed = 0; seed < (SkipReason.IsQuick ? QuickTraces : Traces); seed++)
        {
            IReadOnlyList<(byte[] Bytes, long Time)> frames = new BulkTraffic(seed).Make(Packets);
            Assert.True(string.Equals(Told([.. frames.Select(frame => (Tagged(frame.Bytes), frame.Time))]), Told(frames), StringComparison.Ordinal),
                $"seed {seed}");
        }
    }

    static string Told(IReadOnlyList<(byte[] Bytes, long Time)> frames)
    {
        using var trace = new ListedTrace(frames);
        var json = new StringWriter();
        AnalysisJson.Write(json, TraceAnalyzer.Analyze(trace), ["list"], isComplete: true);
        return json.ToString();
    }

    // IEEE 802.1Q, VLAN 100; as long as before, by the last of its payload, which nobody looks at. Without payload nothing is predicted anyhow.
    static byte[] Tagged(byte[] frame)
    {
        bool isData = frame.Length > DataOffset && frame.Length - 34 - ((frame[DataOffset] >> 4) * 4) >= Tag;
        return isData ? [.. frame[..12], 0x81, 0x00, 0x00, 0x64, .. frame[12..^Tag]] : frame;
    }
}
