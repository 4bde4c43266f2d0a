using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report;

/// <summary>In which order connections are listed. Equal ones keep the order of their first packets; where the measure is not known, they come last.</summary>
public enum ConnectionOrder
{
    /// <summary>Most payload first.</summary>
    Bytes = 0,

    /// <summary>Earliest first.</summary>
    Start,

    /// <summary>Longest first.</summary>
    Duration,

    /// <summary>Lowest goodput of the direction with more payload first.</summary>
    Goodput,

    /// <summary>Longest round trip first: the median of the end farther from the capture point.</summary>
    Rtt,

    /// <summary>Most segments resent first.</summary>
    Retransmissions,

    /// <summary>Most needless retransmissions first.</summary>
    Needless,

    /// <summary>Most retransmission timeouts first.</summary>
    Timeouts,

    /// <summary>Most seconds lost by findings first.</summary>
    Lost,

    /// <summary>By what limited them most of the time, that with the most time in all first.</summary>
    Limit,
}

/// <summary>Puts the connections of an analysis in order.</summary>
static class ConnectionSorter
{
    /// <summary>The connections in an order.</summary>
    public static IEnumerable<Connection> Sort(TraceAnalysis analysis, ConnectionOrder order) => order switch
    {
        ConnectionOrder.Start => analysis.Connections,
        ConnectionOrder.Duration => LargestFirst(analysis, connection => connection.Last - connection.Start),
        ConnectionOrder.Goodput => LargestFirst(analysis, connection => -ConnectionMeasures.Larger(connection).GoodputBitsPerSecond),
        ConnectionOrder.Rtt => LargestFirst(analysis, connection => RoundTrip.Of(connection) is { Samples: > 0 } rtt ? rtt.Median : null),
        ConnectionOrder.Retransmissions => LargestFirst(analysis, connection => Sum(connection, direction => direction.Retransmissions)),
        ConnectionOrder.Needless =>
            LargestFirst(analysis, connection => Sum(connection, direction => direction.Needs?.Spurious + direction.Needs?.LikelySpurious)),
        ConnectionOrder.Timeouts => LargestFirst(analysis, connection => Sum(connection, direction => direction.Triggers?.Rto)),
        ConnectionOrder.Lost => ByLost(analysis),
        ConnectionOrder.Limit => ByLimit(analysis),
        _ => LargestFirst(analysis, connection => ConnectionMeasures.Bytes(connection)),
    };

    static IEnumerable<Connection> LargestFirst(TraceAnalysis analysis, Func<Connection, double?> measure) =>
        analysis.Connections.OrderByDescending(connection => measure(connection) ?? double.NegativeInfinity);

    static long? Sum(Connection connection, Func<ConnectionDirection, long?> measure) =>
        (measure(connection.FromClient), measure(connection.FromServer)) is var (up, down) && (up ?? down) is not null ? (up ?? 0) + (down ?? 0) : null;

    static IEnumerable<Connection> ByLost(TraceAnalysis analysis)
    {
        var lost = analysis.Findings
            .Where(finding => finding is { Connection: not null, SecondsLost: not null })
            .GroupBy(finding => finding.Connection!)
            .ToDictionary(group => group.Key, group => group.Sum(finding => finding.SecondsLost));
        return LargestFirst(analysis, connection => lost.GetValueOrDefault(connection));
    }

    static IEnumerable<Connection> ByLimit(TraceAnalysis analysis) => analysis.Connections
        .GroupBy(connection => ConnectionMeasures.MainLimit(ConnectionMeasures.Larger(connection)))
        .OrderByDescending(group => group.Sum(TimeInMainLimit))
        .SelectMany(group => group.OrderByDescending(TimeInMainLimit));

    static double TimeInMainLimit(Connection connection)
    {
        ConnectionDirection direction = ConnectionMeasures.Larger(connection);
        return ConnectionMeasures.MainLimit(direction) is { } limit ? direction.Limits!.Times.In(limit) : -1; // those without limits at the end
    }
}

/// <summary>Measures of a connection as a whole.</summary>
static class ConnectionMeasures
{
    /// <summary>Payload of both directions, bytes.</summary>
    public static long Bytes(Connection connection) => connection.FromClient.PayloadBytes + connection.FromServer.PayloadBytes;

    /// <summary>The direction with more payload.</summary>
    public static ConnectionDirection Larger(Connection connection) =>
        connection.FromClient.PayloadBytes >= connection.FromServer.PayloadBytes ? connection.FromClient : connection.FromServer;

    /// <summary>What limited a direction most of the time; null when not known.</summary>
    public static LimitState? MainLimit(ConnectionDirection direction) => direction.Limits is { Times: { Total: > 0 } times }
        ? Enum.GetValues<LimitState>().MaxBy(state => times.In(state))
        : null;
}
