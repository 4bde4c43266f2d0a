using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;

namespace TcpDiag.Scores.RunSets;

/// <summary>Adds the rates of <c>score</c> to the figures of runs whose capture at the sender can be read (docs/scores.md).</summary>
static class ScoredRuns
{
    // Of the lab and the simulator; the second has events of the stack as well.
    static readonly string[] Captures = ["sender.etl", "sender.pcapng"];

    /// <summary>Scores the runs of a set, on all processors.</summary>
    /// <param name="set">The set.</param>
    /// <returns>
    /// The same with the rates of the sender that sent most, run by run; captures that cannot be read are told in <see cref="RunSet.LeftOut"/>.
    /// </returns>
    public static RunSet Of(RunSet set)
    {
        Run[] runs = [.. set.Cells.SelectMany(cell => cell.Runs)];
        var rates = new IReadOnlyList<(Metric Metric, double Rate)>[runs.Length];
        var reasons = new string?[runs.Length];
        Parallel.For(0, runs.Length, i => rates[i] = RatesOf(runs[i], out reasons[i]));
        Dictionary<Run, IReadOnlyList<(Metric, double)>> scored = new(ReferenceEqualityComparer.Instance);
        foreach ((Run run, IReadOnlyList<(Metric, double)> found) in runs.Zip(rates))
        {
            scored[run] = found;
        }

        return set with
        {
            Cells = [.. set.Cells.Select(cell => cell with { Runs = [.. cell.Runs.Select(run => With(run, scored[run]))] })],
            LeftOut = [.. set.LeftOut, .. reasons.OfType<string>()],
        };
    }

    static Run With(Run run, IReadOnlyList<(Metric Metric, double Rate)> rates)
    {
        Dictionary<Metric, double> figures = new(run.Figures);
        foreach ((Metric metric, double rate) in rates)
        {
            figures[metric] = rate;
        }

        return run with { Figures = figures };
    }

    static (Metric Metric, double Rate)[] RatesOf(Run run, out string? reason)
    {
        reason = null;
        if (run.Folder is null || CaptureOf(run.Folder) is not { } file)
        {
            return [];
        }

        try
        {
            using TraceReader reader = TraceFile.Open(file);
            Scorecard? card = TraceScorer.Score(reader).Cards.FirstOrDefault(one => one.NotScored is null);
            return card is null ? [] : [.. card.Components.Where(component => component.Rate is not null)
                .Select(component => (Metric.OfScore(component.Id), component.Rate!.Value.Rate))];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or TraceFormatException or TraceInputException)
        {
            reason = $"{file}: not scored: {exception.Message}";
            return [];
        }
    }

    static string? CaptureOf(string path) =>
        File.Exists(path) ? path : Captures.Select(name => Path.Combine(path, name)).FirstOrDefault(File.Exists);
}
