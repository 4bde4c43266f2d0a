using System;
using System.Linq;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// Compares two sets of runs by goodput: cell by cell, and over all cells that have enough runs. The unit that is resampled is the run, since packets
/// and flows of one run are not independent of each other. docs/commands/compare.md says what each figure means and where it comes from.
/// </summary>
public static class RunSetComparer
{
    /// <summary>Compares two sets.</summary>
    /// <param name="sets">The sets.</param>
    /// <param name="settings">How.</param>
    /// <returns>The comparison.</returns>
    public static Comparison Compare(RunSetPair sets, ComparisonSettings settings)
    {
        Alignment alignment = new(sets);
        CellMeasurement[] cells = [.. alignment.Pairs.Select((pair, index) => new CellMeasurement(pair.A, pair.B, settings, index))];
        CellMeasurement[] tested = [.. cells.Where(cell => cell.IsTested)];
        double[] corrected = HolmCorrection.Adjust([.. tested.Select(cell => cell.Test.PValue())]);
        Judge judge = new(settings.Margin, tested.Length);
        return new Comparison(
            sets,
            settings,
            [.. cells.Select(cell => Conclude(cell, judge, Array.IndexOf(tested, cell) is >= 0 and { } test ? corrected[test] : null))],
            alignment.LeftOut,
            tested.Length > 0 ? JudgeOverall(tested, judge) : null);
    }

    static CellComparison Conclude(CellMeasurement cell, Judge judge, double? corrected)
    {
        double ratio = Math.Exp(cell.LogRatio);
        Interval interval = RatioBootstrap.Percentiles([.. cell.Resampled], ComparisonSettings.Confidence);
        (Verdict verdict, string? reason) = judge.OfCell(cell.A.GoodputBitsPerSecond.Count, cell.B.GoodputBitsPerSecond.Count, ratio, interval, corrected);
        Judgement judgement = new(ratio, interval, cell.Test.PValue(), corrected, cell.Test.CliffsDelta, verdict, reason);
        return new CellComparison(cell.A, cell.B, cell.MedianA, cell.MedianB, cell.Shift, judgement);
    }

    // Every cell has the same weight, however fast it is: the ratio is the geometric mean, and one resample of the whole is one resample of each cell.
    static Judgement JudgeOverall(CellMeasurement[] cells, Judge judge)
    {
        MannWhitney test = cells.Skip(1).Aggregate(cells[0].Test, (sum, cell) => sum.Plus(cell.Test));
        double[] resampled = new double[cells[0].Resampled.Length];
        for (int i = 0; i < resampled.Length; i++)
        {
            resampled[i] = cells.Average(cell => cell.Resampled[i]);
        }

        double ratio = Math.Exp(cells.Average(cell => cell.LogRatio));
        Interval interval = RatioBootstrap.Percentiles(resampled, ComparisonSettings.Confidence);
        double p = test.PValue();
        (Verdict verdict, string? reason) = judge.Of(ratio, interval, p);
        return new Judgement(ratio, interval, p, p, test.CliffsDelta, verdict, reason);
    }
}

/// <summary>What is computed from each cell alone, before any is judged.</summary>
sealed class CellMeasurement
{
    /// <summary>Measures a cell.</summary>
    /// <param name="a">Runs of A; at least one counts.</param>
    /// <param name="b">Runs of B; at least one counts.</param>
    /// <param name="settings">How to compare.</param>
    /// <param name="index">The cell's number, which selects its random stream.</param>
    public CellMeasurement(RunCell a, RunCell b, ComparisonSettings settings, int index)
    {
        A = a;
        B = b;

        // The order of the runs says nothing: sorted, the same runs give the same interval.
        double[] one = [.. a.GoodputBitsPerSecond];
        double[] other = [.. b.GoodputBitsPerSecond];
        Array.Sort(one);
        Array.Sort(other);
        MedianA = Medians.Of(one);
        MedianB = Medians.Of(other);
        Shift = HodgesLehmann.Shift(one, other);
        Test = MannWhitney.Of(one, other);
        IsTested = Math.Min(one.Length, other.Length) >= ComparisonSettings.MinRuns;

        // The generator spreads neighbouring seeds.
        Resampled = RatioBootstrap.LogRatios(one, other, settings.Seed + (ulong)index, settings.Resamples);
    }

    /// <summary>Runs of A.</summary>
    public RunCell A { get; }

    /// <summary>Runs of B.</summary>
    public RunCell B { get; }

    /// <summary>Median goodput of A, bit/s.</summary>
    public double MedianA { get; }

    /// <summary>Median goodput of B, bit/s.</summary>
    public double MedianB { get; }

    /// <summary>Hodges–Lehmann shift, bit/s.</summary>
    public double Shift { get; }

    /// <summary>The test of one side against the other.</summary>
    public MannWhitney Test { get; }

    /// <summary>Whether there are enough runs to judge.</summary>
    public bool IsTested { get; }

    /// <summary>Resampled ratios as logarithms, in the order drawn.</summary>
    public double[] Resampled { get; }

    /// <summary>Logarithm of B / A.</summary>
    public double LogRatio => RatioBootstrap.LogRatio(MedianA, MedianB);
}
