using System;
using System.Globalization;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// The rule behind a verdict. *Equal* needs the whole interval within the margin. *Improved* and *regressed* need three things at once: a ratio beyond
/// the margin, an interval that leaves 1 out, and a p-value below the level after correction. Everything else is not enough evidence, and says what was
/// missing. Exchanging A and B exchanges improved and regressed.
/// </summary>
/// <param name="margin">What does not matter: ratios from 1 / (1 + margin) to 1 + margin.</param>
/// <param name="tests">How many questions the report answers.</param>
sealed class Judge(double margin, int tests)
{
    // What RunsFor looks for, and how surely.
    const double WorthSeeing = 0.1;

    readonly double _high = 1 + margin;
    readonly double _low = 1 / (1 + margin);

    /// <summary>Judges a metric of a cell.</summary>
    /// <param name="cell">What was measured.</param>
    /// <param name="corrected">Corrected p-value; null where it was not tested.</param>
    /// <param name="budget">The part of the level that this question has for certain.</param>
    /// <returns>The verdict with its figures.</returns>
    public Judgement OfCell(CellMeasurement cell, double? corrected, double budget)
    {
        if (!cell.IsTested)
        {
            return Conclude(cell.Metric, cell.LogRatio, cell.PValue, null, cell.HigherShare, FewRuns(cell));
        }

        Judgement judgement = Conclude(cell.Metric, cell.LogRatio, cell.PValue, corrected, cell.HigherShare, null);
        if (judgement.Verdict != Verdict.NotEnoughEvidence)
        {
            return judgement;
        }

        bool isHopeless = corrected >= ComparisonSettings.Level && cell.MinPValue >= budget;
        return judgement with { Reason = isHopeless ? Hopeless(cell, budget) : $"{judgement.Reason}{MoreRuns(cell)}" };
    }

    /// <summary>Judges a metric over all cells.</summary>
    /// <param name="metric">The metric.</param>
    /// <param name="overall">What was measured.</param>
    /// <param name="corrected">Corrected p-value; null where it was not tested.</param>
    /// <returns>The verdict with its figures.</returns>
    public Judgement OfAll(Metric metric, Overall overall, double? corrected) => Conclude(
        metric,
        overall.LogRatio,
        overall.PValue,
        corrected,
        overall.HigherShare,
        overall.IsEntangled ? "sides share seeds, so that without pairs they do not count as independent: name one with --side" : null);

    Judgement Conclude(Metric metric, Estimate logRatio, double p, double? corrected, double higher, string? obstacle)
    {
        double ratio = Math.Exp(logRatio.Value);
        Interval interval = new(Math.Exp(logRatio.Bounds.Low), Math.Exp(logRatio.Bounds.High));
        (Verdict verdict, string? reason) = obstacle is null ? Of(metric, ratio, interval, corrected ?? 1) : (Verdict.NotEnoughEvidence, obstacle);
        return new Judgement(ratio, interval, p, corrected, higher, verdict, reason);
    }

    (Verdict Verdict, string? Reason) Of(Metric metric, double ratio, Interval interval, double p)
    {
        if (interval.Low >= _low && interval.High <= _high)
        {
            return (Verdict.Equal, null);
        }

        bool isSignificant = p < ComparisonSettings.Level;
        bool isHigher = ratio > _high && interval.Low > 1;
        return isSignificant && (isHigher || (ratio < _low && interval.High < 1))
            ? (Direction(metric, isHigher), null)
            : (Verdict.NotEnoughEvidence, Missing(ratio, interval, isSignificant));
    }

    static Verdict Direction(Metric metric, bool isHigher) => (metric.Better, isHigher) switch
    {
        (Better.Neither, true) => Verdict.More,
        (Better.Neither, false) => Verdict.Less,
        (Better.Higher, true) or (Better.Lower, false) => Verdict.Improved,
        _ => Verdict.Regressed,
    };

    string Missing(double ratio, Interval interval, bool isSignificant)
    {
        if (interval is { Low: <= 1, High: >= 1 })
        {
            return "the interval holds both no change and more than the margin";
        }

        return ratio >= _low && ratio <= _high
            ? isSignificant ? "there is a difference, but it may be within the margin" : "if there is a difference, it may be within the margin"
            : Invariant($"so clear a difference may be chance among {tests} questions");
    }

    static string FewRuns(CellMeasurement cell)
    {
        if (cell.IsBlind)
        {
            return "one side reports no DSACK at all: its receiver may not send them";
        }

        string unknown = cell.Unknown > 0 ? " (runs that were reset, or had no end, on both sides say nothing)" : string.Empty;
        if (cell.IsPaired)
        {
            return Invariant($"A and B have fewer than {ComparisonSettings.MinRuns} pairs of runs that count{unknown}");
        }

        string side = cell.RunsOfA >= ComparisonSettings.MinRuns ? "B has" : cell.RunsOfB >= ComparisonSettings.MinRuns ? "A has" : "A and B have";
        return Invariant($"{side} fewer than {ComparisonSettings.MinRuns} runs that count{unknown}");
    }

    string Hopeless(CellMeasurement cell, double budget)
    {
        int runs = ComparisonSettings.MinRuns;
        while ((cell.IsPaired ? SignFlips.MinPValue(runs) : MannWhitney.MinPValue(runs, runs)) >= budget)
        {
            runs++;
        }

        string found = cell.IsPaired ? Invariant($"{cell.Pairs.Count} pairs") : Invariant($"{cell.RunsOfA} and {cell.RunsOfB} runs");
        string questions = tests == 1 ? "even one question" : Invariant($"{tests} questions at once");
        return Invariant($"{found} cannot settle {questions}: {runs}{(cell.IsPaired ? string.Empty : " of each")} would");
    }

    // Normal approximation; ranks need π/3 times the runs of means (Noether 1987). Found in 90 % of cases.
    static string MoreRuns(CellMeasurement cell)
    {
        const double certainty = NormalDistribution.Two95 + NormalDistribution.One90;
        double shift = Math.Log(1 + WorthSeeing) / cell.Spread;
        double runs = Math.Ceiling(Math.PI / 3 * (cell.IsPaired ? 1 : 2) * certainty * certainty / (shift * shift));
        if (!(runs > Math.Min(cell.RunsOfA, cell.RunsOfB) && runs < 1e6))
        {
            return string.Empty;
        }

        string way = cell.IsPaired ? Invariant($"{runs} pairs")
            : cell.Cell.A.IsRecorded || cell.Cell.B.IsRecorded ? Invariant($"{runs} of each")
            : Invariant($"{runs} runs of each side, or far fewer with the same --seed on both,");
        return Invariant($"; {way} would show a change of {WorthSeeing * 100:0} %");
    }

    static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
