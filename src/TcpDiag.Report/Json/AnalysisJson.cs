using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Machines;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Report.Json;

/// <summary>
/// Writes an analysis as its JSON document, schema tcpdiag/analysis/1 (docs/schemas): camelCase names, null for unknown values. There may be hundreds of
/// thousands of connections and findings: each is written field by field, and neither they nor the document are held as a whole.
/// </summary>
public static class AnalysisJson
{
    const string SchemaName = "tcpdiag/analysis/1";

    /// <summary>Writes the document.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="analysis">The analysis.</param>
    /// <param name="files">The traces as the user named them, one or more.</param>
    /// <param name="isComplete">Whether they could be read without damage.</param>
    /// <param name="bundles">What the bundles among the files tell of their recordings; null without any.</param>
    public static void Write(TextWriter output, TraceAnalysis analysis, IReadOnlyList<string> files, bool isComplete, IReadOnlyList<BundleAccount>? bundles = null)
    {
        Stream stream = TextWriterStream.Open(output);
        var json = new JsonOutput(stream);
        json.WriteStartObject();
        WriteHead(json, analysis, files, isComplete);
        WriteRecordings(json, bundles ?? []);
        WriteConnections(json, analysis);
        WriteFindings(json, analysis);
        json.WriteEndObject();
        json.Complete();
        output.WriteLine();
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
        json.WriteSeconds("durationSeconds"u8, hasRecords ? analysis.End - analysis.Start : null);
        json.WriteString("startUtc"u8, hasRecords ? analysis.Start.ToString() : null);
        json.WriteBoolean("complete"u8, isComplete);
        json.WriteObject("machine"u8, analysis.Machine, WriteMachine);
    }

    static void WriteRecordings(JsonOutput json, IReadOnlyList<BundleAccount> bundles)
    {
        byte[] recordings = bundles.Count == 0 ? [.. "[]"u8] : JsonSerializer.SerializeToUtf8Bytes([.. bundles.Select(BundleEntry.Of)], InfoJsonContext.Default.IReadOnlyListBundleEntry);
        json.WriteRaw("recordings"u8, recordings);
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

    static void WriteMachine(JsonOutput json, MachineAccount machine)
    {
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
    }

    static void WriteConnections(JsonOutput json, TraceAnalysis analysis)
    {
        IReadOnlyList<string>[] found = IdsByConnection(analysis);
        var writer = new ConnectionJson(json, analysis.Start);
        json.WriteStartArray("connections"u8);
        foreach (Connection connection in analysis.Connections)
        {
            writer.Write(connection, found[connection.Index]);
        }

        json.WriteEndArray();
    }

    static void WriteFindings(JsonOutput json, TraceAnalysis analysis)
    {
        var writer = new FindingJson(json, analysis.Start);
        json.WriteStartArray("findings"u8);
        foreach (Finding finding in analysis.Findings)
        {
            writer.Write(finding);
        }

        json.WriteEndArray();
    }

    // Each id once for a connection, in the order of the findings.
    static IReadOnlyList<string>[] IdsByConnection(TraceAnalysis analysis)
    {
        var ids = new IReadOnlyList<string>[analysis.Connections.Count];
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
