using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Report;

/// <summary>What limited a connection, in a line for each direction that carried data.</summary>
static class LimitText
{
    const double LeastShare = 0.005; // what rounds to nothing is left out
    const double LeastDoubt = 0.05; // less changes no verdict
    const int MostStates = 3;

    /// <summary>The lines.</summary>
    /// <param name="connection">The connection.</param>
    /// <returns>None where no data was sent; else the states, or why they are not told.</returns>
    public static IEnumerable<string> Of(Connection connection) =>
        new[] { Line("up", connection, connection.FromClient), Line("down", connection, connection.FromServer) }.OfType<string>();

    static string? Line(string way, Connection connection, ConnectionDirection direction) => direction.Limits switch
    {
        { Times.Total: > 0 } limits => $"      {way,4} limited by {States(limits.Times)}{Doubt(limits)}",
        null when MissingMeasures.WhyNoLimits(connection, direction) is { } reason => $"      {way,4} limits not told: {reason}",
        _ => null,
    };

    static string States(LimitTimes times)
    {
        double total = times.Total;
        return string.Join(", ", Enum.GetValues<LimitState>()
            .Where(state => times.In(state) >= LeastShare * total)
            .OrderByDescending(state => times.In(state))
            .Take(MostStates)
            .Select(state => $"{Name(state)} {(times.In(state) / total).ToString("0 %", CultureInfo.InvariantCulture)}"));
    }

    // Of the congestion window's share and the send buffer's.
    static string Doubt(LimitSummary limits)
    {
        double share = (double)(limits.Uncertain + limits.UncertainSendBuffer) / limits.Times.Total;
        return share < LeastDoubt ? "" : $" (of it {share.ToString("0 %", CultureInfo.InvariantCulture)} uncertain)";
    }

    static string Name(LimitState state) => state switch
    {
        LimitState.Application => "application",
        LimitState.Idle => "idle",
        LimitState.SendBuffer => "send buffer",
        LimitState.CongestionWindow => "cwnd",
        LimitState.ReceiveWindow => "receive window",
        LimitState.Pacing => "pacing",
        LimitState.Recovery => "recovery",
        LimitState.Timeout => "timeout",
        LimitState.Reassembly => "reassembly",
        _ => "not judged",
    };
}
