using System;
using System.Text.Json;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Report.Json;

/// <summary>Writes what limited the sender of a direction: shares that add up to 1, or are all 0 without active time, and times that add up to it.</summary>
static class LimitsJson
{
    const double NanosecondsPerMicrosecond = 1e3;

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
    ];

    /// <summary>Writes the limits.</summary>
    /// <param name="json">Where to: into an object.</param>
    /// <param name="limits">The limits.</param>
    public static void WriteFields(Utf8JsonWriter json, LimitSummary limits)
    {
        json.WriteString("evidence"u8, ConnectionJson.NameOf(limits.Evidence));
        json.WriteNumber("samples"u8, limits.Samples);
        WriteEach(json, "shares"u8, limits.Times, Math.Max(limits.Times.Total, 1));
        WriteEach(json, "microseconds"u8, limits.Times, NanosecondsPerMicrosecond);
        json.WriteNumber("uncertainMicroseconds"u8, (limits.Uncertain + limits.LateWriter) / NanosecondsPerMicrosecond);
    }

    static void WriteEach(Utf8JsonWriter json, ReadOnlySpan<byte> name, in LimitTimes times, double unit)
    {
        json.WriteStartObject(name);
        foreach ((LimitState state, JsonEncodedText stateName) in States)
        {
            json.WriteNumber(stateName, times.In(state) / unit);
        }

        json.WriteEndObject();
    }
}
