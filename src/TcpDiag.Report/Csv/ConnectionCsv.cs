using System;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Report.Csv;

/// <summary>
/// The connections of an analysis for spreadsheets: comma-separated values (RFC 4180) with a line of names, one row for each direction, the client's first.
/// Names and units are those of the JSON document.
/// </summary>
public static class ConnectionCsv
{
    static readonly string[] Names =
    [
        "connection", "from", "source", "sourcePort", "destination", "destinationPort", "serverName", "processId", "process", "end", "startUtc",
        "startSeconds", "durationSeconds", "packets", "payloadBytes", "uniqueBytes", "goodputBitsPerSecond", "rttMinMicroseconds", "rttMedianMicroseconds",
        "rttP95Microseconds", "retransmissions", "needless", "timeouts", "zeroWindows",
    ];

    static readonly LimitState[] States = Enum.GetValues<LimitState>();

    /// <summary>Writes the connections that were asked for, all of them.</summary>
    /// <param name="output">Takes the text.</param>
    /// <param name="analysis">The analysis.</param>
    /// <param name="order">Which connections come first.</param>
    public static void Write(TextWriter output, TraceAnalysis analysis, ConnectionOrder order)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(analysis);
        var row = new CsvRow();
        foreach (string name in Names.Concat(States.Select(NameOf)))
        {
            row.Word(name);
        }

        row.End(output);
        foreach (Connection connection in ConnectionSorter.Sort(analysis, order))
        {
            Add(row, connection, isFromClient: true, analysis.Start);
            row.End(output);
            Add(row, connection, isFromClient: false, analysis.Start);
            row.End(output);
        }
    }

    static void Add(CsvRow row, Connection connection, bool isFromClient, TraceTime start)
    {
        (Endpoint source, Endpoint destination) = isFromClient ? (connection.Client, connection.Server) : (connection.Server, connection.Client);
        row.Number(connection.Index).Word(isFromClient ? "client" : "server")
            .Word(source.Address.ToString()).Number(source.Port)
            .Word(destination.Address.ToString()).Number(destination.Port)
            .Text(connection.ServerName).Number(connection.ProcessId).Text(connection.ProcessName)
            .Word(connection.End.ToString().ToLowerInvariant()).Word(connection.Start.ToString())
            .Seconds(connection.Start - start).Seconds(connection.Last - connection.Start);
        Add(row, isFromClient ? connection.FromClient : connection.FromServer);
    }

    static void Add(CsvRow row, ConnectionDirection direction)
    {
        bool isKnown = direction.Evidence != Evidence.None;
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        bool hasRtt = direction.Rtt.Samples > 0;
        LimitTimes? limits = direction.Limits is { Times: { Total: > 0 } times } ? times : null;
        row.Number(hasPackets ? direction.Packets : null)
            .Number(isKnown ? direction.PayloadBytes : null)
            .Number(isKnown ? direction.UniqueBytes : null)
            .Number(direction.GoodputBitsPerSecond, "0")
            .Microseconds(hasRtt ? direction.Rtt.Min : null)
            .Microseconds(hasRtt ? direction.Rtt.Median : null)
            .Microseconds(hasRtt ? direction.Rtt.P95 : null)
            .Number(isKnown ? direction.Retransmissions : null)
            .Number(direction.Needs?.Spurious + direction.Needs?.LikelySpurious)
            .Number(direction.Triggers?.Rto)
            .Number(hasPackets ? direction.ZeroWindows : null);
        foreach (LimitState state in States)
        {
            row.Number(limits is { } known ? (double)known.In(state) / known.Total : null, "0.####");
        }
    }

    // As the JSON document names it: receiveWindow, and that it is a share.
    static string NameOf(LimitState state)
    {
        string name = state.ToString();
        return $"{char.ToLowerInvariant(name[0])}{name[1..]}Share";
    }
}
