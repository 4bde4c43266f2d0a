using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// One error budget for everything a report says: each metric in each cell, and each over all cells. Half of it belongs to the metric asked for, half to the
/// others; what is decided leaves its part to the rest (Holm 1979, with weights).
/// </summary>
sealed class ErrorBudget
{
    readonly Dictionary<object, (double Corrected, double Part)> _tests = new(ReferenceEqualityComparer.Instance);

    /// <summary>Shares the budget.</summary>
    /// <param name="metrics">What was measured; the first is the one asked for.</param>
    public ErrorBudget(IReadOnlyList<MeasuredMetric> metrics)
        : this([.. Questions(metrics[0])], [.. metrics.Skip(1).SelectMany(Questions)])
    {
    }

    ErrorBudget((object Test, double P)[] primary, (object Test, double P)[] others)
    {
        double ofOthers = primary.Length == 0 ? 1 : 1 - ComparisonSettings.PrimaryWeight;
        double ofPrimary = others.Length == 0 ? 1 : ComparisonSettings.PrimaryWeight;
        (object Test, double P)[] all = [.. primary, .. others];
        double[] weights =
        [
            .. primary.Select(_ => ofPrimary / primary.Length),
            .. others.Select(_ => ofOthers / others.Length),
        ];
        double[] corrected = HolmCorrection.Adjust([.. all.Select(test => test.P)], weights);
        for (int i = 0; i < all.Length; i++)
        {
            _tests[all[i].Test] = (corrected[i], weights[i] * ComparisonSettings.Level);
        }
    }

    /// <summary>Shares the budget evenly among all questions.</summary>
    /// <param name="metrics">What was measured.</param>
    /// <returns>The budget.</returns>
    public static ErrorBudget Evenly(IEnumerable<MeasuredMetric> metrics) => new([.. metrics.SelectMany(Questions)], []);

    /// <summary>How many questions there are.</summary>
    public int Tests => _tests.Count;

    /// <summary>The corrected p-value of a test.</summary>
    /// <param name="test">A cell's measurement, or all cells.</param>
    /// <returns>The value; null where it was not tested.</returns>
    public double? CorrectedOf(object test) => _tests.TryGetValue(test, out (double Corrected, double Part) found) ? found.Corrected : null;

    /// <summary>What a test has of the level for certain, whatever the others say.</summary>
    /// <param name="test">A cell's measurement, or all cells.</param>
    /// <returns>The part; 0 where it was not tested.</returns>
    public double PartOf(object test) => _tests.TryGetValue(test, out (double Corrected, double Part) found) ? found.Part : 0;

    // A single cell is the whole: one question.
    static IEnumerable<(object Test, double P)> Questions(MeasuredMetric metric)
    {
        CellMeasurement[] tested = [.. metric.Cells.Where(cell => cell.IsTested && !cell.IsConstant)];
        foreach (CellMeasurement cell in tested)
        {
            yield return (cell, cell.PValue);
        }

        if (tested.Length > 0 && metric.Overall is { Only: null, IsEntangled: false } overall)
        {
            yield return (overall, overall.PValue);
        }
    }
}
