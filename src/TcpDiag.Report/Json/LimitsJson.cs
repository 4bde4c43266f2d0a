using System;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Report.Json;

/// <summary>Turns the limits of a direction into their JSON entry.</summary>
static class LimitsJson
{
    const double NanosecondsPerMicrosecond = 1e3;

    /// <summary>The entry.</summary>
    /// <param name="limits">The limits.</param>
    /// <returns>Shares that add up to 1, or are all 0 without active time, and times that add up to it.</returns>
    public static LimitsEntry ToEntry(LimitSummary limits)
    {
        LimitTimes times = limits.Times;
        double total = Math.Max(times.Total, 1);
        return new LimitsEntry(
            AnalysisJson.Name(limits.Evidence),
            limits.Samples,
            Each(state => times.In(state) / total),
            Each(state => times.In(state) / NanosecondsPerMicrosecond));
    }

    static LimitStatesEntry Each(Func<LimitState, double> value) => new(
        value(LimitState.Application),
        value(LimitState.Idle),
        value(LimitState.SendBuffer),
        value(LimitState.CongestionWindow),
        value(LimitState.ReceiveWindow),
        value(LimitState.Pacing),
        value(LimitState.Recovery),
        value(LimitState.Timeout),
        value(LimitState.Reassembly));
}
