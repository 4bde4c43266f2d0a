using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Timelines;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>Analyses a script of segments, holds the result to the <see cref="AnalysisInvariants"/>, and one in eight to what <see cref="RenderedReports"/>
/// asks for.</summary>
static class SegmentTarget
{
    // A page takes longer than all the rest.
    const int RenderedPart = 8;

    /// <summary>Reads a script.</summary>
    /// <param name="input">The script.</param>
    /// <returns>Its packets.</returns>
    public static long Read(byte[] input)
    {
        // Every other script with charts, which follow the connections too.
        var options = new AnalysisOptions
        {
            Timelines = input.Length % 2 == 0 ? new TimelineOptions { ItemsPerSeries = TimelineOptions.MinItemsPerSeries }
            : null
        };
        using var trace = new ScriptedTrace(input);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(trace, options);
        AnalysisInvariants.Check(analysis);
        if (input.Length % RenderedPart == 0)
        {
            RenderedReports.Check(analysis, trace);
        }

        return analysis.Packets;
    }
}
