using System.Collections.Generic;

namespace TcpDiag.Report.Json;

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
