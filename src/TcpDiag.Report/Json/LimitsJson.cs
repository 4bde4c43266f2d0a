using System;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report.Json;

/// <summary>Writes what limited the sender of a direction: shares that add up to 1, or are all 0 without active time, and times that add up to it.</summary>
static class LimitsJson
{
    static readonly (LimitState State, byte[] Name)[] States =
    [
        (LimitState.Application, [.. "application"u8]),
        (LimitState.Idle, [.. "idle"u8]),
        (LimitState.SendBuffer, [.. "sendBuffer"u8]),
        (LimitState.CongestionWindow, [.. "congestionWindow"u8]),
        (LimitState.ReceiveWindow, [.. "receiveWindow"u8]),
        (LimitState.Pacing, [.. "pacing"u8]),
        (LimitState.Recovery, [.. "recovery"u8]),
        (LimitState.Timeout, [.. "timeout"u8]),
        (LimitState.Reassembly, [.. "reassembly"u8]),
        (LimitState.NotJudged, [.. "notJudged"u8]),
    ];

    /// <summary>Writes the limits, or null.</summary>
    public static void Write(JsonOutput json, LimitSummary? limits)
    {
        if (limits is null)
        {
            json.WriteNull("limits"u8);
            return;
        }

        json.WriteStartObject("limits"u8);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(limits.Evidence));
        json.WriteNumber("samples"u8, limits.Samples);
        WriteShares(json, limits.Times);
        WriteTimes(json, limits.Times);
        json.WriteMicroseconds("uncertainMicroseconds"u8, limits.Uncertain + limits.UncertainSendBuffer);
        json.WriteEndObject();
    }

    /// <summary>Writes what the sender's own stack counted, or null.</summary>
    public static void WriteCounters(JsonOutput json, LimitCounters? counters)
    {
        if (counters is null)
        {
            json.WriteNull("limitCounters"u8);
            return;
        }

        json.WriteStartObject("limitCounters"u8);
        json.WriteMicroseconds("receiveWindowMicroseconds"u8, counters.Times?.ReceiveWindow);
        json.WriteMicroseconds("congestionMicroseconds"u8, counters.Times?.Congestion);
        json.WriteMicroseconds("senderMicroseconds"u8, counters.Times?.Sender);
        json.WriteNumber("receiveWindowBytes"u8, counters.Bytes?.ReceiveWindow);
        json.WriteNumber("congestionBytes"u8, counters.Bytes?.Congestion);
        json.WriteNumber("senderBytes"u8, counters.Bytes?.Sender);
        json.WriteBoolean("timeByBytes"u8, counters.IsTimeByBytes);
        json.WriteBoolean("comparable"u8, counters.IsComparable);
        json.WriteNumber("differingShare"u8, counters.IsComparable ? counters.Disagreement?.Part ?? 0 : null);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(Evidence.Events));
        json.WriteNumber("samples"u8, counters.Samples);
        json.WriteEndObject();
    }

    static void WriteShares(JsonOutput json, in LimitTimes times)
    {
        double total = Math.Max(times.Total, 1);
        json.WriteStartObject("shares"u8);
        foreach ((LimitState state, byte[] name) in States)
        {
            json.WriteNumber(name, times.In(state) / total);
        }

        json.WriteEndObject();
    }

    static void WriteTimes(JsonOutput json, in LimitTimes times)
    {
        json.WriteStartObject("microseconds"u8);
        foreach ((LimitState state, byte[] name) in States)
        {
            json.WriteMicroseconds(name, times.In(state));
        }

        json.WriteEndObject();
    }
}
