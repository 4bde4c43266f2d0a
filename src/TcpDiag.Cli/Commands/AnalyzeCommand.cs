using System.CommandLine;
using System.Threading;
using TcpDiag.Analysis;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Traces;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag analyze FILE…</c>: the TCP connections of traces, read as one.</summary>
static class AnalyzeCommand
{
    /// <summary>Connections that are listed when the command line does not say.</summary>
    public const int DefaultTop = 20;

    /// <summary>Creates the command.</summary>
    /// <returns>The command with its options and action.</returns>
    public static Command Create()
    {
        var files = new Argument<string[]>("FILE")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Traces (.etl, .pcapng, .pcap; also .gz and .zip), read as one; - for standard input",
        };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/analysis/1)" };
        var top = new Option<int>("--top")
        {
            Description = "Connections to list, those with the most bytes first",
            DefaultValueFactory = _ => DefaultTop,
        };
        top.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && result.Tokens[0].Value.StartsWith('-'))
            {
                result.AddError("--top: a number from 0 on is wanted");
            }
        });
        var command = new Command("analyze", "Show the TCP connections of a trace and how each of them fared") { files, json, top };
        command.SetAction(parse => Run(parse, parse.GetValue(files)!, parse.GetValue(json), parse.GetValue(top)));
        return command;
    }

    /// <summary>Analyses traces and prints what was found.</summary>
    /// <param name="parse">The command line that is run.</param>
    /// <param name="files">The traces.</param>
    /// <param name="isJson">Whether to print JSON.</param>
    /// <param name="top">Connections to list.</param>
    /// <returns>The exit code.</returns>
    public static int Run(ParseResult parse, string[] files, bool isJson, int top)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        using TraceReader reader = TraceFile.Open(files);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, cancellation: interruption);
        bool isComplete = reader.Problems.Count == 0;
        if (isJson)
        {
            AnalysisJson.Write(parse.InvocationConfiguration.Output, analysis, files, isComplete);
        }
        else
        {
            AnalysisReport.Write(Terminal.Output(parse), analysis, reader, top);
        }

        ProblemReport.Write(Terminal.Error(parse), reader);
        return isComplete ? ExitCode.Done : ExitCode.Damaged;
    }
}
