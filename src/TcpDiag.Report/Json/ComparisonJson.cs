using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Report.Json;

/// <summary>Writes the JSON document of a comparison.</summary>
public static class ComparisonJson
{
    /// <summary>Writes the document.</summary>
    public static void Write(TextWriter output, Comparison comparison) =>
        output.WriteLine(JsonSerializer.Serialize(ToDocument(comparison), ComparisonJsonContext.Default.ComparisonDocument));

    /// <summary>The name of a verdict, also in text.</summary>
    public static string Name(Verdict verdict) => verdict switch
    {
        Verdict.Improved => "improved",
        Verdict.Regressed => "regressed",
        Verdict.Equal => "equal",
        _ => "not-enough-evidence",
    };

    static ComparisonDocument ToDocument(Comparison comparison) => new(
        "tcpdiag/comparison/1",
        "goodput",
        Entry(comparison.Sets.A),
        Entry(comparison.Sets.B),
        comparison.Settings.Margin,
        ComparisonSettings.Confidence,
        ComparisonSettings.Level,
        comparison.Settings.Resamples,
        comparison.Settings.Seed,
        comparison.HasRegression,
        comparison.Overall is { } overall ? Entry(overall) : null,
        [.. comparison.Cells.Select(Entry)],
        [.. comparison.LeftOut.Select(Entry)]);

    static ComparedSetEntry Entry(RunSet set) => new(set.Path, set.Side, Entries(set.Settings), set.Kernel, set.IsComplete, set.Runs, set.VoidRuns);

    static ComparedCellEntry Entry(CellComparison cell) =>
        new(Entries(cell.A.Conditions), Entry(cell.A, cell.MedianA), Entry(cell.B, cell.MedianB), cell.Shift, Entry(cell.Judgement));

    static ComparedRunsEntry Entry(RunCell cell, double median) =>
        new(cell.Name, cell.GoodputBitsPerSecond.Count, cell.VoidRuns, median, cell.GoodputBitsPerSecond);

    static LeftOutEntry Entry(LeftOutCell left) =>
        new(left.IsOfA ? "a" : "b", left.Cell.Name, Entries(left.Cell.Conditions), left.Cell.GoodputBitsPerSecond.Count, left.Cell.VoidRuns, left.Reason);

    static JudgementEntry Entry(Judgement judgement) => new(
        Finite(judgement.Ratio),
        Finite(judgement.Interval.Low),
        Finite(judgement.Interval.High),
        judgement.PValue,
        judgement.CorrectedPValue,
        judgement.CliffsDelta,
        Name(judgement.Verdict),
        judgement.Reason);

    static IReadOnlyList<SettingEntry> Entries(IReadOnlyList<Setting> settings) =>
        [.. settings.Select(setting => new SettingEntry(setting.Name, setting.Value))];

    static double? Finite(double value) => double.IsFinite(value) ? value : null;
}

/// <summary>The document of <c>tcpdiag compare --json</c>, schema tcpdiag/comparison/1 (docs/schemas). Unknown values are null.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Metric">What is compared; always <c>goodput</c>.</param>
/// <param name="A">The one before.</param>
/// <param name="B">The one after.</param>
/// <param name="Margin">The part that does not matter: ratios from 1 / (1 + margin) to 1 + margin are equal.</param>
/// <param name="Confidence">Of the intervals.</param>
/// <param name="Level">Of the tests.</param>
/// <param name="Resamples">Draws behind an interval.</param>
/// <param name="Seed">Seed of the draws.</param>
/// <param name="HasRegression">Whether a cell, or all cells as one, regressed.</param>
/// <param name="Overall">All cells with enough runs as one; null where there is none.</param>
/// <param name="Cells">What A and B have in common.</param>
/// <param name="LeftOut">What they do not.</param>
public sealed record ComparisonDocument(
    string Schema,
    string Metric,
    ComparedSetEntry A,
    ComparedSetEntry B,
    double Margin,
    double Confidence,
    double Level,
    int Resamples,
    ulong Seed,
    bool HasRegression,
    JudgementEntry? Overall,
    IReadOnlyList<ComparedCellEntry> Cells,
    IReadOnlyList<LeftOutEntry> LeftOut);

/// <summary>One of the two sets that are compared.</summary>
/// <param name="Path">As the user named it.</param>
/// <param name="Side">Its side of the experiment; null where sides are compared by name.</param>
/// <param name="Settings">What sets the side apart.</param>
/// <param name="Kernel">Release of the kernel.</param>
/// <param name="Complete">Whether the experiment was run to its end.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="VoidRuns">Runs that do not.</param>
public sealed record ComparedSetEntry(string Path, string? Side, IReadOnlyList<SettingEntry> Settings, string Kernel, bool Complete, int Runs, int VoidRuns);

/// <summary>The runs of A and B under the same conditions.</summary>
/// <param name="Conditions">The conditions.</param>
/// <param name="A">A's runs.</param>
/// <param name="B">B's runs.</param>
/// <param name="ShiftBitsPerSecond">By how much B is faster (Hodges–Lehmann).</param>
/// <param name="Judgement">What follows.</param>
public sealed record ComparedCellEntry(
    IReadOnlyList<SettingEntry> Conditions,
    ComparedRunsEntry A,
    ComparedRunsEntry B,
    double ShiftBitsPerSecond,
    JudgementEntry Judgement);

/// <summary>One side's runs of a cell.</summary>
/// <param name="Cell">What the result directory calls it.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="VoidRuns">Runs that do not.</param>
/// <param name="MedianBitsPerSecond">Median goodput.</param>
/// <param name="GoodputBitsPerSecond">Goodput of each run that counts.</param>
public sealed record ComparedRunsEntry(string Cell, int Runs, int VoidRuns, double MedianBitsPerSecond, IReadOnlyList<double> GoodputBitsPerSecond);

/// <summary>How B stands to A.</summary>
/// <param name="Ratio">B / A; null where it is infinite or not defined.</param>
/// <param name="RatioLow">Lower end of its interval.</param>
/// <param name="RatioHigh">Upper end; null where it is infinite.</param>
/// <param name="PValue">Mann–Whitney, two-sided.</param>
/// <param name="CorrectedPValue">After Holm's correction over the cells; null for a cell that has too few runs to be tested.</param>
/// <param name="CliffsDelta">−1 … 1.</param>
/// <param name="Verdict"><c>improved</c>, <c>regressed</c>, <c>equal</c>, <c>not-enough-evidence</c>.</param>
/// <param name="Reason">Why there is not enough evidence; null with any other verdict.</param>
public sealed record JudgementEntry(
    double? Ratio,
    double? RatioLow,
    double? RatioHigh,
    double PValue,
    double? CorrectedPValue,
    double CliffsDelta,
    string Verdict,
    string? Reason);

/// <summary>A cell that was not compared.</summary>
/// <param name="Set"><c>a</c> or <c>b</c>.</param>
/// <param name="Cell">What the result directory calls it.</param>
/// <param name="Conditions">Its conditions.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="VoidRuns">Runs that do not.</param>
/// <param name="Reason">Why it was left out.</param>
public sealed record LeftOutEntry(string Set, string Cell, IReadOnlyList<SettingEntry> Conditions, int Runs, int VoidRuns, string Reason);

/// <summary>A setting of an experiment.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value as it was written.</param>
public sealed record SettingEntry(string Name, string Value);

/// <summary>Serialises <see cref="ComparisonDocument"/> without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ComparisonDocument))]
sealed partial class ComparisonJsonContext : JsonSerializerContext;
