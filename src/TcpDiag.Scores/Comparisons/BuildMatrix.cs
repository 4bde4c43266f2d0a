using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Comparisons;

/// <summary>Many builds under the same conditions, each set beside one of them by one metric, within one error budget.</summary>
/// <param name="Settings">How they were compared, and by what.</param>
/// <param name="Base">The one that the others are set beside.</param>
/// <param name="Builds">The others, in the order in which they were named.</param>
/// <param name="Rows">The conditions of the base.</param>
public sealed record BuildMatrix(ComparisonSettings Settings, MatrixBuild Base, IReadOnlyList<MatrixBuild> Builds, IReadOnlyList<MatrixRow> Rows)
{
    /// <summary>Whether any build is worse than the base, in any cell or over all of them.</summary>
    public bool HasRegression => Builds.Any(build => build.Overall?.Verdict == Verdict.Regressed)
        || Rows.Any(row => row.Cells.Any(cell => cell?.Judgement.Verdict == Verdict.Regressed));

    /// <summary>Reads the sides of experiments and compares them.</summary>
    /// <param name="paths">Result directories, at least one.</param>
    /// <param name="filter">Which sides and cells; all if not given.</param>
    /// <param name="baseName">Name of the base as <see cref="MatrixBuild.Name"/> has it; null for the first side of the first directory.</param>
    /// <param name="settings">How to compare.</param>
    /// <returns>The matrix.</returns>
    /// <exception cref="RunSetException">A directory is damaged, there are not two builds, or none has that name.</exception>
    public static BuildMatrix Read(IReadOnlyList<string> paths, RunFilter? filter, string? baseName, ComparisonSettings settings)
    {
        ArgumentNullException.ThrowIfNull(paths);
        RunSet[] sets = [.. paths.SelectMany(path => RunSetPair.Sides(path, filter))];
        string[] names = BuildNames.Of(sets);
        if (sets.Length < 2)
        {
            throw new RunSetException($"expected two builds or more, found {sets.Length} ({string.Join(", ", names)}). Name further result directories.");
        }

        int at = baseName is null ? 0 : Array.FindIndex(names, name => string.Equals(name, baseName, StringComparison.OrdinalIgnoreCase));
        return at >= 0
            ? MatrixComparer.Compare([.. sets.Zip(names)], at, settings)
            : throw new RunSetException($"expected a build called {baseName} as the base, found {string.Join(", ", names)}.");
    }
}

/// <summary>A column of the matrix.</summary>
/// <param name="Name">What it is called: its side where that tells it apart, else its directory, or both.</param>
/// <param name="Set">Its runs.</param>
/// <param name="Overall">All conditions as one, beside the base; null for the base itself, and without enough runs.</param>
/// <param name="LeftOut">Cells that it and the base do not have in common.</param>
public sealed record MatrixBuild(string Name, RunSet Set, Judgement? Overall, IReadOnlyList<LeftOutCell> LeftOut);

/// <summary>One set of conditions.</summary>
/// <param name="Base">The runs of the base.</param>
/// <param name="Median">Their median, in the unit of the metric; null where half of them or more do not have it.</param>
/// <param name="Cells">Each of the builds beside it; null where it has none that count.</param>
public sealed record MatrixRow(RunCell Base, double? Median, IReadOnlyList<CellComparison?> Cells);

/// <summary>Names builds as shortly as tells them apart.</summary>
static class BuildNames
{
    public static string[] Of(IReadOnlyList<RunSet> sets)
    {
        string[][] forms =
        [
            [.. sets.Select(set => set.Side ?? Folder(set))],
            [.. sets.Select(Folder)],
            [.. sets.Select(set => $"{Folder(set)}/{set.Side}")],
            [.. sets.Select(set => $"{set.Path} {set.Side}")],
            [.. sets.Select((set, index) => FormattableString.Invariant($"{set.Path} {set.Side} ({index + 1})"))],
        ];
        return Array.Find(forms, names => names.Distinct(StringComparer.OrdinalIgnoreCase).Count() == names.Length) ?? forms[^1];
    }

    static string Folder(RunSet set) => Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(set.Path)));
}

/// <summary>Compares many builds with one: every cell of every build, and every build over all its cells, is a question of the same error budget.</summary>
static class MatrixComparer
{
    /// <summary>Compares.</summary>
    /// <param name="sets">All builds with their names.</param>
    /// <param name="baseAt">Which of them the others are set beside.</param>
    /// <param name="settings">How.</param>
    public static BuildMatrix Compare(IReadOnlyList<(RunSet Set, string Name)> sets, int baseAt, ComparisonSettings settings)
    {
        (RunSet Set, string Name) first = sets[baseAt];
        (RunSet Set, string Name)[] others = [.. sets.Where((_, index) => index != baseAt)];
        Alignment[] aligned = [.. others.Select(other => new Alignment(new RunSetPair(first.Set, other.Set)))];
        MeasuredMetric[] measured = [.. aligned.Select(alignment => new MeasuredMetric(settings.Metric, alignment.Cells))];
        var budget = ErrorBudget.Evenly(measured);
        var judge = new Judge(settings.Margin, budget.Tests);
        MetricComparison[] compared = [.. measured.Select(metric => RunSetComparer.Conclude(metric, judge, budget))];
        return new BuildMatrix(
            settings,
            new MatrixBuild(first.Name, first.Set, null, []),
            [.. others.Select((other, i) => new MatrixBuild(other.Name, other.Set, compared[i].Overall, aligned[i].LeftOut))],
            Rows(first.Set, compared, settings.Metric));
    }

    static MatrixRow[] Rows(RunSet first, MetricComparison[] compared, Metric metric)
    {
        Dictionary<string, CellComparison>[] byConditions =
            [.. compared.Select(build => build.Cells.ToDictionary(cell => Alignment.KeyOf(cell.A), Alignment.Conditions))];
        return
        [
            .. Alignment.ByConditions(first).Select(cell => new MatrixRow(
                cell.Value,
                RunSetComparer.MedianOf(cell.Value, metric),
                [.. byConditions.Select(build => build.GetValueOrDefault(cell.Key))])),
        ];
    }
}
