using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Turns findings into their JSON entries.</summary>
static class FindingJson
{
    const double NanosecondsPerSecond = 1e9;

    /// <summary>One finding.</summary>
    /// <param name="finding">The finding.</param>
    /// <param name="start">The trace's first record.</param>
    /// <returns>Its entry.</returns>
    public static FindingEntry ToEntry(Finding finding, TraceTime start)
    {
        FindingText text = finding.Text();
        return new(
            finding.Id,
            finding.Connection?.Index,
            finding.IsFromClient is { } isFromClient ? (isFromClient ? "client" : "server") : null,
            Name(finding.Severity),
            finding.SecondsLost,
            finding.Confidence,
            text.Title,
            text.Cause,
            ToEntry(text.Evidence, start),
            text.Advice);
    }

    static FindingEvidenceEntry ToEntry(IReadOnlyList<FindingEvidence> evidence, TraceTime start)
    {
        FindingEvidence? place = evidence.FirstOrDefault(measure => measure.FirstPacket is not null);
        return new FindingEvidenceEntry(
            place?.FirstPacket,
            Seconds(place?.From, start),
            Seconds(place?.To, start),
            [.. evidence.Select(measure => new MeasureEntry(measure.Measure, measure.Value, measure.Samples, measure.FirstPacket))]);
    }

    static double? Seconds(TraceTime? time, TraceTime start) => time is { } known ? (known - start) / NanosecondsPerSecond : null;

    static string Name(FindingSeverity severity) => severity switch
    {
        FindingSeverity.Critical => "critical",
        FindingSeverity.Warning => "warning",
        _ => "note",
    };
}
