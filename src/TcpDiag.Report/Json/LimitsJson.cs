using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Report.Json;

/// <summary>Writes what limited the sender of a direction: shares that add up to 1, or are all 0 without active time, and times that add up to it.</summary>
/// <param name="json">Where to.</param>
sealed class LimitsJson(JsonOutput json)
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

    readonly JsonRun<Shares> _shares = new(WriteShares);

    /// <summary>Writes the limits.</summary>
    /// <param name="limits">The limits; null when not known.</param>
    public void Write(LimitSummary? limits)
    {
        if (limits is null)
        {
            json.WriteNull("limits"u8);
            return;
        }

        json.WriteStartObject("limits"u8);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(limits.Evidence));
        json.WriteNumber("samples"u8, limits.Samples);
        _shares.Write(json, Shares.Of(limits.Times));
        WriteTimes(limits.Times);
        json.WriteMicroseconds("uncertainMicroseconds"u8, limits.Uncertain + limits.UncertainSendBuffer);
        json.WriteEndObject();
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
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(Evidence.Events));
        json.WriteNumber("samples"u8, counters.Samples);
    }

    static void WriteShares(JsonOutput json, Shares shares)
    {
        json.WriteStartObject("shares"u8);
        foreach ((LimitState state, byte[] name) in States)
        {
            json.WriteNumber(name, shares[(int)state]);
        }

        json.WriteEndObject();
    }

    void WriteTimes(in LimitTimes times)
    {
        json.WriteStartObject("microseconds"u8);
        foreach ((LimitState state, byte[] name) in States)
        {
            json.WriteMicroseconds(name, times.In(state));
        }

        json.WriteEndObject();
    }

    // Parts of the active time in each state: mostly one state has all of it.
    [InlineArray(LimitTimes.States)]
    struct Shares : IEquatable<Shares>
    {
        double _first;

        public static Shares Of(in LimitTimes times)
        {
            double total = Math.Max(times.Total, 1);
            var shares = default(Shares);
            for (int i = 0; i < LimitTimes.States; i++)
            {
                shares[i] = times[i] / total;
            }

            return shares;
        }

        public readonly bool Equals(Shares other) => ((ReadOnlySpan<double>)this).SequenceEqual(other);

        public override readonly bool Equals(object? obj) => obj is Shares other && Equals(other);

        public override readonly int GetHashCode() => _first.GetHashCode();
    }
}
