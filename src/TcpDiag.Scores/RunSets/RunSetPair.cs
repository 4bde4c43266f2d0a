using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.RunSets;

/// <summary>The two sets that are compared; A is the baseline.</summary>
/// <param name="A">The one before.</param>
/// <param name="B">The one after.</param>
public sealed record RunSetPair(RunSet A, RunSet B)
{
    /// <summary>The two sides of one experiment.</summary>
    /// <param name="path">Its result directory.</param>
    /// <param name="filter">Which sides and cells; all if not given.</param>
    /// <returns>The pair, in the order in which the experiment names them.</returns>
    /// <exception cref="RunSetException">It is damaged, or does not have two sides.</exception>
    public static RunSetPair Read(string path, RunFilter? filter = null) => Sides(path, filter) switch
    {
        [RunSet first, RunSet second] => new RunSetPair(first, second),
        { } sides => throw new RunSetException(
            $"{path}: expected two sides, found {sides.Count} ({Names(sides)}). Name two of its sides with --side, or two result directories."),
    };

    /// <summary>Two experiments. Where each has one side, these are compared, whatever their names; otherwise sides of the same name are.</summary>
    /// <param name="pathA">Result directory of the one, or a folder of its recordings.</param>
    /// <param name="pathB">The same of the other.</param>
    /// <param name="filter">Which sides and cells; all if not given.</param>
    /// <returns>The pair.</returns>
    /// <exception cref="RunSetException">One is damaged.</exception>
    public static RunSetPair Read(string pathA, string pathB, RunFilter? filter = null)
    {
        IReadOnlyList<RunSet> a = Sides(pathA, filter);
        IReadOnlyList<RunSet> b = Sides(pathB, filter);
        return a.Count == 1 && b.Count == 1 ? new RunSetPair(a[0], b[0]) : new RunSetPair(RunSet.Unite(a), RunSet.Unite(b));
    }

    /// <summary>The sides of one experiment.</summary>
    internal static IReadOnlyList<RunSet> Sides(string path, RunFilter? filter)
    {
        IReadOnlyList<RunSet> all = filter?.Elsewhere?.Invoke(path) is { } set ? [set]
            : RecordedRuns.AreAt(path) ? [RecordedRuns.Read(path)]
            : LabResultReader.Read(path);
        IReadOnlyList<RunSet> asked = filter is null ? all : filter.Apply(path, all);
        return filter is { IsScored: true } ? [.. asked.Select(ScoredRuns.Of)] : asked;
    }

    static string Names(IEnumerable<RunSet> sides) => string.Join(", ", sides.Select(side => side.Side));
}

/// <summary>Which part of an experiment is compared.</summary>
/// <param name="Sides">Names of sides; empty for all.</param>
/// <param name="Cells">Cells: the beginning of a name (<c>003</c>) or a condition (<c>rtt 25ms</c>); each must hold. Empty for all.</param>
public sealed record RunFilter(IReadOnlyList<string> Sides, IReadOnlyList<string> Cells)
{
    /// <summary>Whether the runs are scored: the rates of <c>score</c> are metrics as well.</summary>
    public bool IsScored { get; init; }

    /// <summary>Reads what is neither a result directory nor recordings, and returns null for what it does not know; null for nothing else.</summary>
    public Func<string, RunSet?>? Elsewhere { get; init; }

    /// <summary>Takes what is asked for.</summary>
    /// <param name="path">Where the sides were read from.</param>
    /// <param name="sides">All sides.</param>
    /// <returns>The sides, in the order asked for; at least one, each with at least one cell where it had any.</returns>
    /// <exception cref="RunSetException">There is none.</exception>
    internal IReadOnlyList<RunSet> Apply(string path, IReadOnlyList<RunSet> sides)
    {
        RunSet[] named = Sides.Count == 0
            ? [.. sides]
            : [.. Sides.Select(name => sides.FirstOrDefault(side => string.Equals(side.Side, name, StringComparison.OrdinalIgnoreCase))).OfType<RunSet>()];
        if (named.Length == 0)
        {
            throw new RunSetException(
                $"{path}: expected a side called {string.Join(" or ", Sides)}, found {string.Join(", ", sides.Select(side => side.Side))}.");
        }

        RunSet[] kept = [.. named.Select(side => side with { Cells = [.. side.Cells.Where(IsAsked)] })];
        return Cells.Count == 0 || kept.Any(side => side.Cells.Count > 0)
            ? kept
            : throw new RunSetException(
                $"{path}: expected a cell of {string.Join(" and ", Cells)}, found none. Cells are called, for instance, {Example(named)}.");
    }

    bool IsAsked(RunCell cell) => Cells.All(asked =>
        cell.Name.StartsWith(asked, StringComparison.OrdinalIgnoreCase)
        || cell.Conditions.Any(setting => string.Equals($"{setting.Name} {setting.Value}", asked, StringComparison.OrdinalIgnoreCase)));

    static string Example(RunSet[] sides) => sides.SelectMany(side => side.Cells).FirstOrDefault() is { } cell
        ? string.Join(" or ", cell.Conditions.Take(1).Select(setting => $"'{setting.Name} {setting.Value}'").Prepend(cell.Name))
        : "nothing yet: no run is finished";
}
