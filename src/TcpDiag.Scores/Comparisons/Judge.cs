using System;
using System.Globalization;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// The rule behind a verdict. *Equal* needs the whole interval within the margin. *Improved* and *regressed* need three things at once: a ratio beyond
/// the margin, an interval that leaves 1 out, and a p-value below the level after correction. Everything else is not enough evidence, and says what was
/// missing. Exchanging A and B exchanges improved and regressed.
/// </summary>
/// <param name="margin">What does not matter: ratios from 1 / (1 + margin) to 1 + margin.</param>
/// <param name="tests">How many cells are tested.</param>
sealed class Judge(double margin, int tests)
{
    readonly double _high = 1 + margin;
    readonly double _low = 1 / (1 + margin);

    /// <summary>Judges a cell.</summary>
    /// <param name="a">Runs of A.</param>
    /// <param name="b">Runs of B.</param>
    /// <param name="ratio">B / A.</param>
    /// <param name="interval">Of the ratio.</param>
    /// <param name="p">Corrected p-value; null where the cell was not tested.</param>
    /// <returns>The verdict, and the reason where it is not enough evidence.</returns>
    public (Verdict Verdict, string? Reason) OfCell(int a, int b, double ratio, Interval interval, double? p)
    {
        if (p is not { } corrected)
        {
            string side = a >= ComparisonSettings.MinRuns ? "B has" : b >= ComparisonSettings.MinRuns ? "A has" : "A and B have";
            return (Verdict.NotEnoughEvidence, Invariant($"{side} fewer than {ComparisonSettings.MinRuns} runs that count"));
        }

        (Verdict verdict, string? reason) = Of(ratio, interval, corrected);
        bool isHopeless = corrected >= ComparisonSettings.Level && MannWhitney.MinPValue(a, b) * tests >= ComparisonSettings.Level;
        return reason is not null && isHopeless
            ? (verdict, Invariant($"{a} and {b} runs cannot settle {tests} cells at once: {RunsNeeded()} of each would"))
            : (verdict, reason);
    }

    /// <summary>Judges by the figures alone.</summary>
    /// <param name="ratio">B / A.</param>
    /// <param name="interval">Of the ratio.</param>
    /// <param name="p">p-value, corrected where several are judged.</param>
    /// <returns>The verdict, and the reason where it is not enough evidence.</returns>
    public (Verdict Verdict, string? Reason) Of(double ratio, Interval interval, double p)
    {
        if (interval.Low >= _low && interval.High <= _high)
        {
            return (Verdict.Equal, null);
        }

        bool isSignificant = p < ComparisonSettings.Level;
        if (isSignificant && ratio > _high && interval.Low > 1)
        {
            return (Verdict.Improved, null);
        }

        return isSignificant && ratio < _low && interval.High < 1
            ? (Verdict.Regressed, null)
            : (Verdict.NotEnoughEvidence, Missing(ratio, interval, isSignificant));
    }

    string Missing(double ratio, Interval interval, bool isSignificant)
    {
        if (interval is { Low: <= 1, High: >= 1 } or { Low: double.NaN })
        {
            return "the interval holds both no change and more than the margin";
        }

        return isSignificant && ratio >= _low && ratio <= _high
            ? "there is a difference, but it may be within the margin"
            : "the runs of A and B overlap too much for so few of them";
    }

    int RunsNeeded()
    {
        int runs = ComparisonSettings.MinRuns;
        while (MannWhitney.MinPValue(runs, runs) * tests >= ComparisonSettings.Level)
        {
            runs++;
        }

        return runs;
    }

    static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
