using System;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Limits;

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

    /// <summary>Writes the limits.</summary>
    /// <param name="json">Where to: into an object.</param>
    /// <param name="limits">The limits.</param>
    public static void WriteFields(JsonOutput json, LimitSummary limits)
    {
        json.WriteString("evidence"u8, ConnectionJson.NameOf(limits.Evidence));
        json.WriteNumber("samples"u8, limits.Samples);
        WriteShares(json, limits.Times);
        WriteTimes(json, limits.Times);
        json.WriteMicroseconds("uncertainMicroseconds"u8, limits.Uncertain + limits.LateWriter);
    }

    /// <summary>Writes what the sender's own stack counted.</summary>
    /// <param name="json">Where to: into an object.</param>
    /// <param name="counters">The counters.</param>
    public static void WriteCounters(JsonOutput json, LimitCounters counters)
    {
        json.WriteMicroseconds("receiveWindowMicroseconds"u8, counters.Times?.ReceiveWindow);
        json.WriteMicroseconds("congestionMicroseconds"u8, counters.Times?.Congestion);
        json.WriteMicroseconds("senderMicroseconds"u8, counters.Times?.Sender);
        json.WriteNumber("receiveWindowBytes"u8, counters.Bytes?.ReceiveWindow);
        json.WriteNumber("congestionBytes"u8, counters.Bytes?.Congestion);
        json.WriteNumber("senderBytes"u8, counters.Bytes?.Sender);
        json.WriteBoolean("timeByBytes"u8, counters.IsTimeByBytes);
        json.WriteBoolean("comparable"u8, counters.IsComparable);
        json.WriteNumber("differingShare"u8, counters.IsComparable ? counters.Disagreement?.Part ?? 0 : null);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(Evidence.Events));
        json.WriteNumber("samples"u8, counters.Samples);
    }

    static void WriteShares(JsonOutput json, in LimitTimes times)
    {
        double total = Math.Max(times.Total, 1);
        json.WriteStartObject("shares"u8);
        foreach ((LimitState state, byte[] name) in States)
        {
            if (times.In(state) == 0)
            {
                json.WriteNumber(name, 0); // most are, and a whole number is written faster
            }
            else
            {
                json.WriteNumber(name, times.In(state) / total);
            }
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
