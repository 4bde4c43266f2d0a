using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Report;

/// <summary>
/// The text form of a comparison: what was compared, one line for each cell, one more where B differs or the evidence is not enough, then the verdict
/// over all cells. 80 columns; conditions that take more get a line of their own.
/// </summary>
public static class ComparisonReport
{
    const int LabelWidth = 24;
    const string Columns = "      A       B     n    B/A  95 % interval  verdict";
    const string NotEnough = "not enough evidence";

    // The column is narrow; the line below gives the reason.
    const string NotEnoughInTable = "not enough";

    /// <summary>Writes the report.</summary>
    public static void Write(IAnsiConsole console, Comparison comparison)
    {
        WriteSet(console, "A", comparison.Sets.A);
        WriteSet(console, "B", comparison.Sets.B);
        ConditionLabels labels = new(comparison);
        if (labels.Common.Length > 0)
        {
            Wrap(console, "in common: ", labels.Common);
        }

        if (comparison.Cells.Count > 0)
        {
            Line(console, string.Empty);
            Line(console, "goodput, bit/s".PadRight(LabelWidth) + Columns);
            foreach (CellComparison cell in comparison.Cells)
            {
                WriteCell(console, labels.Of(cell.A), cell);
            }
        }

        WriteLeftOut(console, comparison, labels);
        WriteConclusion(console, comparison);
    }

    static void WriteSet(IAnsiConsole console, string name, RunSet set)
    {
        string side = set.Side is null ? "sides by name" : $"{set.Side} ({string.Join(", ", set.Settings.Select(ConditionLabels.Text))})";
        Wrap(console, $"{name}  ", $"{set.Path}: {side}, Linux {set.Kernel}, {Quantity.Count(set.Runs, "run")}{Void(set.VoidRuns)}");
        if (!set.IsComplete)
        {
            Line(console, "   the experiment was not finished");
        }
    }

    static void WriteCell(IAnsiConsole console, string label, CellComparison cell)
    {
        if (label.Length > LabelWidth)
        {
            Wrap(console, string.Empty, label);
            label = string.Empty;
        }

        Judgement judgement = cell.Judgement;
        string n = Invariant($"{cell.A.GoodputBitsPerSecond.Count}/{cell.B.GoodputBitsPerSecond.Count}");
        string rates = Invariant($" {Quantity.Rate(cell.MedianA),6}  {Quantity.Rate(cell.MedianB),6} {n,5}");
        string verdict = judgement.Verdict == Verdict.NotEnoughEvidence ? NotEnoughInTable : Name(judgement.Verdict);
        string name = SafeText.OneLine(label).PadRight(LabelWidth);
        Line(console, $"{name}{rates} {Ratio(judgement.Ratio),6}  {Text(judgement.Interval),-13}  {verdict}");
        if (judgement.Verdict == Verdict.NotEnoughEvidence)
        {
            Wrap(console, "    ", $"{NotEnough}: {judgement.Reason}{VoidRuns(cell)}");
        }
        else if (judgement.Verdict != Verdict.Equal)
        {
            string direction = cell.Shift < 0 ? "slower" : "faster";
            string shift = $"{direction} by {Quantity.Rate(Math.Abs(cell.Shift))}bit/s";
            double p = judgement.CorrectedPValue ?? judgement.PValue;
            Line(console, Invariant($"    {shift}, Cliff's delta {judgement.CliffsDelta:0.00}, p {PValue(p)}"));
        }
    }

    static void WriteLeftOut(IAnsiConsole console, Comparison comparison, ConditionLabels labels)
    {
        if (comparison.LeftOut.Count == 0)
        {
            return;
        }

        Line(console, string.Empty);
        Line(console, "Left out:");
        foreach (IGrouping<(bool IsOfA, string Reason), LeftOutCell> group in comparison.LeftOut.GroupBy(left => (left.IsOfA, left.Reason)))
        {
            RunCell[] cells = [.. group.Select(left => left.Cell)];
            string what = cells is [RunCell only] ? labels.Of(only) : Invariant($"{cells.Length} cells");
            string runs = Quantity.Count(cells.Sum(cell => cell.GoodputBitsPerSecond.Count), "run");
            Wrap(console, group.Key.IsOfA ? "  A  " : "  B  ", $"{what}, {runs}{Void(cells.Sum(cell => cell.VoidRuns))}: {group.Key.Reason}");
        }
    }

    static void WriteConclusion(IAnsiConsole console, Comparison comparison)
    {
        Line(console, string.Empty);
        if (comparison.Overall is not { } overall)
        {
            Wrap(console, string.Empty, comparison.Cells.Count == 0
                ? "Nothing to compare: A and B have no cell in common."
                : Invariant($"Overall: {NotEnough}. A verdict takes {ComparisonSettings.MinRuns} runs of each side in a cell."));
            return;
        }

        string ratio = $"B/A {Ratio(overall.Ratio)} ({Text(overall.Interval)})";
        string numbers = Invariant($"{ratio}, Cliff's delta {overall.CliffsDelta:0.00}, p {PValue(overall.PValue)}");
        int judged = comparison.Cells.Count(cell => cell.Judgement.CorrectedPValue is not null);
        string reason = overall.Reason is null ? string.Empty : $": {overall.Reason}";
        Wrap(console, string.Empty, $"Overall, {Quantity.Count(judged, "cell")}: {Name(overall.Verdict)}{reason}. {numbers}.");
        string verdicts = string.Join(", ", comparison.Cells
            .GroupBy(cell => cell.Judgement.Verdict)
            .OrderBy(group => group.Key)
            .Select(group => Invariant($"{group.Count()} {Name(group.Key)}")));
        string cells = Quantity.Count(comparison.Cells.Count, "cell");
        Wrap(console, string.Empty, Invariant($"{cells}: {verdicts}. Margin {comparison.Settings.Margin * 100:0.##} %, seed {comparison.Settings.Seed}."));
    }

    // Void runs are mentioned only where they are what a verdict lacks.
    static string VoidRuns(CellComparison cell) => cell.A.VoidRuns + cell.B.VoidRuns == 0 || cell.Judgement.CorrectedPValue is not null
        ? string.Empty
        : Invariant($" ({cell.A.VoidRuns} of A and {cell.B.VoidRuns} of B are void)");

    static string Void(int runs) => runs == 0 ? string.Empty : Invariant($", {runs} void");

    static string Name(Verdict verdict) => verdict == Verdict.NotEnoughEvidence ? NotEnough : Json.ComparisonJson.Name(verdict);

    static string Text(Interval interval) => $"{Ratio(interval.Low)} to {Ratio(interval.High)}";

    static string Ratio(double ratio) => ratio switch
    {
        double.NaN => "-",
        double.PositiveInfinity => "inf",
        < 9.995 => ratio.ToString("0.00", CultureInfo.InvariantCulture),
        < 9995 => ratio.ToString("0.#", CultureInfo.InvariantCulture),
        _ => ratio.ToString("0e0", CultureInfo.InvariantCulture),
    };

    static string PValue(double p) => p < 0.0001 ? "below 0.0001" : p.ToString("0.0000", CultureInfo.InvariantCulture);

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);

    // Names and values come from files: made safe, then broken between words.
    static void Wrap(IAnsiConsole console, string start, string text)
    {
        const int width = 80;
        string line = start;
        bool isEmpty = true;
        foreach (string word in SafeText.OneLine(text).Split(' '))
        {
            if (!isEmpty && line.Length + 1 + word.Length > width)
            {
                Line(console, line);
                line = new string(' ', start.Length);
                isEmpty = true;
            }

            line += isEmpty ? word : $" {word}";
            isEmpty = false;
        }

        Line(console, line);
    }

    static void Line(IAnsiConsole console, string text) => console.Write(new Text(text + "\n"));
}

/// <summary>Names cells by the conditions in which they differ; what all compared cells share is listed once.</summary>
sealed class ConditionLabels
{
    // An experiment at full length needs no mention.
    static readonly Setting FullLength = new("scale", "1");

    // Needs no mention with a cell.
    readonly HashSet<Setting> _common;

    /// <summary>Finds what the compared cells have in common.</summary>
    public ConditionLabels(Comparison comparison)
    {
        _common = comparison.Cells.Count == 0 ? [] : [.. comparison.Cells[0].A.Conditions];
        foreach (CellComparison cell in comparison.Cells)
        {
            _common.IntersectWith(cell.A.Conditions);
        }

        Common = string.Join(", ", _common.Where(setting => setting != FullLength).Select(Text));
        _common.Add(FullLength);
    }

    /// <summary>What all compared cells have in common; may be empty.</summary>
    public string Common { get; }

    /// <summary>A setting in words.</summary>
    /// <returns>E.g. <c>rtt 25ms</c>.</returns>
    public static string Text(Setting setting) => $"{setting.Name} {setting.Value}";

    /// <summary>What sets a cell apart.</summary>
    /// <returns>Its conditions; its name where it has none of its own.</returns>
    public string Of(RunCell cell)
    {
        string own = string.Join(", ", cell.Conditions.Where(setting => !_common.Contains(setting)).Select(Text));
        return own.Length > 0 ? own : cell.Name;
    }
}
