using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>What is computed of one metric from each cell alone, before any is judged.</summary>
sealed class CellMeasurement
{
    /// <summary>Measures a cell.</summary>
    /// <param name="cell">Its runs.</param>
    /// <param name="metric">The metric.</param>
    public CellMeasurement(AlignedCell cell, Metric metric)
    {
        Cell = cell;
        Metric = metric;
        if (cell.Pairs.Count > 0)
        {
            MeasurePairs();
        }
        else
        {
            MeasureSamples();
        }
    }

    /// <summary>The runs.</summary>
    public AlignedCell Cell { get; }

    /// <summary>The metric.</summary>
    public Metric Metric { get; }

    /// <summary>The pairs that were compared; empty without pairs.</summary>
    public IReadOnlyList<RunPair> Pairs { get; private set; } = [];

    /// <summary>Whether runs are compared in pairs.</summary>
    public bool IsPaired => Cell.Pairs.Count > 0;

    /// <summary>Runs of A that were compared.</summary>
    public int RunsOfA { get; private set; }

    /// <summary>Runs of B that were compared.</summary>
    public int RunsOfB { get; private set; }

    /// <summary>Runs, or pairs, left out because neither side's figure is known.</summary>
    public int Unknown { get; private set; }

    /// <summary>Whether there are enough runs to judge.</summary>
    public bool IsTested => !IsBlind && Math.Min(RunsOfA, RunsOfB) >= ComparisonSettings.MinRuns;

    /// <summary>
    /// Whether one side never reports what the other does: a receiver without DSACKs looks like a sender that resends nothing needlessly.
    /// </summary>
    public bool IsBlind => Metric == Metric.Needless && ReportsNone(Cell.A) != ReportsNone(Cell.B);

    /// <summary>Whether no run differs from any other: equal without a test.</summary>
    public bool IsConstant { get; private set; }

    /// <summary>Logarithm of B / A, with its interval; 0 where nothing was compared.</summary>
    public Estimate LogRatio { get; private set; }

    /// <summary>Degrees of freedom behind it.</summary>
    public int Freedom => IsPaired ? RunsOfA - 1 : RunsOfA + RunsOfB - 2;

    /// <summary>Share in which B is higher.</summary>
    public double HigherShare { get; private set; } = 0.5;

    /// <summary>Of the test.</summary>
    public double PValue { get; private set; } = 1;

    /// <summary>The smallest that so many runs can give.</summary>
    public double MinPValue { get; private set; } = 1;

    /// <summary>Doubled signed ranks of the pairs.</summary>
    public long[] SignedRanks { get; private set; } = [];

    /// <summary>The test without pairs; null with pairs.</summary>
    public MannWhitney? Test { get; private set; }

    /// <summary>Standard deviation of the pairs' log-ratios, or of a side's logarithms, from the middle half of them.</summary>
    public double Spread { get; private set; }

    static bool ReportsNone(RunCell cell) => cell.Runs.All(run => run.Figures.GetValueOrDefault(Metric.Needless) == 0);

    // Two runs without a figure say nothing about each other.
    void MeasurePairs()
    {
        List<RunPair> pairs = [];
        List<double> differences = [];
        foreach (RunPair pair in Cell.Pairs)
        {
            if (pair.A.ScoreOf(Metric) is { } a && pair.B.ScoreOf(Metric) is { } b)
            {
                if (a.IsMeasured || b.IsMeasured)
                {
                    pairs.Add(pair);
                    differences.Add(b.Log - a.Log);
                }
                else
                {
                    Unknown++;
                }
            }
        }

        Pairs = pairs;
        RunsOfA = RunsOfB = pairs.Count;
        if (pairs.Count > 0)
        {
            double[] all = [.. differences];
            LogRatio = RankIntervals.OfPairs(all);
            SignedRanks = SignFlips.SignedRanks(all);
            PValue = SignFlips.PValue(SignedRanks);
            MinPValue = SignFlips.MinPValue(pairs.Count);
            HigherShare = (all.Count(difference => difference > 0) + (all.Count(difference => difference == 0) / 2.0)) / all.Length;
            IsConstant = Array.TrueForAll(all, difference => difference == 0);
            Spread = SpreadOf(all);
        }
    }

    void MeasureSamples()
    {
        Score[] a = [.. Cell.A.Runs.Select(run => run.ScoreOf(Metric)).OfType<Score>()];
        Score[] b = [.. Cell.B.Runs.Select(run => run.ScoreOf(Metric)).OfType<Score>()];
        if (!a.Concat(b).Any(score => score.IsMeasured))
        {
            Unknown = a.Length + b.Length;
            return;
        }

        double[] one = [.. a.Select(score => score.Log)];
        double[] other = [.. b.Select(score => score.Log)];
        RunsOfA = one.Length;
        RunsOfB = other.Length;
        if (Math.Min(one.Length, other.Length) > 0)
        {
            LogRatio = RankIntervals.OfSamples(one, other);
            Test = MannWhitney.Of(one, other);
            PValue = Test.PValue();
            MinPValue = MannWhitney.MinPValue(one.Length, other.Length);
            HigherShare = Test.U / Test.Pairs;
            IsConstant = Array.TrueForAll([.. one, .. other], log => log == one[0]);
            Spread = Math.Max(SpreadOf(one), SpreadOf(other));
        }
    }

    // The middle half of a normal distribution is 1.349 standard deviations wide; few outliers do not move it.
    static double SpreadOf(double[] values)
    {
        const double middleHalf = 1.349;
        double[] sorted = [.. values.Order()];
        return (sorted[sorted.Length * 3 / 4 is var high && high < sorted.Length ? high : ^1] - sorted[sorted.Length / 4]) / middleHalf;
    }
}
