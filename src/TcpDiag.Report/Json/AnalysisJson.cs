using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Turns an analysis into its JSON document.</summary>
public static class AnalysisJson
{
    const string SchemaName = "tcpdiag/analysis/1";

    const double NanosecondsPerMicrosecond = 1e3;

    const double NanosecondsPerSecond = 1e9;

    /// <summary>Writes the document.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="analysis">The analysis.</param>
    /// <param name="files">The traces as the user named them, one or more.</param>
    /// <param name="isComplete">Whether they could be read without damage.</param>
    public static void Write(TextWriter output, TraceAnalysis analysis, IReadOnlyList<string> files, bool isComplete)
    {
        AnalysisJsonContext context = AnalysisJsonContext.Default;
        IReadOnlyList<string>[] found = IdsByConnection(analysis);
        using EntryWriter writer = new(TextWriterStream.Open(output));
        writer.Begin(ToDocument(analysis, files, isComplete), context.AnalysisDocument);
        writer.Write("connections", analysis.Connections.Select(connection => ToEntry(connection, analysis.Start, found[connection.Index])), context.ConnectionEntry);
        writer.Write("findings", analysis.Findings.Select(finding => FindingJson.ToEntry(finding, analysis.Start)), context.FindingEntry);
        writer.End();
        output.WriteLine();
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

    static AnalysisDocument ToDocument(TraceAnalysis analysis, IReadOnlyList<string> files, bool isComplete)
    {
        bool hasRecords = analysis.Packets + analysis.StackEvents > 0;
        return new AnalysisDocument(
            SchemaName,
            files[0],
            files,
            analysis.Packets,
            analysis.TcpPackets,
            analysis.RepeatedPackets,
            [.. analysis.Drops.Select(drop => new DropEntry(drop.Reason, drop.Location, drop.Packets))],
            analysis.StackEvents,
            hasRecords ? (analysis.End - analysis.Start) / NanosecondsPerSecond : null,
            hasRecords ? analysis.Start.ToString() : null,
            isComplete,
            analysis.Machine is { } machine ? new(machine.OperatingSystem, [.. machine.Notes.Select(note => new MachineNoteEntry(note.What, note.Advice, note.BearsOn))]) : null);
    }

    static ConnectionEntry ToEntry(Connection connection, TraceTime start, IReadOnlyList<string> findings) => new(
        connection.Index,
        ToEntry(connection.Client),
        ToEntry(connection.Server),
        connection.ProcessId is null ? null : new ProcessEntry(connection.ProcessId, connection.ProcessName),
        connection.ServerName,
        (connection.Start - start) / NanosecondsPerSecond,
        (connection.Last - connection.Start) / NanosecondsPerSecond,
        new HandshakeEntry(connection.IsHandshakeComplete, connection.SynRetransmissions, Microseconds(connection.HandshakeRtt), Microseconds(connection.Lookup?.Time)),
        connection.End switch
        {
            ConnectionEnd.Fin => "fin",
            ConnectionEnd.Rst => "rst",
            ConnectionEnd.Timeout => "timeout",
            _ => "open",
        },
        Name(connection.Vantage),
        Name(connection.Evidence) ?? "unknown",
        [ToEntry("client", connection.FromClient), ToEntry("server", connection.FromServer)],
        findings);

    static EndpointEntry ToEntry(Endpoint endpoint) => new(endpoint.Address.ToString(), endpoint.Port);

    static DirectionEntry ToEntry(string from, ConnectionDirection direction)
    {
        bool isKnown = direction.Evidence != Evidence.None;
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        long? IfKnown(long value) => isKnown ? value : null;
        long? IfPackets(long value) => hasPackets ? value : null;
        return new DirectionEntry(
            from,
            IfPackets(direction.Packets),
            IfPackets(direction.FrameBytes),
            IfKnown(direction.WireSegments),
            IfKnown(direction.PayloadBytes),
            IfKnown(direction.UniqueBytes),
            IfPackets(direction.UnseenBytes),
            direction.GoodputBitsPerSecond,
            direction.Mss,
            direction.SynOptions is { } options ? TcpOptionNames.Of(options) : null,
            Retransmissions(direction),
            Loss(direction.Loss),
            Reordering(direction.Reordering),
            IfPackets(direction.Dsacks),
            IfPackets(direction.DsacksTsharkFilter),
            IfPackets(direction.DuplicateAcks),
            IfPackets(direction.ZeroWindows),
            IfPackets(direction.OutOfOrder),
            Rtt(direction),
            direction.MaxInFlightBytes,
            direction.Cwnd is { } cwnd ? new CwndEntry(cwnd.MaxBytes, cwnd.MinBytes, Name(cwnd.Evidence), cwnd.Samples) : null,
            Window(direction),
            Microseconds(direction.ActiveTime),
            direction.Limits is { } limits ? LimitsJson.ToEntry(limits) : null);
    }

    static RetransmissionsEntry Retransmissions(ConnectionDirection direction)
    {
        bool isKnown = direction.Evidence != Evidence.None;
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        return new RetransmissionsEntry(
            isKnown ? direction.Retransmissions : null,
            direction.Triggers is { } by ? new TriggersEntry(by.Fast, by.Tlp, by.Rto, by.LostRetransmission, by.Unknown) : null,
            direction.Needs is { } needs ? new NeedsEntry(needs.Necessary, needs.Spurious, needs.LikelySpurious, needs.Unknown) : null,
            hasPackets ? direction.ZeroWindowProbes : null,
            hasPackets ? direction.KeepAlives : null,
            Name(direction.Evidence),
            isKnown ? direction.WireSegments : null);
    }

    static LossEntry? Loss(LossSummary? loss) => loss is null ? null : new LossEntry(loss.Packets, Name(loss.Evidence), loss.Samples);

    static ReorderingEntry? Reordering(ReorderingSummary? reordering) => reordering is null ? null : new ReorderingEntry(
        reordering.Packets,
        reordering.Ratio,
        Microseconds(reordering.MaxExtent),
        Microseconds(reordering.MedianExtent),
        Name(reordering.Evidence),
        reordering.Samples);

    static RttEntry Rtt(ConnectionDirection direction)
    {
        RttSummary rtt = direction.Rtt;
        return rtt.Samples == 0
            ? new RttEntry(null, null, null, null, 0)
            : new RttEntry(Microseconds(rtt.Min), Microseconds(rtt.Median), Microseconds(rtt.P95), Name(direction.Evidence), rtt.Samples);
    }

    static WindowEntry Window(ConnectionDirection direction) => new(
        direction.MaxReceiveWindowBytes,
        direction.MinReceiveWindowBytes,
        direction.MaxReceiveWindowBytes is null ? null : Name(direction.Evidence));

    static double? Microseconds(long? nanoseconds) => nanoseconds / NanosecondsPerMicrosecond;

    /// <summary>What evidence is called.</summary>
    /// <param name="evidence">The evidence.</param>
    /// <returns>Null for none.</returns>
    internal static string? Name(Evidence evidence) => evidence switch
    {
        Evidence.Packets => "packets",
        Evidence.Events => "events",
        Evidence.Both => "both",
        _ => null,
    };

    static string Name(Vantage vantage) => vantage switch
    {
        Vantage.Client => "client",
        Vantage.Server => "server",
        Vantage.Middle => "middle",
        _ => "unknown",
    };
}
