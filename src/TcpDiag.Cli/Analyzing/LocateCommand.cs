using System.CommandLine;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Locate;
using TcpDiag.Locate.Results;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Report.Locations;
using TcpDiag.Traces;

namespace TcpDiag.Cli.Analyzing;

/// <summary><c>tcpdiag locate A B [C…]</c>: between which points of the path packets were lost, delayed, reordered or changed.</summary>
static class LocateCommand
{
    public static Command Create()
    {
        var files = new Argument<string[]>("FILE")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Captures of the same connections at several points, one file each (.etl, .pcapng, .pcap; also .gz and .zip)",
        };
        var clock = new Option<bool>("--same-clock") { Description = "The captures have one clock, or well synchronised ones: take times as they are" };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/locate/1)" };
        var html = new Option<string?>("--html") { HelpName = "REPORT", Description = "Write the report as one page with graphs; - for standard output" };
        Option<bool> force = ForceOption.Create();
        var command = new Command("locate", "Tell between which of several captures packets were lost, delayed, reordered, copied or changed")
        {
            files, clock, json, html, force,
        };
        command.SetAction(parse => Run(parse, parse.GetValue(files)!, parse.GetValue(clock),
            new LocateOutputs(parse.GetValue(json), parse.GetValue(html), parse.GetValue(force))));
        command.Validators.Add(result =>
        {
            if (result.GetValue(json) && result.GetValue(html) is "-")
            {
                result.AddError("--json and --html - write to standard output: give one of them");
            }
        });
        return command;
    }

    static int Run(ParseResult parse, string[] files, bool hasOneClock, LocateOutputs outputs)
    {
        using OutputFile? page = outputs.Html is { } html ? OutputFile.Create(html, files, outputs.IsForced) : null;
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        var locator = new Locator(hasOneClock);
        int exitCode = ExitCode.Done;
        foreach (string file in files)
        {
            using var progress = new ReadingProgress(parse, file);
            using TraceReader reader = TraceFile.Open(file);
            progress.Reader = reader;
            locator.Add(NameOf(file, files), reader, interruption);
            progress.End();
            ProblemReport.Write(Terminal.Error(parse), reader);
            exitCode = ExitCode.Combine(exitCode, reader.Problems.Count == 0 ? ExitCode.Done : ExitCode.Damaged);
        }

        Location location = locator.Locate(interruption);
        if (outputs.IsJson)
        {
            LocationJson.Write(parse.InvocationConfiguration.Output, location, exitCode == ExitCode.Done);
        }
        else if (outputs.Html is not "-")
        {
            LocationReport.Write(Terminal.Output(parse), location);
        }

        if (page is not null)
        {
            LocationPage.Write(page.Stream, location);
            page.Complete();
        }

        return location.Paths.Count == 0 ? ExitCode.NoResult : exitCode;
    }

    // The name alone, unless two files have the same.
    static string NameOf(string file, string[] files) =>
        file is "-" ? "standard input"
        : files.Count(other => string.Equals(Path.GetFileName(other), Path.GetFileName(file), System.StringComparison.Ordinal)) > 1 ? file
        : Path.GetFileName(file);
}

/// <summary>Where a location goes.</summary>
/// <param name="IsJson">Whether JSON is printed.</param>
/// <param name="Html">Page to write; null for none.</param>
/// <param name="IsForced">Whether a file that is there is replaced.</param>
sealed record LocateOutputs(bool IsJson, string? Html, bool IsForced);
