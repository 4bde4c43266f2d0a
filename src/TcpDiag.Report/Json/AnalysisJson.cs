using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Locate.Results;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Report.Json;

/// <summary>
/// Writes an analysis as its JSON document, schema tcpdiag/analysis/1 (docs/schemas): camelCase names, null for unknown values. There may be hundreds of
/// thousands of connections and findings: each is written field by field, and the document is never held as a whole.
/// </summary>
public static class AnalysisJson
{
    const string SchemaName = "tcpdiag/analysis/1";

    /// <summary>Writes the document.</summary>
    /// <param name="output">Takes the document.</param>
    /// <param name="analysis">The analysis.</param>
    /// <param name="files">The traces as the user named them, one or more.</param>
    /// <param name="isComplete">Whether they could be read without damage.</param>
    /// <param name="bundles">What the bundles among the files say about their recordings; null without any.</param>
    /// <param name="location">Where on the path packets were lost, from captures at several points; null for one.</param>
    public static void Write(
        TextWriter output, TraceAnalysis analysis, IReadOnlyList<string> files, bool isComplete, IReadOnlyList<BundleContents>? bundles = null,
        Location? location = null)
    {
        var json = new JsonOutput(TextWriterStream.Open(output));
        json.WriteStartObject();
        Write(json, analysis, files, isComplete, bundles ?? []);
        WriteLocation(json, location, isComplete);
        json.WriteEndObject();
        json.Complete();
        output.WriteLine();
    }

    static void Write(JsonOutput json, TraceAnalysis analysis, IReadOnlyList<string> files, bool isComplete, IReadOnlyList<BundleContents> bundles)
    {
        WriteHead(json, analysis, files, isComplete);
        WriteRecordings(json, bundles);
        WriteConnections(json, analysis);
        WriteFindings(json, analysis);
    }

    static void WriteLocation(JsonOutput json, Location? location, bool isComplete)
    {
        if (location is null)
        {
            json.WriteNull("location"u8);
            return;
        }

        json.WriteValue("location"u8, value => LocationJson.Write(value, location, isComplete));
    }

    static void WriteHead(JsonOutput json, TraceAnalysis analysis, IReadOnlyList<string> files, bool isComplete)
    {
        bool hasRecords = analysis.Packets + analysis.StackEvents > 0;
        json.WriteString("schema"u8, SchemaName);
        json.WriteString("file"u8, files[0]);
        json.WriteStrings("files"u8, files);
        json.WriteNumber("packets"u8, analysis.Packets);
        json.WriteNumber("tcpPackets"u8, analysis.TcpPackets);
        json.WriteNumber("repeatedPackets"u8, analysis.RepeatedPackets);
        WriteDrops(json, analysis.Drops);
        json.WriteNumber("stackEvents"u8, analysis.StackEvents);
        json.WriteSeconds("durationSeconds"u8, hasRecords ? analysis.Length : null);
        json.WriteString("startUtc"u8, hasRecords ? analysis.Start.ToString() : null);
        json.WriteBoolean("complete"u8, isComplete);
        json.WriteString("simulation"u8, analysis.Simulation);
        WriteMachine(json, analysis.Machine);
    }

    static void WriteRecordings(JsonOutput json, IReadOnlyList<BundleContents> bundles)
    {
        json.WriteStartArray("recordings"u8);
        foreach (BundleContents bundle in bundles)
        {
            json.WriteValue(value => JsonSerializer.Serialize(value, BundleEntry.Of(bundle), InfoJsonContext.Default.BundleEntry));
        }

        json.WriteEndArray();
    }

    static void WriteDrops(JsonOutput json, IReadOnlyList<DropCount> drops)
    {
        json.WriteStartArray("drops"u8);
        foreach (DropCount drop in drops)
        {
            json.WriteStartObject();
            json.WriteString("reason"u8, drop.Reason);
            json.WriteString("location"u8, drop.Location);
            json.WriteNumber("packets"u8, drop.Packets);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    static void WriteMachine(JsonOutput json, MachineSummary? machine)
    {
        if (machine is null)
        {
            json.WriteNull("machine"u8);
            return;
        }

        json.WriteStartObject("machine"u8);
        json.WriteString("operatingSystem"u8, machine.OperatingSystem);
        json.WriteStartArray("notes"u8);
        foreach (MachineNote note in machine.Notes)
        {
            json.WriteStartObject();
            json.WriteString("what"u8, note.What);
            json.WriteString("advice"u8, note.Advice);
            json.WriteStrings("bearsOn"u8, note.BearsOn);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    static void WriteConnections(JsonOutput json, TraceAnalysis analysis)
    {
        IReadOnlyList<string>[] found = IdsByConnection(analysis);
        json.WriteNumber("connectionsLeftOut"u8, analysis.LeftOut);
        json.WriteStartArray("connections"u8);
        foreach (Connection connection in analysis.Connections)
        {
            ConnectionJson.Write(json, connection, analysis.Start, found[connection.Index]);
        }

        json.WriteEndArray();
    }

    static void WriteFindings(JsonOutput json, TraceAnalysis analysis)
    {
        json.WriteStartArray("findings"u8);
        foreach (Finding finding in analysis.Findings)
        {
            FindingJson.Write(json, finding, analysis.Start);
        }

        json.WriteEndArray();
        json.WriteString("nothingFound"u8, NothingFound.Reason(analysis));
    }

    // Each id once for a connection, in the order of the findings.
    static IReadOnlyList<string>[] IdsByConnection(TraceAnalysis analysis)
    {
        var ids = new IReadOnlyList<string>[analysis.Connections.Count + analysis.LeftOut];
        Array.Fill(ids, []);
        foreach (Finding finding in analysis.Findings)
        {
            if (finding.Connection is { Index: var index } && !ids[index].Contains(finding.Id, StringComparer.Ordinal))
            {
                ids[index] = [.. ids[index], finding.Id];
            }
        }

        return ids;
    }
}
