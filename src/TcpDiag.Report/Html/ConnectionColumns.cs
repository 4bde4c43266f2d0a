using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report.Html;

/// <summary>The table of connections as the page's script reads it, a column each; null where a value is not known.</summary>
/// <param name="First">Number of the connection whose graphs open first; −1 when there are none.</param>
/// <param name="Number">Their numbers in the trace; null where all of its connections are in the table, so that rows are numbers.</param>
/// <param name="Client">Client endpoints.</param>
/// <param name="Server">Server endpoints.</param>
/// <param name="Name">Names by which servers were looked up.</param>
/// <param name="Process">Processes.</param>
/// <param name="Start">First packet or event, seconds from the start of the trace.</param>
/// <param name="Duration">From it to the last, seconds.</param>
/// <param name="End">How they ended.</param>
/// <param name="Up">Payload from the client, bytes.</param>
/// <param name="Down">Payload from the server, bytes.</param>
/// <param name="Goodput">Goodput of the direction with more payload, bits per second.</param>
/// <param name="Rtt">Smallest round trip of the path, seconds.</param>
/// <param name="Resent">Wire segments sent again.</param>
/// <param name="Marked">Packets with marks of congestion (ECN), or with their echo; null as a whole where no connection has any.</param>
/// <param name="Limit">What limited the direction with more payload most of the time.</param>
/// <param name="Lost">Seconds lost by its findings.</param>
/// <param name="Findings">Ids of its findings.</param>
/// <param name="Charted">1 where there are graphs, else 0.</param>
sealed record ConnectionColumns(
    int First,
    IReadOnlyList<int>? Number,
    IReadOnlyList<string> Client,
    IReadOnlyList<string> Server,
    IReadOnlyList<string?> Name,
    IReadOnlyList<string?> Process,
    IReadOnlyList<double> Start,
    IReadOnlyList<double> Duration,
    IReadOnlyList<string> End,
    IReadOnlyList<long?> Up,
    IReadOnlyList<long?> Down,
    IReadOnlyList<double?> Goodput,
    IReadOnlyList<double?> Rtt,
    IReadOnlyList<long?> Resent,
    IReadOnlyList<long>? Marked,
    IReadOnlyList<string?> Limit,
    IReadOnlyList<double> Lost,
    IReadOnlyList<IReadOnlyList<string>> Findings,
    IReadOnlyList<int> Charted);

/// <summary>Fills the columns of the table of connections.</summary>
static class ConnectionColumnsBuilder
{
    const double NanosecondsPerSecond = 1e9;

    static readonly string[] LimitNames =
    [
        "application", "idle", "send buffer", "congestion window", "receive window", "pacing", "recovery", "timeout", "reassembly", "not judged",
    ];

    /// <summary>Fills them.</summary>
    /// <param name="analysis">The analysis.</param>
    /// <param name="groups">Its findings.</param>
    public static ConnectionColumns Of(TraceAnalysis analysis, IReadOnlyList<FindingGroup> groups)
    {
        IReadOnlyList<Connection> connections = analysis.Connections;
        ILookup<int, Finding> findings = analysis.Findings.Where(finding => finding.Connection is not null).ToLookup(finding => finding.Connection!.Index);
        T[] Column<T>(Func<Connection, T> value) => [.. connections.Select(value)];
        return new ConnectionColumns(
            FirstOf(analysis, groups),
            analysis.LeftOut > 0 ? Column(connection => connection.Index) : null,
            Column(connection => connection.Client.ToString()),
            Column(connection => connection.Server.ToString()),
            Column(connection => Safe(connection.ServerName)),
            Column(ProcessOf),
            Column(connection => Seconds(connection.Start - analysis.Start)),
            Column(connection => Seconds(connection.Last - connection.Start)),
            Column(connection => connection.End.ToString().ToLowerInvariant()),
            Column(connection => Known(connection.FromClient, connection.FromClient.PayloadBytes)),
            Column(connection => Known(connection.FromServer, connection.FromServer.PayloadBytes)),
            Column(connection => Rounded(Larger(connection).GoodputBitsPerSecond)),
            Column(RttOf),
            Column(ResentOf),
            connections.Any(connection => MarkedOf(connection) > 0) ? Column(MarkedOf) : null,
            Column(connection => LimitOf(Larger(connection))),
            Column(connection => Math.Round(findings[connection.Index].Sum(finding => finding.SecondsLost ?? 0), 6)),
            Column<IReadOnlyList<string>>(connection => [.. findings[connection.Index].Select(finding => finding.Id).Distinct(StringComparer.Ordinal)]),
            Column(connection => analysis.Timelines.ContainsKey(connection) ? 1 : 0));
    }

    static int FirstOf(TraceAnalysis analysis, IReadOnlyList<FindingGroup> groups)
    {
        Connection? found = groups.SelectMany(group => group.Findings).Select(finding => finding.Connection)
            .FirstOrDefault(connection => connection is not null && analysis.Timelines.ContainsKey(connection));
        found ??= analysis.Timelines.Keys.MaxBy(connection => connection.FromClient.PayloadBytes + connection.FromServer.PayloadBytes);
        return found?.Index ?? -1;
    }

    static string? ProcessOf(Connection connection) => connection.ProcessId is null && connection.ProcessName is null
        ? null
        : Safe(FormattableString.Invariant($"{connection.ProcessId} {connection.ProcessName}").Trim());

    static string? Safe(string? text) => text is null ? null : SafeText.OneLine(text);

    static ConnectionDirection Larger(Connection connection) =>
        connection.FromClient.PayloadBytes >= connection.FromServer.PayloadBytes ? connection.FromClient : connection.FromServer;

    // The end near the capture point answers at once; the other one shows the round trip of the path.
    static double? RttOf(Connection connection)
    {
        RttSummary rtt = RoundTrip.Of(connection);
        return rtt.Samples > 0 ? Seconds(rtt.Min) : null;
    }

    static long? ResentOf(Connection connection) => connection.FromClient.Evidence == Evidence.None && connection.FromServer.Evidence == Evidence.None
        ? null
        : connection.FromClient.Retransmissions + connection.FromServer.Retransmissions;

    static long MarkedOf(Connection connection) => MarkedOf(connection.FromClient.Ecn) + MarkedOf(connection.FromServer.Ecn);

    static long MarkedOf(EcnSummary? ecn) => (ecn?.Marked ?? 0) + (ecn?.Echoes ?? 0);

    static string? LimitOf(ConnectionDirection direction)
    {
        if (direction.Limits is not { } limits || limits.Times.Total == 0)
        {
            return null;
        }

        LimitTimes times = limits.Times;
        int most = Enumerable.Range(0, LimitTimes.States).MaxBy(state => times[state]);
        return LimitNames[most];
    }

    static long? Known(ConnectionDirection direction, long value) => direction.Evidence == Evidence.None ? null : value;

    static double? Rounded(double? value) => value is { } number ? Math.Round(number) : null;

    static double Seconds(long nanoseconds) => Math.Round(nanoseconds / NanosecondsPerSecond, 6);
}

/// <summary>Serialisation without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ConnectionColumns))]
sealed partial class ConnectionColumnsContext : JsonSerializerContext;
