using System.CommandLine;
using System.Threading;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Cli.Store;
using TcpDiag.Report;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag score FILE…</c>: how the senders of a trace behaved, beside what the RFCs ask.</summary>
static class ScoreCommand
{
    public static Command Create()
    {
        var files = new Argument<string[]>("FILE")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Traces (.etl, .pcapng, .pcap; also .gz and .zip), read as one; - for standard input",
        };
        var connections = new ConnectionOptions();
        var build = new Option<int>("--build")
        {
            HelpName = "N",
            Description = "Hold the senders against what is documented of this build of Windows, e.g. 22000",
            CustomParser = result => Number.Read<int>(result, "a build of Windows from 10240 on", number => BuildExpectation.Find(number) is not null),
        };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/score/1)" };
        var html = new Option<string?>("--html") { HelpName = "REPORT", Description = "Write the scores as one page with graphs; - for standard output" };
        Option<bool> force = ForceOption.Create();
        Option<string?> store = StoreOptions.Besides();
        var command = new Command("score", "Score how senders tell losses from reordering and repair them, and tell which kind they are") { files };
        connections.AddTo(command);
        command.Add(build);
        command.Add(json);
        command.Add(html);
        command.Add(force);
        StoreBesides.AddTo(command, store, files, "--host", "--port", "--process", "--connection", "--from", "--to");
        command.Validators.Add(result =>
        {
            if (result.GetValue(json) && result.GetValue(html) is "-")
            {
                result.AddError("--json and --html - write to standard output: give one of them");
            }
        });
        command.SetAction(parse => Run(
            parse, parse.GetValue(files)!, connections, BuildExpectation.Find(parse.GetValue(build)),
            new Outputs(parse.GetValue(json), parse.GetValue(html), parse.GetValue(force), parse.GetValue(store))));
        return command;
    }

    static int Run(ParseResult parse, string[] files, ConnectionOptions connections, BuildExpectation? expected, Outputs outputs)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        AnalysisOptions options = connections.Read(parse) with { Timelines = outputs.Html is null ? null : new TimelineOptions() };
        using var progress = new ReadingProgress(parse, files);
        var kept = StoreBesides.Of(outputs.Store, files);
        using TraceReader reader = TraceFile.Open(files);
        progress.Reader = reader;
        using OutputFile? page = outputs.Html is { } html ? OutputFile.Create(html, files, outputs.IsForced) : null;
        TraceScores scores = TraceScorer.Score(reader, options, isPredicted: true, interruption);
        progress.End();
        kept?.Keep(scores.Analysis, reader, BundleContents.Of(files[0]), scores);
        string? nothing = connections.WhyNothing(parse, scores.Analysis, options);
        bool isComplete = reader.Problems.Count == 0;
        if (page is not null && nothing is null)
        {
            HtmlReport.Write(page.Stream, scores, expected, files, reader);
            page.Complete();
        }

        if (outputs.IsJson)
        {
            ScoreJson.Write(parse.InvocationConfiguration.Output, scores, files, isComplete, expected);
        }
        else if (nothing is null && outputs.Html is null)
        {
            ScoreReport.Write(Terminal.Output(parse), scores, reader, expected);
        }

        if (nothing is not null)
        {
            Failure.Report(parse.InvocationConfiguration.Error, nothing);
        }

        ProblemReport.Write(Terminal.Error(parse), reader);
        return nothing is not null ? ExitCode.NoResult : isComplete ? ExitCode.Done : ExitCode.Damaged;
    }

    // What the result is written as; as text where neither is asked for.
    readonly record struct Outputs(bool IsJson, string? Html, bool IsForced, string? Store);
}
