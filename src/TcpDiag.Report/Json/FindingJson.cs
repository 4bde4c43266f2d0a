using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Writes a finding of the analysis document.</summary>
static class FindingJson
{
    /// <summary>Writes a finding.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="finding">The finding.</param>
    /// <param name="start">The trace's first record.</param>
    public static void Write(JsonOutput json, Finding finding, TraceTime start)
    {
        FindingText text = finding.Text();
        json.WriteStartObject();
        json.WriteString("id"u8, finding.Id);
        json.WriteNumber("connection"u8, finding.Connection?.Index);
        json.WriteString("from"u8, finding.IsFromClient is { } isFromClient ? (isFromClient ? "client" : "server") : null);
        json.WriteString("severity"u8, NameOf(finding.Severity));
        json.WriteNumber("secondsLost"u8, finding.SecondsLost);
        json.WriteNumber("confidence"u8, finding.Confidence);
        json.WriteString("title"u8, text.Title);
        json.WriteString("cause"u8, text.Cause);
        WriteEvidence(json, text.Evidence, start);
        json.WriteStrings("advice"u8, text.Advice);
        json.WriteEndObject();
    }

    static void WriteEvidence(JsonOutput json, IReadOnlyList<FindingEvidence> evidence, TraceTime start)
    {
        FindingEvidence? place = evidence.FirstOrDefault(static measure => measure.FirstPacket is not null);
        json.WriteStartObject("evidence"u8);
        json.WriteNumber("firstPacket"u8, place?.FirstPacket);
        json.WriteSeconds("fromSeconds"u8, place?.From - start);
        json.WriteSeconds("toSeconds"u8, place?.To - start);
        json.WriteStartArray("measures"u8);
        foreach (FindingEvidence measure in evidence)
        {
            json.WriteStartObject();
            json.WriteString("measure"u8, measure.Measure);
            json.WriteString("value"u8, measure.Value);
            json.WriteNumber("samples"u8, measure.Samples);
            json.WriteNumber("firstPacket"u8, measure.FirstPacket);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    static string NameOf(FindingSeverity severity) => severity switch
    {
        FindingSeverity.Critical => "critical",
        FindingSeverity.Warning => "warning",
        _ => "note",
    };
}
