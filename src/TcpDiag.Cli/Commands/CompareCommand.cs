using System.CommandLine;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag compare A B</c>: did B make it better or worse?</summary>
static class CompareCommand
{
    const string Regression = "regression";

    public static Command Create()
    {
        var a = new Argument<string>("A") { Description = "Result directory of lab run; alone, its two sides are compared" };
        var b = new Argument<string?>("B") { Arity = ArgumentArity.ZeroOrOne, Description = "Result directory to set beside it" };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/comparison/1)" };
        var failOn = new Option<string?>("--fail-on") { Description = "regression: end with exit code 3 when B is worse in any cell, or over all" };
        var margin = new Option<string>("--margin") { Description = "Differences that do not matter, e.g. 5pct or 0.05", DefaultValueFactory = _ => "5pct" };
        var seed = new Option<ulong>("--seed") { Description = "Seed of the resampling", DefaultValueFactory = _ => 1, CustomParser = Number.ReadSeed };
        failOn.Validators.Add(result =>
            Require(result.GetValue(failOn) is null or Regression, result, $"--fail-on: expected {Regression}, found '{result.GetValue(failOn)}'"));
        margin.Validators.Add(result =>
            Require(
                QuantityText.TryParseShare(result.GetValue(margin)!, out _),
                result,
                $"--margin: expected 0pct to 100pct, found '{result.GetValue(margin)}'"));
        var command = new Command("compare", "Set the goodput of two builds side by side: better, worse, equal, or not enough evidence")
        {
            a, b, json, failOn, margin, seed,
        };
        command.SetAction(parse =>
        {
            RunSetPair sets = parse.GetValue(b) is { } second ? RunSetPair.Read(parse.GetValue(a)!, second) : RunSetPair.Read(parse.GetValue(a)!);
            _ = QuantityText.TryParseShare(parse.GetValue(margin)!, out double share);
            Comparison comparison = RunSetComparer.Compare(sets, new ComparisonSettings { Margin = share, Seed = parse.GetValue(seed) });
            return Report(parse, comparison, parse.GetValue(json), parse.GetValue(failOn) is not null);
        });
        return command;
    }

    static int Report(ParseResult parse, Comparison comparison, bool isJson, bool failsOnRegression)
    {
        if (isJson)
        {
            ComparisonJson.Write(parse.InvocationConfiguration.Output, comparison);
        }
        else
        {
            ComparisonReport.Write(Terminal.Output(parse), comparison);
        }

        // A check that compared nothing must not pass.
        int done = comparison.Cells.Count > 0 ? ExitCode.Done : ExitCode.Failed;
        int check = failsOnRegression && comparison.HasRegression ? ExitCode.CheckFailed : done;
        return ExitCode.Combine(check, comparison.Sets is { A.IsComplete: true, B.IsComplete: true } ? ExitCode.Done : ExitCode.Damaged);
    }

    static void Require(bool holds, System.CommandLine.Parsing.SymbolResult result, string message)
    {
        if (!holds)
        {
            result.AddError(message);
        }
    }
}
