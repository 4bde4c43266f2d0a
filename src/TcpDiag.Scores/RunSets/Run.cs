using System;
using System.Collections.Generic;

namespace TcpDiag.Scores.RunSets;

/// <summary>One run that counts.</summary>
/// <param name="Iteration">Which repetition of its cell; null where the result does not say.</param>
/// <param name="Seed">Seed of its path; null where the result does not say. Runs of one seed meet the same losses and delays.</param>
/// <param name="Folder">Its folder, or its file where it was recorded, to be opened from where the command runs; null where the result does not say.</param>
/// <param name="End">How its flow ended.</param>
/// <param name="Figures">What was measured.</param>
public sealed record Run(int? Iteration, ulong? Seed, string? Folder, RunEnd End, IReadOnlyDictionary<Metric, double> Figures)
{
    // e¹⁰⁰⁰ is beyond every ratio of figures that were measured.
    const double Beyond = 1000;

    /// <summary>Whether both are a run of the same repetition over the same path.</summary>
    /// <param name="other">A run of the other side.</param>
    /// <returns>False too where a result does not say.</returns>
    public bool IsPairOf(Run other) => Seed is not null && Seed == other.Seed && Iteration == other.Iteration;

    /// <summary>The logarithm by which a run is ranked and drawn: that of its figure, moved by 1000 for each step by which it fell short of its end.</summary>
    /// <param name="metric">The metric.</param>
    /// <returns>The logarithm; null where the run has no such figure.</returns>
    public double? LogOf(Metric metric) => ScoreOf(metric)?.Log;

    /// <summary>
    /// The logarithm by which a run is ranked and compared. A run that did not come to its end is censored: it lies beyond all that did, on the worse side,
    /// and one that was reset beyond those that were cut short.
    /// </summary>
    /// <param name="metric">The metric.</param>
    /// <returns>The score; null where the run has no such figure.</returns>
    internal Score? ScoreOf(Metric metric)
    {
        bool isWithout = !Figures.TryGetValue(metric, out double figure);
        if (metric.Better == Better.Neither || (isWithout && End == RunEnd.Complete))
        {
            return isWithout ? null : new Score(Math.Log(figure + metric.Start), IsMeasured: true);
        }

        int level = End == RunEnd.Reset || (figure + metric.Start == 0 && !isWithout) ? 2 : End == RunEnd.CutShort ? 1 : 0;
        bool isMeasured = !isWithout && (level == 0 || (level == 1 && metric != Metric.CompletionTime));
        double worse = metric.Better == Better.Higher ? -Beyond : Beyond;
        return new Score((isMeasured ? Math.Log(figure + metric.Start) : 0) + (level * worse), isMeasured);
    }
}

/// <summary>How the flow of a run ended: the worse of what both programs saw.</summary>
public enum RunEnd
{
    /// <summary>Everything arrived.</summary>
    Complete,

    /// <summary>The time limit or the other end cut it short: what was measured until then is known, how it would have ended is not.</summary>
    CutShort,

    /// <summary>It was reset.</summary>
    Reset,
}

/// <summary>A figure of a run, as it is compared.</summary>
/// <param name="Log">Natural logarithm of the figure, moved beyond all measured ones where the run was censored.</param>
/// <param name="IsMeasured">Whether there is a figure behind it; two scores without one say nothing about each other.</param>
readonly record struct Score(double Log, bool IsMeasured);
