using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using TcpDiag.Capture.Watching;
using TcpDiag.Report.Json;
using TcpDiag.Wire;

namespace TcpDiag.Cli.Watching;

/// <summary>Turns what a watch tells into what reports show.</summary>
static class WatchDocuments
{
    /// <summary>The document of a reading.</summary>
    /// <param name="watch">The watch.</param>
    /// <param name="connections">What it has just told.</param>
    /// <param name="now">The time.</param>
    /// <returns>The document.</returns>
    public static WatchDocument ToDocument(ConnectionWatch watch, IReadOnlyList<WatchedConnection> connections, DateTimeOffset now) => new(
        WatchDocument.SchemaName,
        now,
        watch.Interval == TimeSpan.Zero ? null : watch.Interval.TotalSeconds,
        watch.HasEvents,
        watch.LeftOut,
        [.. connections.Select(ToEntry)]);

    static WatchedConnectionEntry ToEntry(WatchedConnection connection) => new(
        ToEntry(connection.Local),
        ToEntry(connection.Remote),
        connection.ProcessId,
        connection.Process,
        connection.SendBitsPerSecond,
        connection.ReceiveBitsPerSecond,
        connection.SrttUs,
        connection.CwndBytes,
        connection.InFlightBytes,
        connection.SendWindowBytes,
        connection.Retransmissions,
        connection.Reorderings,
        connection.Limit == WatchLimit.Unknown ? null : JsonNamingPolicy.CamelCase.ConvertName(connection.Limit.ToString()),
        connection.LostUs,
        connection.BusyUs);

    static EndpointEntry ToEntry(Endpoint end) => new(end.Address.ToString(), end.Port);
}
