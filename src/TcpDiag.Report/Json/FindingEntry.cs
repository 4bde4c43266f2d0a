using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>Something found.</summary>
/// <param name="Id">Stable name, docs/findings.</param>
/// <param name="Connection">Index of the connection concerned.</param>
/// <param name="Severity">How grave.</param>
/// <param name="SecondsLost">Seconds a user waited for it.</param>
/// <param name="Confidence">0 … 1.</param>
/// <param name="Title">One line.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Advice">What to do.</param>
public sealed record FindingEntry(
    string Id,
    int? Connection,
    string Severity,
    double? SecondsLost,
    double? Confidence,
    string Title,
    IReadOnlyDictionary<string, string> Evidence,
    IReadOnlyList<string> Advice);
