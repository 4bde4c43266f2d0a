using System;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report;

/// <summary>Why an analysis has no finding: of the transfer with the most bytes, what was judged, or why nothing could be.</summary>
static class NothingFound
{
    const int MinRoundTrips = 2; // less shows neither a rate nor what held it back

    /// <summary>The reason in one sentence.</summary>
    /// <param name="analysis">The analysis.</param>
    /// <returns>Null where something was found, or there is no connection.</returns>
    public static string? Reason(TraceAnalysis analysis)
    {
        if (analysis.Findings.Count > 0 || analysis.Connections.Count == 0)
        {
            return null;
        }

        Connection connection = analysis.Connections.MaxBy(ConnectionMeasures.Bytes)!;
        ConnectionDirection direction = ConnectionMeasures.Larger(connection);
        if (direction.PayloadBytes == 0)
        {
            return "Nothing was found: no connection carried data.";
        }

        string transfer = $"the {(ReferenceEquals(direction, connection.FromClient) ? "upload" : "download")} of connection {connection.Index}";
        string more = analysis.Connections.Count > 1 ? ", the largest transfer," : string.Empty;
        return $"Nothing was found: {transfer}{more} {Of(connection, direction)}.";
    }

    static string Of(Connection connection, ConnectionDirection direction)
    {
        string size = $"({Quantity.Bytes(direction.UniqueBytes)} in {Quantity.Duration(direction.ActiveTime ?? 0)})";
        return MissingMeasures.WhyNoLimits(connection, direction) is { } unknown ? $"cannot be judged: {unknown}"
            : direction.ActiveTime < MinRoundTrips * RoundTrip.Of(connection).Median ? $"{size} is too short to judge: less than two round trips"
            : direction.Limits is { Times: { Total: > 0 } times } ? Of(times, isLate: connection.HandshakeRtt is null && IsAllSeen(connection))
            : $"{size} is too short to judge";
    }

    static bool IsAllSeen(Connection connection) => connection.FromClient.UnseenBytes + connection.FromServer.UnseenBytes == 0;

    static string Of(in LimitTimes times, bool isLate)
    {
        LimitTimes spent = times;
        LimitState most = Enum.GetValues<LimitState>().MaxBy(state => spent.In(state));
        string share = (spent.In(most) / (double)spent.Total).ToString("0 %", CultureInfo.InvariantCulture);
        return most switch
        {
            LimitState.Application or LimitState.Idle => $"was not held back: its program had nothing to send for {share} of the time",
            LimitState.NotJudged => $"cannot be judged for {share} of the time: "
                + (isLate ? "where the capture was taken, or how large the window is, showed later" : "part of the traffic is missing"),
            LimitState.CongestionWindow => $"went as its congestion window grew ({share} of the time), and no time was lost that shows",
            _ => $"lost no time that shows; for {share} of it the limit was the {Name(most)}",
        };
    }

    static string Name(LimitState state) => state switch
    {
        LimitState.SendBuffer => "send buffer",
        LimitState.ReceiveWindow => "receive window",
        LimitState.Pacing => "sender's own pacing",
        LimitState.Recovery => "recovery of losses",
        LimitState.Timeout => "retransmission timer",
        _ => "receiver's reassembly queue",
    };
}
