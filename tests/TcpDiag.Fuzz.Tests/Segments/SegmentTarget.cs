using TcpDiag.Analysis;
using TcpDiag.Analysis.Timelines;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>Analyses a script of segments, holds the result to the <see cref="AnalysisInvariants"/> and writes it.</summary>
static class SegmentTarget
{
    /// <summary>Reads a script.</summary>
    /// <param name="input">The script.</param>
    /// <returns>Its packets.</returns>
    public static long Read(byte[] input)
    {
        // Every other script with charts, which follow the connections too.
        var options = new AnalysisOptions { Timelines = input.Length % 2 == 0 ? new TimelineOptions { ItemsPerSeries = TimelineOptions.LeastItemsPerSeries } : null };
        using var trace = new ScriptedTrace(input);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(trace, options);
        AnalysisInvariants.Check(analysis);
        return analysis.Packets;
    }
}
