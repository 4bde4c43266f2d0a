using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Report.Html;
using TcpDiag.Testing;
using TcpDiag.Traces;

namespace TcpDiag.Browser.Tests;

/// <summary>Makes reports to be opened.</summary>
static class Reports
{
    /// <summary>The report of fixtures, read as one trace.</summary>
    /// <param name="folder">Where to write it.</param>
    /// <param name="fixtures">The fixtures.</param>
    /// <returns>The page's path.</returns>
    public static string Of(string folder, params string[] fixtures)
    {
        using TraceReader reader = TraceFile.Open([.. fixtures.Select(ProjectFolder.Fixture)]);
        return Write(folder, reader, analysis => analysis.Findings);
    }

    /// <summary>The report of any trace.</summary>
    /// <param name="folder">Where to write it.</param>
    /// <param name="reader">The trace.</param>
    /// <param name="findings">Findings in place of those of the analysis.</param>
    /// <returns>The page's path.</returns>
    public static string Write(string folder, TraceReader reader, Func<TraceAnalysis, IReadOnlyList<Finding>> findings)
    {
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, new AnalysisOptions { Timelines = new TimelineOptions() });
        var shown = new TraceAnalysis
        {
            Connections = analysis.Connections,
            Timelines = analysis.Timelines,
            Findings = findings(analysis),
            Packets = analysis.Packets,
            TcpPackets = analysis.TcpPackets,
            StackEvents = analysis.StackEvents,
            Start = analysis.Start,
            End = analysis.End,
        };
        string path = Path.Combine(folder, "report.html");
        using FileStream page = File.Create(path);
        HtmlReport.Write(page, shown, [reader.Path], reader);
        return path;
    }
}
