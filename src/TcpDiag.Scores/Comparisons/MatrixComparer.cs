using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Comparisons;

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
