using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;
using TcpDiag.Report;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Store.Queries;
using RunMetric = TcpDiag.Scores.RunSets.Metric;

namespace TcpDiag.Cli.Comparing;

/// <summary>The options that commands which compare runs share: by what, of which runs, and what counts as a difference.</summary>
sealed class ComparisonOptions
{
    const string Regression = "regression";

    /// <summary>What decides.</summary>
    public Option<string> Metric { get; } = new("--metric")
    {
        Description = "What decides, e.g. retransmissions",
        DefaultValueFactory = _ => RunMetric.Goodput.Name,
    };

    /// <summary>What does not matter.</summary>
    public Option<string> Margin { get; } =
        new("--margin") { Description = "Differences that do not matter, e.g. 5pct or 0.05", DefaultValueFactory = _ => "5pct" };

    /// <summary>What makes the exit code 3.</summary>
    public Option<string?> FailOn { get; } =
        new("--fail-on") { Description = "regression: end with exit code 3 when a build is worse in any cell, or over all" };

    /// <summary>Which sides.</summary>
    public Option<string[]> Sides { get; } = new("--side") { Description = "Compare these sides only; of one directory, the first named is A" };

    /// <summary>Which cells.</summary>
    public Option<string[]> Cells { get; } =
        new("--cell") { Description = "Compare these cells only: a name's beginning, or a condition such as \"rtt 25ms\"" };

    /// <summary>Whether the senders are scored.</summary>
    public Option<bool> Scores { get; } = new("--scores") { Description = "Score the sender of each run, and compare each rate (score-…) as well" };

    /// <summary>Refuses values that say nothing.</summary>
    public void Validate(Command command)
    {
        FailOn.Validators.Add(result =>
            Require(result.GetValue(FailOn) is null or Regression, result, $"--fail-on: expected {Regression}, found '{result.GetValue(FailOn)}'"));
        Margin.Validators.Add(result =>
            Require(QuantityText.TryParseShare(result.GetValue(Margin)!, out _), result,
                $"--margin: expected 0pct to 100pct, found '{result.GetValue(Margin)}'"));
        Metric.Validators.Add(result =>
            Require(
                RunMetric.Find(result.GetValue(Metric)!) is not null,
                result,
                $"--metric: expected one of {string.Join(", ", RunMetric.All.Select(known => known.Name))}; found '{result.GetValue(Metric)}'"));
        command.Validators.Add(result =>
            Require(
                result.GetValue(FailOn) is null || RunMetric.Find(result.GetValue(Metric)!)?.Better != Better.Neither,
                result,
                $"--fail-on: {result.GetValue(Metric)} is neither good nor bad; name another --metric"));
    }

    /// <summary>Which runs are compared.</summary>
    public RunFilter Filter(ParseResult parse) =>
        new(parse.GetValue(Sides) ?? [], parse.GetValue(Cells) ?? []) { IsScored = parse.GetValue(Scores), Elsewhere = StoredRuns.TryRead };

    /// <summary>How they are compared.</summary>
    public ComparisonSettings Settings(ParseResult parse)
    {
        _ = QuantityText.TryParseShare(parse.GetValue(Margin)!, out double share);
        return new() { Margin = share, Metric = RunMetric.Find(parse.GetValue(Metric)!)! };
    }

    /// <summary>Names on standard error the recordings that do not count, or only in part.</summary>
    public static void TellLeftOut(ParseResult parse, IEnumerable<RunSet> sets)
    {
        foreach (string file in sets.SelectMany(set => set.LeftOut))
        {
            parse.InvocationConfiguration.Error.WriteLine(SafeText.OneLine(file));
        }
    }

    /// <summary>Whether a regression is to be the exit code.</summary>
    public bool FailsOnRegression(ParseResult parse) => parse.GetValue(FailOn) is not null;

    static void Require(bool holds, SymbolResult result, string message)
    {
        if (!holds)
        {
            result.AddError(message);
        }
    }
}
