using System;
using System.Collections.Generic;
using System.CommandLine;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag info FILE…</c>: what traces hold.</summary>
static class InfoCommand
{
    public static Command Create()
    {
        var files = new Argument<string[]>("FILE")
        {
            Description = "Traces (.etl, .pcapng, .pcap, also .zip and .gz), - for standard input",
            Arity = ArgumentArity.OneOrMore,
        };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/info/1)" };
        var command = new Command("info", "Show what traces hold: format, machine, providers and events, interfaces, lost events") { files, json };
        command.SetAction(parse =>
        {
            int exitCode = ExitCode.Done;
            List<TraceInspection> traces = Inspect(parse, parse.GetRequiredValue(files), ref exitCode);
            if (parse.GetValue(json))
            {
                InfoDocument.From(traces).Write(parse.InvocationConfiguration.Output);
                return exitCode;
            }

            var report = new InfoReport(Terminal.Output(parse));
            foreach (TraceInspection trace in traces)
            {
                report.Write(trace);
            }

            return exitCode;
        });
        return command;
    }

    // One file that cannot be read does not keep the others from being shown.
    static List<TraceInspection> Inspect(ParseResult parse, string[] paths, ref int exitCode)
    {
        var traces = new List<TraceInspection>(paths.Length);
        foreach (string path in paths)
        {
            using var progress = new ReadingProgress(parse, path);
            try
            {
                TraceInspection trace = TraceInspector.Inspect(path);
                traces.Add(trace);
                exitCode = ExitCode.Combine(exitCode, trace.IsComplete ? ExitCode.Done : ExitCode.Damaged);
            }
            catch (Exception exception) when (exception is TraceFormatException or TraceInputException)
            {
                progress.End();
                Failure.Report(parse.InvocationConfiguration.Error, exception.Message);
                exitCode = ExitCode.Combine(exitCode, ExitCode.Failed);
            }
        }

        return traces;
    }
}
