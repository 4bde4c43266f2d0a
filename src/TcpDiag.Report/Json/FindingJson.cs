using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Writes findings of the analysis document. Many say the same of different connections.</summary>
/// <param name="json">Where to.</param>
/// <param name="start">The trace's first record.</param>
sealed class FindingJson(JsonOutput json, TraceTime start)
{
    readonly JsonRun<Said> _said = new(WriteSaid);
    readonly JsonRun<Advised> _advised = new(WriteAdvised);

    /// <summary>Writes a finding.</summary>
    /// <param name="finding">The finding.</param>
    public void Write(Finding finding)
    {
        FindingText text = finding.Text();
        json.WriteStartObject();
        json.WriteString("id"u8, finding.Id);
        json.WriteNumber("connection"u8, finding.Connection?.Index);
        json.WriteWord("from"u8, finding.IsFromClient is { } isFromClient ? (isFromClient ? "client"u8 : "server"u8) : default);
        json.WriteString("severity"u8, NameOf(finding.Severity));
        json.WriteNumber("secondsLost"u8, finding.SecondsLost);
        json.WriteNumber("confidence"u8, finding.Confidence);
        _said.Write(json, new(text.Title, text.Cause));
        WriteEvidence(text.Evidence);
        _advised.Write(json, new(text.Advice));
        json.WriteEndObject();
    }

    static void WriteSaid(JsonOutput json, Said text)
    {
        json.WriteString("title"u8, text.Title);
        json.WriteString("cause"u8, text.Cause);
    }

    static void WriteAdvised(JsonOutput json, Advised text) => json.WriteStrings("advice"u8, text.Steps);

    void WriteEvidence(IReadOnlyList<FindingEvidence> evidence)
    {
        FindingEvidence? place = evidence.FirstOrDefault(static measure => measure.FirstPacket is not null);
        json.WriteStartObject("evidence"u8);
        json.WriteNumber("firstPacket"u8, place?.FirstPacket);
        json.WriteSeconds("fromSeconds"u8, place?.From - start);
        json.WriteSeconds("toSeconds"u8, place?.To - start);
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

    readonly record struct Said(string Title, string Cause);

    // The same list, not one of equal steps: so it is where a rule gives all its findings the same advice.
    readonly record struct Advised(IReadOnlyList<string> Steps);
}
