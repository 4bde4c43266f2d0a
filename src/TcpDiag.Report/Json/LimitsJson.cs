using System;
using System.Text.Json;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Report.Json;

/// <summary>Writes what limited the sender of a direction: shares that add up to 1, or are all 0 without active time, and times that add up to it.</summary>
static class LimitsJson
{
    static readonly (LimitState State, JsonEncodedText Name)[] States =
    [
        (LimitState.Application, JsonEncodedText.Encode("application")),
        (LimitState.Idle, JsonEncodedText.Encode("idle")),
        (LimitState.SendBuffer, JsonEncodedText.Encode("sendBuffer")),
        (LimitState.CongestionWindow, JsonEncodedText.Encode("congestionWindow")),
        (LimitState.ReceiveWindow, JsonEncodedText.Encode("receiveWindow")),
        (LimitState.Pacing, JsonEncodedText.Encode("pacing")),
        (LimitState.Recovery, JsonEncodedText.Encode("recovery")),
        (LimitState.Timeout, JsonEncodedText.Encode("timeout")),
        (LimitState.Reassembly, JsonEncodedText.Encode("reassembly")),
        (LimitState.NotJudged, JsonEncodedText.Encode("notJudged")),
    ];

    /// <summary>Writes the limits.</summary>
    /// <param name="json">Where to: into an object.</param>
    /// <param name="limits">The limits.</param>
    public static void WriteFields(Utf8JsonWriter json, LimitSummary limits)
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
    public static void WriteCounters(Utf8JsonWriter json, LimitCounters counters)
    {
        json.WriteMicroseconds("receiveWindowMicroseconds"u8, counters.Times?.ReceiveWindow);
        json.WriteMicroseconds("congestionMicroseconds"u8, counters.Times?.Congestion);
        json.WriteMicroseconds("senderMicroseconds"u8, counters.Times?.Sender);
        json.WriteNumberOrNull("receiveWindowBytes"u8, counters.Bytes?.ReceiveWindow);
        json.WriteNumberOrNull("congestionBytes"u8, counters.Bytes?.Congestion);
        json.WriteNumberOrNull("senderBytes"u8, counters.Bytes?.Sender);
        json.WriteBoolean("timeByBytes"u8, counters.IsTimeByBytes);
        json.WriteBoolean("comparable"u8, counters.IsComparable);
        json.WriteNumberOrNull("differingShare"u8, counters.IsComparable ? counters.Disagreement?.Part ?? 0 : null);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(Evidence.Events));
        json.WriteNumber("samples"u8, counters.Samples);
    }

    static void WriteShares(Utf8JsonWriter json, in LimitTimes times)
    {
        double total = Math.Max(times.Total, 1);
        json.WriteStartObject("shares"u8);
        foreach ((LimitState state, JsonEncodedText name) in States)
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

    static void WriteTimes(Utf8JsonWriter json, in LimitTimes times)
    {
        json.WriteStartObject("microseconds"u8);
        foreach ((LimitState state, JsonEncodedText name) in States)
        {
            json.WriteMicroseconds(name.EncodedUtf8Bytes, times.In(state));
        }

        json.WriteEndObject();
    }
}
