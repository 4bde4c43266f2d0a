using System;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>What is computed of a cell by itself, before any is judged.</summary>
sealed class CellMeasurement
{
    /// <summary>Measures a cell.</summary>
    /// <param name="a">Runs of A; at least one counts.</param>
    /// <param name="b">Runs of B; at least one counts.</param>
    /// <param name="settings">How to compare.</param>
    /// <param name="index">The cell's number; it gets a random stream of its own.</param>
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
        IsTested = Math.Min(one.Length, other.Length) >= ComparisonSettings.LeastRuns;

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
