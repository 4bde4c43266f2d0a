using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>What a finding rests on.</summary>
/// <param name="FirstPacket">Number of the first packet that shows it, from 1; null when no single one does.</param>
/// <param name="FromSeconds">When it begins, from the trace's start; null when it holds throughout.</param>
/// <param name="ToSeconds">When it ends; null when it holds throughout.</param>
/// <param name="Measures">The measures.</param>
public sealed record FindingEvidenceEntry(
    long? FirstPacket,
    double? FromSeconds,
    double? ToSeconds,
    IReadOnlyList<MeasureEntry> Measures);
