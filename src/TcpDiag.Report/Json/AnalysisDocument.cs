using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>
/// The document of <c>tcpdiag analyze --json</c>, schema tcpdiag/analysis/1 (docs/schemas), without its connections and findings: there may be hundreds of
/// thousands, and <see cref="AnalysisJson"/> writes each as soon as it is made. Unknown values are null.
/// </summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="File">The trace as the user named it; of several, the first.</param>
/// <param name="Files">All traces, read as one.</param>
/// <param name="Packets">Packets of any kind, each capture point counted.</param>
/// <param name="TcpPackets">TCP packets of the connections, each once.</param>
/// <param name="RepeatedPackets">Packets left out because another capture point shows the same packet.</param>
/// <param name="Drops">Packets reported as dropped, by reason and place, the most frequent first.</param>
/// <param name="StackEvents">Events of the TCP stack.</param>
/// <param name="DurationSeconds">From the first record to the last; null without records.</param>
/// <param name="StartUtc">Instant of the first record, ISO 8601; null without records.</param>
/// <param name="Complete">Whether the trace could be read without damage.</param>
/// <param name="Machine">The machine that recorded it; null without a snapshot.</param>
public sealed record AnalysisDocument(
    string Schema,
    string File,
    IReadOnlyList<string> Files,
    long Packets,
    long TcpPackets,
    long RepeatedPackets,
    IReadOnlyList<DropEntry> Drops,
    long StackEvents,
    double? DurationSeconds,
    string? StartUtc,
    bool Complete,
    MachineEntry? Machine);
