using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Report.Comparisons;

/// <summary>The words and numbers of a comparison, the same in every form of its report.</summary>
static class ComparisonWords
{
    /// <summary>A verdict in full.</summary>
    public static string Name(Verdict verdict) => verdict == Verdict.NotEnoughEvidence ? "not enough evidence" : Json.ComparisonJson.Name(verdict);

    /// <summary>A verdict in a narrow column; the line below gives the reason.</summary>
    public static string Short(Verdict verdict) => verdict == Verdict.NotEnoughEvidence ? "not enough" : Name(verdict);

    /// <summary>Whether B differs from A.</summary>
    public static bool IsDifference(Verdict verdict) => verdict is not (Verdict.Equal or Verdict.NotEnoughEvidence);

    /// <summary>A ratio, B / A; at most six characters.</summary>
    public static string Ratio(double ratio) => ratio switch
    {
        double.NaN => "-",
        > 1e100 => "inf",
        < 9.995 => ratio.ToString("0.00", CultureInfo.InvariantCulture),
        < 9995 => ratio.ToString("0.#", CultureInfo.InvariantCulture),
        _ => ratio.ToString("0e0", CultureInfo.InvariantCulture),
    };

    /// <summary>An interval of ratios.</summary>
    public static string Text(Interval interval) => $"{Ratio(interval.Low)} to {Ratio(interval.High)}";

    /// <summary>A p-value.</summary>
    public static string PValue(double p) => p < 0.0001 ? "below 0.0001" : p.ToString("0.0000", CultureInfo.InvariantCulture);

    /// <summary>A figure in the unit of its metric; at most seven characters.</summary>
    public static string Figure(Metric metric, double? figure) => figure is not { } known ? "-" : metric.Unit switch
    {
        MetricUnit.BitsPerSecond => Quantity.Rate(known),
        MetricUnit.Seconds => Seconds(known),
        MetricUnit.Share => Invariant($"{known * 100:0.00}%"),
        _ => Invariant($"{known:0.#}"),
    };

    /// <summary>A time.</summary>
    public static string Seconds(double seconds) => seconds switch
    {
        0 => "0s",
        < 0.01 => Invariant($"{seconds * 1000:0.0}ms"),
        < 1 => Invariant($"{seconds * 1000:0}ms"),
        < 100 => Invariant($"{seconds:0.00}s"),
        _ => Invariant($"{seconds:0}s"),
    };

    /// <summary>How many runs were compared, in pairs (one number) or without.</summary>
    public static string Count(CellComparison cell) => cell.Pairs.Count > 0
        ? Invariant($"{cell.Pairs.Count}")
        : Invariant($"{cell.A.Runs.Count}/{cell.B.Runs.Count}");

    /// <summary>Heading of a metric's table.</summary>
    public static string Heading(Metric metric) => metric.Unit switch
    {
        MetricUnit.BitsPerSecond => $"{metric.Title}, bit/s",
        MetricUnit.Share => $"{metric.Title}, of segments",
        _ => metric.Title,
    };

    /// <summary>What stands behind a verdict: in how many pairs, and the p-value.</summary>
    public static string Basis(CellComparison cell)
    {
        Judgement judgement = cell.Judgement;
        double share = judgement.Ratio < 1 ? 1 - judgement.HigherShare : judgement.HigherShare;
        string way = judgement.Ratio < 1 ? "lower" : "higher";
        string pairs = cell.Pairs.Count > 0
            ? Invariant($"B {way} in {share * cell.Pairs.Count:0.#} of {cell.Pairs.Count} pairs")
            : Invariant($"B {way} in {share * 100:0} % of all pairings");
        return $"{pairs}, p {PValue(judgement.CorrectedPValue ?? judgement.PValue)}";
    }

    /// <summary>Runs that did not come to their end; empty where all did.</summary>
    public static string Censored(CellComparison cell) => (cell.CensoredA, cell.CensoredB) switch
    {
        (0, 0) => string.Empty,
        ({ } a, { } b) => Invariant($"not to their end (ranked below all others): {a} of {cell.A.Runs.Count} of A, {b} of {cell.B.Runs.Count} of B"),
    };

    /// <summary>Runs that have no partner; empty where all have, and where none has.</summary>
    public static string Alone(CellComparison cell)
    {
        int a = cell.A.Runs.Count - cell.Pairs.Count;
        int b = cell.B.Runs.Count - cell.Pairs.Count;
        return cell.Pairs.Count == 0 || a + b == 0 ? string.Empty : Invariant($"left out, as they have no partner of the same seed: {a} of A, {b} of B");
    }

    /// <summary>What a set is.</summary>
    public static string Describe(RunSet set)
    {
        string side = set.IsRecorded ? "recordings" : set.Side is null ? "sides by name"
            : $"{set.Side} ({string.Join(", ", set.Settings.Select(ConditionLabels.Text))})";
        string rest = set.IsComplete ? string.Empty : set.IsRecorded ? "; not all of them could be read" : "; the experiment was not finished";
        return $"{set.Path}: {side}, {System(set.Kernel)}, {Quantity.Count(set.Runs, "run")}{Void(set.VoidRuns)}{rest}";
    }

    /// <summary>Runs that do not count, as an appendix; empty where there are none.</summary>
    public static string Void(int runs) => runs == 0 ? string.Empty : Invariant($", {runs} void");

    /// <summary>What does not matter.</summary>
    public static string Margin(Comparison comparison) => Invariant($"{comparison.Settings.Margin * 100:0.##} %");

    /// <summary>The medians of A and B: of several cells the middle one.</summary>
    public static (double? A, double? B) Medians(MetricComparison metric) =>
        (MedianOf(metric.Cells.Select(cell => cell.MedianA)), MedianOf(metric.Cells.Select(cell => cell.MedianB)));

    /// <summary>How the runs were compared.</summary>
    public static string Pairing(Comparison comparison)
    {
        int paired = comparison.Primary.Cells.Count(cell => cell.Pairs.Count > 0);
        string cells = paired == comparison.Primary.Cells.Count ? string.Empty : Invariant($" in {paired} of {comparison.Primary.Cells.Count} cells");
        return paired > 0 ? $"runs of the same iteration and seed are compared with each other{cells}"
            : comparison.Sets is { A.IsRecorded: true, B.IsRecorded: true }
            ? "each recording is one run, by its largest transfer; nobody set their paths, so they are compared without pairs"
            : "A and B share no seed: their runs are compared without pairs, which takes many more of them";
    }

    /// <summary>The verdict over all cells, as a sentence.</summary>
    public static string Conclusion(Comparison comparison)
    {
        MetricComparison primary = comparison.Primary;
        if (primary.Cells.Count == 0)
        {
            return "Nothing to compare: A and B have no cell in common.";
        }

        if (primary.Overall is not { } overall)
        {
            const int least = ComparisonSettings.MinRuns;
            return Invariant($"Overall: not enough evidence. A verdict takes {least} pairs or more in a cell, or as many runs of each side.");
        }

        string reason = overall.Reason is null ? string.Empty : $": {overall.Reason}";
        double p = overall.CorrectedPValue ?? overall.PValue;
        string cells = Quantity.Count(primary.Cells.Count, "cell");
        string figures = $"B/A {Ratio(overall.Ratio)} ({Text(overall.Interval)}), p {PValue(p)}";
        return $"Overall, {cells}: {primary.Metric.Title} {Name(overall.Verdict)}{reason}. {figures}.";
    }

    /// <summary>How many cells have each verdict.</summary>
    public static string Verdicts(MetricComparison metric) => string.Join(", ", metric.Cells
        .GroupBy(cell => cell.Judgement.Verdict)
        .OrderBy(group => group.Key)
        .Select(group => Invariant($"{group.Count()} {Name(group.Key)}")));

    /// <summary>What a short report explains: the greatest change for the better and the greatest for the worse. Forms with room have all.</summary>
    public static IEnumerable<Explanation> Strongest(Comparison comparison) => comparison.Explanations
        .GroupBy(explanation => explanation.Cell.Judgement.Verdict)
        .Select(group => group.MaxBy(explanation => Math.Abs(Math.Log(explanation.Cell.Judgement.Ratio)))!);

    /// <summary>Where the time went, as a clause.</summary>
    public static string TimeShifts(Explanation explanation)
    {
        string limits = string.Join(", ", explanation.Limits.Select(limit => $"{NameOf(limit.Metric)} {Signed(limit.Seconds)}"));
        string whole = explanation.CompletionTime is { } time
            ? $"B took {Seconds(time.Size)} {(time.Seconds < 0 ? "less" : "more")} than A ({Seconds(time.MedianA)} to {Seconds(time.MedianB)})"
            : string.Empty;
        return (whole, limits) switch
        {
            ("", "") => string.Empty,
            ("", _) => $"time by limit, B − A: {limits}",
            (_, "") => whole,
            _ => $"{whole}: {limits}",
        };
    }

    /// <summary>A metric that moved too, as a clause.</summary>
    public static string Moved(MovedMetric moved)
    {
        string where = moved.IsOfCell ? string.Empty : " (certain over all cells only)";
        return $"{moved.Metric.Title} {Figure(moved.Metric, moved.Cell.MedianA)} to {Figure(moved.Metric, moved.Cell.MedianB)}{where}";
    }

    /// <summary>The metrics that moved besides the times, which <see cref="TimeShifts"/> names.</summary>
    public static IEnumerable<string> MovedOf(Explanation explanation) =>
        explanation.Moved.Where(moved => !moved.Metric.IsTimeInLimit && moved.Metric != Metric.CompletionTime).Select(Moved);

    // Linux gives its release alone.
    static string System(string kernel) => kernel.Length > 0 && char.IsAsciiDigit(kernel[0]) ? $"Linux {kernel}" : kernel;

    static double? MedianOf(IEnumerable<double?> figures)
    {
        double[] sorted = [.. figures.OfType<double>().Order()];
        return sorted.Length == 0 ? null : (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }

    static string NameOf(Metric limit) => limit.Title.Replace("time: ", string.Empty, StringComparison.Ordinal);

    static string Signed(double seconds) => $"{(seconds < 0 ? "-" : "+")}{Seconds(Math.Abs(seconds))}";

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
