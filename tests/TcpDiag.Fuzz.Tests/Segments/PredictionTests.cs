using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Analysis;
using TcpDiag.Report.Json;
using Xunit;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>What is booked by header prediction gives the same result as what is parsed: of tagged frames nothing is predicted.</summary>
public sealed partial class PredictionTests
{
    const int Traces = 150;
    const int Packets = 500;

    [Fact]
    public void Analyze_PredictedOrParsed_TellsTheSame()
    {
        for (int seed = 0; seed < Traces; seed++)
        {
            IReadOnlyList<(byte[] Bytes, long Time)> frames = new BulkTraffic(seed).Make(Packets);
            Assert.True(string.Equals(Told([.. frames.Select(frame => (Tagged(frame.Bytes), frame.Time))]), Told(frames), System.StringComparison.Ordinal), $"seed {seed}");
        }
    }

    static string Told(IReadOnlyList<(byte[] Bytes, long Time)> frames)
    {
        using var trace = new ListedTrace(frames);
        var json = new StringWriter();
        AnalysisJson.Write(json, TraceAnalyzer.Analyze(trace), ["list"], isComplete: true);
        return FrameBytes().Replace(json.ToString(), string.Empty);
    }

    // IEEE 802.1Q, VLAN 100.
    static byte[] Tagged(byte[] frame) => [.. frame[..12], 0x81, 0x00, 0x00, 0x64, .. frame[12..]];

    [GeneratedRegex("\"frameBytes\":[0-9]+,?", RegexOptions.NonBacktracking)]
    private static partial Regex FrameBytes();
}
