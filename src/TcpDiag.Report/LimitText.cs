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
    /// <returns>None when nothing is known.</returns>
    public static IEnumerable<string> Of(Connection connection) =>
        new[] { ("up", connection.FromClient.Limits), ("down", connection.FromServer.Limits) }
            .Where(way => way.Item2 is { } limits && limits.Times.Total > 0)
            .Select(way => $"      {way.Item1,4} limited by {States(way.Item2!.Times)}{Doubt(way.Item2)}");

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
        double share = (double)(limits.Uncertain + limits.LateWriter) / limits.Times.Total;
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
        _ => "reassembly",
    };
}
