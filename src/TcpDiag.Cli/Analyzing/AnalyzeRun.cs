using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Cli.Store;
using TcpDiag.Report;
using TcpDiag.Report.Csv;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Report.Locations;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Analyzing;

/// <summary>Where the result of an analysis goes besides the text.</summary>
/// <param name="IsJson">Whether JSON is printed instead of it.</param>
/// <param name="Html">Page to write; null for none.</param>
/// <param name="Csv">Table to write; null for none.</param>
/// <param name="IsForced">Whether files that are there are replaced.</param>
sealed record AnalyzeOutputs(bool IsJson, string? Html = null, string? Csv = null, bool IsForced = false)
{
    /// <summary>Whether standard output is the text's.</summary>
    public bool IsText => !IsJson && Html is not "-" && Csv is not "-";
}

/// <summary>What is to be analysed, and what becomes of it.</summary>
/// <param name="Files">The traces.</param>
/// <param name="Extent">How much the text shows.</param>
/// <param name="Outputs">What else is written.</param>
sealed record AnalyzeSettings(string[] Files, AnalysisExtent Extent, AnalyzeOutputs Outputs)
{
    /// <summary>Options of the analysis.</summary>
    public AnalysisOptions Options { get; init; } = AnalysisOptions.Default;

    /// <summary>Where the choice of connections comes from; null where there was none.</summary>
    public ConnectionOptions? Chosen { get; init; }

    /// <summary>The least severe finding that makes the exit code 3; null for none.</summary>
    public FindingSeverity? FailOn { get; init; }

    /// <summary>Whether the trace is still being written.</summary>
    public bool IsLive { get; init; }

    /// <summary>The store in which the result is kept; null for none.</summary>
    public string? Store { get; init; }
}

/// <summary>Analyses traces and writes what was found.</summary>
static class AnalyzeRun
{
    /// <summary>Analyses.</summary>
    /// <param name="parse">The command line that is run.</param>
    /// <param name="settings">What is to be analysed.</param>
    /// <returns>The exit code.</returns>
    public static int Run(ParseResult parse, AnalyzeSettings settings) => settings.IsLive ? Follow(parse, settings) : AnalyzeOnePoint(parse, settings);

    static int AnalyzeOnePoint(ParseResult parse, AnalyzeSettings settings)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        bool isWhole = settings.Options is { From: null, To: null };
        SeveralPoints points = SeveralPoints.Choose(settings.Files, isWhole, parse.InvocationConfiguration.Error, interruption);
        int exitCode = Analyze(parse, settings with { Files = points.Files }, points);
        if (points.Location is { } location && settings.Outputs.IsText && exitCode != ExitCode.NoResult)
        {
            IAnsiConsole console = Terminal.Output(parse);
            console.Write(new Text("\nWhere on the path, from all captures\n\n"));
            LocationReport.Write(console, location);
        }

        return exitCode;
    }

    static int Analyze(ParseResult parse, AnalyzeSettings settings, SeveralPoints points)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        AnalyzeOutputs outputs = settings.Outputs;
        using var pause = new CollectionPause(); // it ends last: a buffer that is given back would have all results collected
        using var progress = new ReadingProgress(parse, settings.Files);
        var kept = StoreBesides.Of(settings.Store, settings.Files);
        using TraceReader reader = TraceFile.Open(settings.Files);
        progress.Reader = reader;
        using OutputFile? page = outputs.Html is { } html ? OutputFile.Create(html, settings.Files, outputs.IsForced) : null;
        using OutputFile? table = outputs.Csv is { } csv and not "-" ? OutputFile.Create(csv, settings.Files, outputs.IsForced) : null;
        BundleContents[] bundles = ReadBundles(settings.Files, parse.InvocationConfiguration.Error, out bool areWhole);
        SystemSnapshot? snapshot = bundles.Select(bundle => bundle.Snapshot).FirstOrDefault(found => found is not null);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, settings.Options with { Snapshot = snapshot, AfterReading = pause.Begin }, interruption);
        progress.End();
        kept?.Keep(analysis, reader, bundles.FirstOrDefault());
        analysis = points.Judge(analysis, interruption);
        bool isComplete = areWhole && reader.Problems.Count == 0;
        if (outputs.IsJson)
        {
            AnalysisJson.Write(parse.InvocationConfiguration.Output, analysis, settings.Files, isComplete, bundles, points.Location);
        }

        if (HasNothing(parse, settings, analysis))
        {
            ProblemReport.Write(Terminal.Error(parse), reader);
            return ExitCode.NoResult;
        }

        if (page is not null)
        {
            HtmlReport.Write(page.Stream, analysis, settings.Files, reader, bundles, points.Location);
            page.Complete();
        }

        if (table is not null)
        {
            WriteTable(table, analysis, settings.Extent.Order);
        }
        else if (outputs.Csv is not null)
        {
            ConnectionCsv.Write(parse.InvocationConfiguration.Output, analysis, settings.Extent.Order);
        }

        if (outputs.IsText)
        {
            AnalysisReport.Write(Terminal.Output(parse), analysis, reader, settings.Extent, bundles);
        }

        ProblemReport.Write(Terminal.Error(parse), reader);
        return ExitCodeOf(settings, analysis, isComplete);
    }

    static bool HasNothing(ParseResult parse, AnalyzeSettings settings, TraceAnalysis analysis)
    {
        if (settings.Chosen?.WhyNothing(parse, analysis, settings.Options) is not { } why)
        {
            return false;
        }

        Failure.Report(parse.InvocationConfiguration.Error, why);
        return true;
    }

    static void WriteTable(OutputFile table, TraceAnalysis analysis, ConnectionOrder order)
    {
        using (var text = new StreamWriter(table.Stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true))
        {
            ConnectionCsv.Write(text, analysis, order);
        }

        table.Complete();
    }

    // A finding that was asked about is there, however much of the trace could not be read.
    static int ExitCodeOf(AnalyzeSettings settings, TraceAnalysis analysis, bool isComplete) =>
        settings.FailOn is { } least && analysis.Findings.Any(finding => finding.Severity >= least) ? ExitCode.CheckFailed
        : isComplete ? ExitCode.Done
        : ExitCode.Damaged;

    // The trace can be analysed without the other files; damage to one of them is reported and sets the exit code.
    static BundleContents[] ReadBundles(string[] files, TextWriter error, out bool areWhole)
    {
        areWhole = true;
        var bundles = new List<BundleContents>();
        foreach (string file in files)
        {
            if (BundleContents.Of(file) is { } bundle)
            {
                bundles.Add(bundle);
                foreach (string problem in bundle.Problems)
                {
                    areWhole = false;
                    Failure.Report(error, $"{file}: {problem}");
                }
            }
        }

        return [.. bundles];
    }

    static int Follow(ParseResult parse, AnalyzeSettings settings)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        IAnsiConsole console = Terminal.Output(parse);
        using TraceReader reader = TraceFile.Open(settings.Files, new TraceOpenOptions { IsLive = true });
        TraceAnalysis analysis = TraceAnalyzer.Follow(
            reader,
            (findings, news) =>
            {
                foreach (Finding finding in findings)
                {
                    FindingsReport.WriteOne(console, finding, news);
                }

                parse.InvocationConfiguration.Output.Flush(); // someone is waiting for them, even through a pipe
            },
            settings.Options,
            interruption);

        // What a bundle says about its recording is complete once that has ended.
        BundleContents[] bundles = ReadBundles(settings.Files, parse.InvocationConfiguration.Error, out bool areWhole);
        bool hasNothing = HasNothing(parse, settings, analysis);
        if (!hasNothing)
        {
            AnalysisReport.Write(console, analysis, reader, settings.Extent, bundles);
        }

        ProblemReport.Write(Terminal.Error(parse), reader);
        int done = hasNothing ? ExitCode.NoResult : ExitCodeOf(settings, analysis, areWhole && reader.Problems.Count == 0);
        return interruption.IsCancellationRequested ? ExitCode.Interrupted : done;
    }
}
