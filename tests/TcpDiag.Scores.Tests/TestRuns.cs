using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Tests;

/// <summary>Runs and sets of them, made by hand.</summary>
static class TestRuns
{
    /// <summary>A run of a goodput; without seed or iteration it has no partner.</summary>
    public static Run Of(
        double goodput,
        ulong? seed = null,
        int? iteration = null,
        RunEnd end = RunEnd.Complete,
        params (Metric Metric, double Figure)[] others)
    {
        Dictionary<Metric, double> figures = new() { [Metric.Goodput] = goodput };
        foreach ((Metric metric, double figure) in others)
        {
            figures[metric] = figure;
        }

        return new Run(iteration, seed, $"{seed}", end, figures);
    }

    public static double Goodput(Run run) => run.Figures[Metric.Goodput];

    /// <summary>Runs of consecutive seeds, from a first one.</summary>
    public static Run[] Seeded(ulong first, params double[] goodput) =>
        [.. goodput.Select((value, index) => Of(value, first + (ulong)index, index + 1))];

    /// <summary>A set with a cell for each list of runs.</summary>
    public static RunSet Set(string name, params IEnumerable<IReadOnlyList<Run>> cells) =>
        new(name, name, [], "6.18", true, [.. cells.Select((runs, index) => new RunCell($"{index}", [new Setting("rtt", $"{index}ms")], runs, 0))]);

    public static Comparison Compare(IReadOnlyList<Run> a, IReadOnlyList<Run> b, Metric? metric = null) =>
        RunSetComparer.Compare(new RunSetPair(Set("a", [a]), Set("b", [b])), new ComparisonSettings { Metric = metric ?? Metric.Goodput });
}
