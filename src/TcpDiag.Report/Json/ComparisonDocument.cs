using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace TcpDiag.Report.Json;

/// <summary>The document of <c>tcpdiag compare --json</c>, schema tcpdiag/comparison/2 (docs/schemas). Unknown values are null.</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Metric">What was asked for.</param>
/// <param name="A">The one before.</param>
/// <param name="B">The one after.</param>
/// <param name="Margin">The part that does not matter: ratios from 1 / (1 + margin) to 1 + margin are equal.</param>
/// <param name="Confidence">Of the intervals.</param>
/// <param name="Level">Of all tests together.</param>
/// <param name="HasRegression">Whether a cell, or all cells as one, regressed by the metric asked for.</param>
/// <param name="Metrics">Each metric; the first is the one asked for.</param>
/// <param name="Explanations">What goes with each difference of the first metric.</param>
/// <param name="LeftOut">What A and B do not have in common.</param>
public sealed record ComparisonDocument(
    string Schema,
    string Metric,
    ComparedSetEntry A,
    ComparedSetEntry B,
    double Margin,
    double Confidence,
    double Level,
    bool HasRegression,
    IReadOnlyList<ComparedMetricEntry> Metrics,
    IReadOnlyList<ExplanationEntry> Explanations,
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

/// <summary>One metric of all runs.</summary>
/// <param name="Metric">Its name.</param>
/// <param name="Unit"><c>bitsPerSecond</c>, <c>seconds</c>, <c>share</c>, <c>count</c>.</param>
/// <param name="Better"><c>higher</c>, <c>lower</c>, <c>neither</c>.</param>
/// <param name="Overall">All cells with enough runs as one; null where there is none.</param>
/// <param name="Cells">What A and B have in common.</param>
public sealed record ComparedMetricEntry(string Metric, string Unit, string Better, JudgementEntry? Overall, IReadOnlyList<ComparedCellEntry> Cells);

/// <summary>The runs of A and B under the same conditions.</summary>
/// <param name="Conditions">The conditions.</param>
/// <param name="A">A's runs.</param>
/// <param name="B">B's runs.</param>
/// <param name="Pairs">Pairs that were compared; 0 without pairs.</param>
/// <param name="Judgement">What follows.</param>
public sealed record ComparedCellEntry(
    IReadOnlyList<SettingEntry> Conditions,
    ComparedRunsEntry A,
    ComparedRunsEntry B,
    int Pairs,
    JudgementEntry Judgement);

/// <summary>One side's runs of a cell.</summary>
/// <param name="Cell">What the result directory calls it.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="VoidRuns">Runs that do not.</param>
/// <param name="CensoredRuns">Runs that count, but were cut short or reset.</param>
/// <param name="Median">Median of the metric, in its unit.</param>
/// <param name="Figures">Each run that counts.</param>
public sealed record ComparedRunsEntry(
    string Cell,
    int Runs,
    int VoidRuns,
    int CensoredRuns,
    double? Median,
    IReadOnlyList<ComparedRunEntry> Figures);

/// <summary>One run.</summary>
/// <param name="Iteration">Which repetition.</param>
/// <param name="Seed">Seed of its path.</param>
/// <param name="Folder">Its folder.</param>
/// <param name="End"><c>complete</c>, <c>cut-short</c>, <c>reset</c>.</param>
/// <param name="Figure">The metric, in its unit.</param>
public sealed record ComparedRunEntry(int? Iteration, ulong? Seed, string? Folder, string End, double? Figure);

/// <summary>How B stands to A.</summary>
/// <param name="Ratio">B / A; null where it is infinite.</param>
/// <param name="RatioLow">Lower end of its interval.</param>
/// <param name="RatioHigh">Upper end; null where it is infinite.</param>
/// <param name="PValue">Signed-rank test of pairs, else Mann–Whitney; two-sided.</param>
/// <param name="CorrectedPValue">After Holm's correction over the report; null where it was not tested.</param>
/// <param name="HigherShare">Share of pairs in which B is higher, 0 … 1.</param>
/// <param name="Verdict"><c>improved</c>, <c>regressed</c>, <c>more</c>, <c>less</c>, <c>equal</c>, <c>not-enough-evidence</c>.</param>
/// <param name="Reason">Why there is not enough evidence; null with any other verdict.</param>
public sealed record JudgementEntry(
    double? Ratio,
    double? RatioLow,
    double? RatioHigh,
    double PValue,
    double? CorrectedPValue,
    double HigherShare,
    string Verdict,
    string? Reason);

/// <summary>What goes with a difference.</summary>
/// <param name="Cell">Index of the cell in the first metric.</param>
/// <param name="CompletionTime">How the time a run took has changed.</param>
/// <param name="Limits">What took that time, the greatest change first.</param>
/// <param name="Moved">Other metrics with a verdict of their own.</param>
/// <param name="FolderA">The run of A to open.</param>
/// <param name="FolderB">The run of B to open.</param>
public sealed record ExplanationEntry(
    int Cell,
    TimeShiftEntry? CompletionTime,
    IReadOnlyList<TimeShiftEntry> Limits,
    IReadOnlyList<MovedMetricEntry> Moved,
    string? FolderA,
    string? FolderB);

/// <summary>How much more time B spent on something.</summary>
/// <param name="Metric">On what.</param>
/// <param name="MedianA">Of A's runs, seconds.</param>
/// <param name="MedianB">Of B's runs, seconds.</param>
/// <param name="Seconds">B − A (Hodges–Lehmann).</param>
public sealed record TimeShiftEntry(string Metric, double MedianA, double MedianB, double Seconds);

/// <summary>A metric that moved too.</summary>
/// <param name="Metric">Which.</param>
/// <param name="IsOfCell">Whether the cell alone shows it; else it is certain over all cells only.</param>
public sealed record MovedMetricEntry(string Metric, bool IsOfCell);

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
