using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>Something found.</summary>
/// <param name="Id">Stable name, docs/findings.</param>
/// <param name="Connection">Index of the connection concerned.</param>
/// <param name="From">Who sends the data concerned, client or server; null when it concerns the connection as a whole.</param>
/// <param name="Severity">note, warning or critical.</param>
/// <param name="SecondsLost">Seconds a user waited for it.</param>
/// <param name="Confidence">0 … 1.</param>
/// <param name="Title">One plain sentence.</param>
/// <param name="Cause">The likely cause.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Advice">What to do, a step each.</param>
public sealed record FindingEntry(
    string Id,
    int? Connection,
    string? From,
    string Severity,
    double? SecondsLost,
    double Confidence,
    string Title,
    string Cause,
    FindingEvidenceEntry Evidence,
    IReadOnlyList<string> Advice);
