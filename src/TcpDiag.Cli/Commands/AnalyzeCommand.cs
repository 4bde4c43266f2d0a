using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Threading;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Report;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag analyze FILE…</c>: the TCP connections of traces, read as one.</summary>
static class AnalyzeCommand
{
    /// <summary>How much is shown unless the command line says otherwise: one screen.</summary>
    public static readonly AnalysisExtent OneScreen = new(Connections: 5, Findings: 5, Explained: 1);

    public static Command Create()
    {
        var files = new Argument<string[]>("FILE")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Traces (.etl, .pcapng, .pcap; also .gz and .zip), read as one; - for standard input",
        };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/analysis/1)" };
        Option<int> top = Counting("--top", "Connections to list, those with the most bytes first", OneScreen.Connections);
        Option<int> findings = Counting("--findings", "Findings to list, those with the most time lost first", OneScreen.Findings);
        var explain = new Option<bool>("--explain") { Description = "Show cause, evidence and advice of every finding listed, not only of the first" };
        var html = new Option<string>("--html") { HelpName = "REPORT", Description = "Write the report as one page with graphs; - for standard output" };
        Option<string> vantage = Vantages();
        var follow = new Option<bool>("--follow")
        {
            Description = "Report what is found as it appears, while the trace is still being written: tcpdump -U -w - | tcpdiag analyze - --follow",
        };
        var command = new Command("analyze", "Explain why the TCP connections of a trace were slow, and how each of them fared")
        {
            files, json, findings, explain, top, html, follow, vantage,
        };
        command.Validators.Add(result =>
        {
            if (result.GetValue(follow) && (result.GetValue(json) || result.GetValue(html) is not null))
            {
                result.AddError("--follow: prints text only, neither --json nor --html");
            }

            if (result.GetValue(follow) && result.GetValue(vantage) is not null)
            {
                result.AddError("--follow: finds the vantage out itself; leave --vantage away");
            }
        });
        command.SetAction(parse =>
        {
            int listed = parse.GetValue(findings);
            var extent = new AnalysisExtent(parse.GetValue(top), listed, parse.GetValue(explain) ? listed : OneScreen.Explained);
            if (parse.GetValue(follow))
            {
                return Follow(parse, parse.GetValue(files)!, extent);
            }

            var options = new AnalysisOptions
            {
                Vantage = Enum.TryParse(parse.GetValue(vantage), ignoreCase: true, out Vantage given) ? given : null,
                Timelines = parse.GetValue(html) is null ? null : new TimelineOptions(),
            };
            return Run(parse, parse.GetValue(files)!, parse.GetValue(json), extent, options, parse.GetValue(html));
        });
        return command;
    }

    /// <summary>Analyses traces and prints what was found.</summary>
    /// <param name="parse">The command line that is run.</param>
    /// <param name="files">The traces.</param>
    /// <param name="isJson">Whether to print JSON.</param>
    /// <param name="extent">How much to show.</param>
    /// <param name="options">Options of the analysis; <see cref="AnalysisOptions.Default"/> when null.</param>
    /// <param name="html">Page to write; null for none.</param>
    public static int Run(ParseResult parse, string[] files, bool isJson, AnalysisExtent extent, AnalysisOptions? options = null, string? html = null)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        using TraceReader reader = TraceFile.Open(files);
        using OutputFile? page = html is null ? null : OutputFile.Create(html, files);
        BundleContents[] bundles = ReadBundles(files, parse.InvocationConfiguration.Error, out bool areWhole);
        SystemSnapshot? snapshot = bundles.Select(bundle => bundle.Snapshot).FirstOrDefault(found => found is not null);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, (options ?? AnalysisOptions.Default) with { Snapshot = snapshot }, interruption);
        if (page is not null)
        {
            HtmlReport.Write(page.Stream, analysis, files, reader, bundles);
            page.Complete();
        }

        bool isComplete = areWhole && reader.Problems.Count == 0;
        if (isJson)
        {
            AnalysisJson.Write(parse.InvocationConfiguration.Output, analysis, files, isComplete, bundles);
        }
        else if (html is not "-")
        {
            AnalysisReport.Write(Terminal.Output(parse), analysis, reader, extent, bundles);
        }

        ProblemReport.Write(Terminal.Error(parse), reader);
        return isComplete ? ExitCode.Done : ExitCode.Damaged;
    }

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

    static int Follow(ParseResult parse, string[] files, AnalysisExtent extent)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        IAnsiConsole console = Terminal.Output(parse);
        using TraceReader reader = TraceFile.Open(files, new TraceOpenOptions { IsLive = true });
        TraceAnalysis analysis = TraceAnalyzer.Follow(
            reader,
            (findings, goOn) =>
            {
                foreach (Finding finding in findings)
                {
                    FindingsReport.WriteOne(console, finding, goOn);
                }

                parse.InvocationConfiguration.Output.Flush(); // someone is waiting for them, even through a pipe
            },
            interruption);

        // What a bundle says about its recording is complete once that has ended.
        AnalysisReport.Write(console, analysis, reader, extent, ReadBundles(files, parse.InvocationConfiguration.Error, out bool areWhole));
        ProblemReport.Write(Terminal.Error(parse), reader);
        return interruption.IsCancellationRequested ? ExitCode.Interrupted : areWhole && reader.Problems.Count == 0 ? ExitCode.Done : ExitCode.Damaged;
    }

    static Option<string> Vantages()
    {
        var option = new Option<string>("--vantage") { Description = "Where the capture was taken, instead of finding it out: client, server or middle" };
        option.AcceptOnlyFromAmong("client", "server", "middle");
        return option;
    }

    static Option<int> Counting(string name, string description, int usual) => new(name)
    {
        Description = description,
        DefaultValueFactory = _ => usual,
        CustomParser = result => Number.Read<int>(result, "a number from 0 on", number => number >= 0),
    };
}
