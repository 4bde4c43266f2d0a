using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using TcpDiag.Cli.Store;
using TcpDiag.Report.Comparisons;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Store;
using TcpDiag.Store.Rows;

namespace TcpDiag.Cli.Comparing;

/// <summary><c>tcpdiag compare A B</c>: did B make it better or worse?</summary>
static class CompareCommand
{
    public static Command Create()
    {
        var a = new Argument<string>("A")
        {
            Description = "Result directory of lab run or simulate (alone, its two sides are compared), a folder of recordings, or STORE@BUILD",
        };
        var b = new Argument<string?>("B") { Arity = ArgumentArity.ZeroOrOne, Description = "The same of the build to set beside it" };
        var options = new ComparisonOptions();
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/comparison/2)" };
        var html = new Option<string?>("--html") { HelpName = "REPORT", Description = "Write the report as one page with graphs; - for standard output" };
        var markdown = new Option<string?>("--markdown") { HelpName = "FILE", Description = "Write the report as Markdown; - for standard output" };
        var force = ForceOption.Create();
        Option<string?> store = StoreOptions.Besides();
        var command = new Command("compare", "Set two builds side by side: better, worse, equal, or not enough evidence, and why")
        {
            a, b, options.Metric, options.Margin, options.FailOn, options.Sides, options.Cells, options.Scores, json, html, markdown, force, store,
        };
        options.Validate(command);
        command.Validators.Add(result =>
        {
            bool[] outputs = [result.GetValue(json), result.GetValue(html) is "-", result.GetValue(markdown) is "-"];
            if (outputs.Count(isStandard => isStandard) > 1)
            {
                result.AddError("--json, --html - and --markdown - write to standard output: give one of them");
            }
        });
        command.SetAction(parse =>
        {
            RunFilter filter = options.Filter(parse);
            RunSetPair sets = parse.GetValue(b) is { } second
                ? RunSetPair.Read(parse.GetValue(a)!, second, filter)
                : RunSetPair.Read(parse.GetValue(a)!, filter);
            CompareOutputs outputs = new(parse.GetValue(json), parse.GetValue(html), parse.GetValue(markdown), parse.GetValue(force));
            ComparisonOptions.TellLeftOut(parse, [sets.A, sets.B]);
            Comparison comparison = RunSetComparer.Compare(sets, options.Settings(parse));
            Keep(parse.GetValue(store), comparison);
            return Report(parse, comparison, outputs, options.FailsOnRegression(parse));
        });
        return command;
    }

    static void Keep(string? path, Comparison comparison)
    {
        if (path is not null)
        {
            using IResultStore store = ResultStores.Open(path, isCreated: true);
            long now = (TimeProvider.System.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;
            store.Add(ExperimentRows.Of(comparison, now));
        }
    }

    static int Report(ParseResult parse, Comparison comparison, CompareOutputs outputs, bool failsOnRegression)
    {
        string[] read = [comparison.Sets.A.Path, comparison.Sets.B.Path];
        using OutputFile? page = outputs.Html is { } html ? OutputFile.Create(html, read, outputs.IsForced) : null;
        using OutputFile? text = outputs.Markdown is { } markdown ? OutputFile.Create(markdown, read, outputs.IsForced) : null;
        if (outputs.IsJson)
        {
            ComparisonJson.Write(parse.InvocationConfiguration.Output, comparison);
        }
        else if (outputs.IsText)
        {
            ComparisonReport.Write(Terminal.Output(parse), comparison);
        }

        if (page is not null)
        {
            ComparisonPage.Write(page.Stream, comparison);
            page.Complete();
        }

        if (text is not null)
        {
            using (var writer = new StreamWriter(text.Stream, leaveOpen: true))
            {
                ComparisonMarkdown.Write(writer, comparison);
            }

            text.Complete();
        }

        // A check that compared nothing must not pass.
        int done = comparison.Primary.Cells.Count > 0 ? ExitCode.Done : ExitCode.Failed;
        int check = failsOnRegression && comparison.HasRegression ? ExitCode.CheckFailed : done;
        return ExitCode.Combine(check, comparison.Sets is { A.IsComplete: true, B.IsComplete: true } ? ExitCode.Done : ExitCode.Damaged);
    }
}

/// <summary>Where a comparison goes.</summary>
/// <param name="IsJson">Whether JSON is printed.</param>
/// <param name="Html">Page to write; null for none.</param>
/// <param name="Markdown">Markdown to write; null for none.</param>
/// <param name="IsForced">Whether files that are there are replaced.</param>
sealed record CompareOutputs(bool IsJson, string? Html, string? Markdown, bool IsForced)
{
    /// <summary>Whether the text goes to standard output.</summary>
    public bool IsText => !IsJson && Html is not "-" && Markdown is not "-";
}
