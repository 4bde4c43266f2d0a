using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Writes findings of the analysis document.</summary>
static class FindingJson
{
    /// <summary>Writes a finding.</summary>
    public static void Write(JsonOutput json, Finding finding, TraceTime start)
    {
        FindingText text = finding.Text();
        json.WriteStartObject();
        json.WriteString("id"u8, finding.Id);
        json.WriteNumber("connection"u8, finding.Connection?.Index);
        json.WriteWord("from"u8, finding.IsFromClient is { } isFromClient ? (isFromClient ? "client"u8 : "server"u8) : default);
        json.WriteString("severity"u8, NameOf(finding.Severity));
        json.WriteNumber("secondsLost"u8, finding.SecondsLost);
        json.WriteNumber("minSecondsLost"u8, finding.MinSecondsLost);
        json.WriteNumber("confidence"u8, finding.Confidence);
        json.WriteString("title"u8, text.Title);
        json.WriteString("cause"u8, text.Cause);
        json.WriteString("capture"u8, finding.SeenIn);
        WriteEvidence(json, text.Evidence, start, isInTime: finding.SeenIn is null);
        json.WriteStrings("advice"u8, text.Advice);
        json.WriteEndObject();
    }

    static void WriteEvidence(JsonOutput json, IReadOnlyList<FindingEvidence> evidence, TraceTime start, bool isInTime)
    {
        FindingEvidence? located = evidence.FirstOrDefault(static measure => measure.FirstPacket is not null);
        json.WriteStartObject("evidence"u8);
        json.WriteNumber("firstPacket"u8, located?.FirstPacket);
        json.WriteSeconds("fromSeconds"u8, isInTime ? located?.From - start : null);
        json.WriteSeconds("toSeconds"u8, isInTime ? located?.To - start : null);
        json.WriteStartArray("measures"u8);
        for (int i = 0; i < evidence.Count; i++)
        {
            FindingEvidence measure = evidence[i];
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

    static ReadOnlySpan<byte> NameOf(FindingSeverity severity) => severity switch
    {
        FindingSeverity.Critical => "critical"u8,
        FindingSeverity.Warning => "warning"u8,
        _ => "note"u8,
    };
}
