using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Tests;

/// <summary>Which column of the store holds which figure of the analysis document; null for what follows from others, or is no figure.</summary>
static class FigureColumns
{
    static readonly string[] States =
        ["application", "idle", "sendBuffer", "congestionWindow", "receiveWindow", "pacing", "recovery", "timeout", "reassembly", "notJudged"];

    public static IReadOnlyDictionary<string, string?> Connection { get; } = new Dictionary<string, string?>(StringComparer.Ordinal)
    {
        ["index"] = "connection",
        ["client.address"] = "client_address",
        ["client.port"] = "client_port",
        ["server.address"] = "server_address",
        ["server.port"] = "server_port",
        ["process"] = "process_id",
        ["process.id"] = "process_id",
        ["process.name"] = "process",
        ["serverName"] = "server_name",
        ["startSeconds"] = null, // begin_ns counts from 1970
        ["durationSeconds"] = "duration_ns",
        ["handshake.complete"] = "handshake_complete",
        ["handshake.synRetransmissions"] = "syn_retransmissions",
        ["handshake.rttMicroseconds"] = "handshake_rtt_ns",
        ["handshake.synAckMicroseconds"] = "syn_ack_ns",
        ["handshake.nameLookupMicroseconds"] = "name_lookup_ns",
        ["roundTrip.minMicroseconds"] = "round_trip_min_ns",
        ["roundTrip.medianMicroseconds"] = "round_trip_median_ns",
        ["roundTrip.p95Microseconds"] = "round_trip_p95_ns",
        ["roundTrip.samples"] = "round_trip_samples",
        ["end"] = "end",
        ["vantage"] = "vantage",
        ["evidence"] = "evidence",
    };

    public static IReadOnlyDictionary<string, string?> Direction { get; } = new Dictionary<string, string?>(
        States.SelectMany(state => new KeyValuePair<string, string?>[]
        {
            new($"limits.shares.{state}", null),
            new($"limits.microseconds.{state}", $"limited_{string.Concat(state.Select(letter => char.IsUpper(letter) ? $"_{char.ToLowerInvariant(letter)}" : $"{letter}"))}_ns"),
        }),
        StringComparer.Ordinal)
    {
        ["from"] = "sender",
        ["packets"] = "packets",
        ["frameBytes"] = "frame_bytes",
        ["wireSegments"] = "wire_segments",
        ["payloadBytes"] = "payload_bytes",
        ["uniqueBytes"] = "unique_bytes",
        ["unseenBytes"] = "unseen_bytes",
        ["goodputBitsPerSecond"] = "goodput_bps",
        ["mss"] = "mss",
        ["synOptions"] = null,
        ["retransmissions.total"] = "retransmissions",
        ["retransmissions.byTrigger"] = "rtx_fast",
        ["retransmissions.byTrigger.fast"] = "rtx_fast",
        ["retransmissions.byTrigger.tlp"] = "rtx_tlp",
        ["retransmissions.byTrigger.rto"] = "rtx_rto",
        ["retransmissions.byTrigger.lostRetransmission"] = "rtx_lost_retransmission",
        ["retransmissions.byTrigger.unknown"] = "rtx_unknown_trigger",
        ["retransmissions.namedByEvents"] = "rtx_named_by_events",
        ["retransmissions.byNeed"] = "rtx_necessary",
        ["retransmissions.byNeed.necessary"] = "rtx_necessary",
        ["retransmissions.byNeed.spurious"] = "rtx_spurious",
        ["retransmissions.byNeed.likelySpurious"] = "rtx_likely_spurious",
        ["retransmissions.byNeed.unknown"] = "rtx_unknown_need",
        ["retransmissions.zeroWindowProbes"] = "zero_window_probes",
        ["retransmissions.keepAlives"] = "keep_alives",
        ["retransmissions.evidence"] = "evidence",
        ["retransmissions.samples"] = "wire_segments",
        ["loss"] = "loss_packets",
        ["loss.packets"] = "loss_packets",
        ["loss.samples"] = "loss_samples",
        ["loss.evidence"] = "loss_evidence",
        ["reordering"] = "reordered_packets",
        ["reordering.packets"] = "reordered_packets",
        ["reordering.ratio"] = null,
        ["reordering.maxExtentMicroseconds"] = "reordered_max_ns",
        ["reordering.medianExtentMicroseconds"] = "reordered_median_ns",
        ["reordering.maxExtentPackets"] = "reordered_max_packets",
        ["reordering.maxExtentBytes"] = "reordered_max_bytes",
        ["reordering.threeReordered"] = "three_reordered",
        ["reordering.evidence"] = "reordered_evidence",
        ["reordering.samples"] = "reordered_samples",
        ["dsacks"] = "dsacks",
        ["dsacksTsharkFilter"] = "dsacks_tshark_filter",
        ["duplicateAcks"] = "duplicate_acks",
        ["zeroWindows"] = "zero_windows",
        ["outOfOrder"] = "out_of_order",
        ["ecn"] = "ecn",
        ["ecn.use"] = "ecn",
        ["ecn.markedPackets"] = "ecn_marked",
        ["ecn.echoes"] = "ecn_echoes",
        ["ecn.reductions"] = "ecn_reductions",
        ["rtt.minMicroseconds"] = "rtt_min_ns",
        ["rtt.medianMicroseconds"] = "rtt_median_ns",
        ["rtt.p95Microseconds"] = "rtt_p95_ns",
        ["rtt.samples"] = "rtt_samples",
        ["rtt.evidence"] = null,
        ["maxInFlightBytes"] = "max_in_flight_bytes",
        ["delivery"] = "delivery_best_bps",
        ["delivery.bestBitsPerSecond"] = "delivery_best_bps",
        ["delivery.burstBitsPerSecond"] = "delivery_burst_bps",
        ["delivery.pathFullMicroseconds"] = "path_full_ns",
        ["delivery.pathFullBitsPerSecond"] = "path_full_bps",
        ["slowStart"] = "slow_start",
        ["slowStart.cause"] = "slow_start",
        ["slowStart.exitBytes"] = "slow_start_exit_bytes",
        ["slowStart.exitPacket"] = "slow_start_exit_packet",
        ["slowStart.exitRttMicroseconds"] = "slow_start_exit_rtt_ns",
        ["slowStart.earlyRttMicroseconds"] = "slow_start_early_rtt_ns",
        ["slowStart.doublingMicroseconds"] = "slow_start_doubling_ns",
        ["slowStart.reductions"] = "window_reductions",
        ["cwnd"] = "cwnd_max_bytes",
        ["cwnd.maxBytes"] = "cwnd_max_bytes",
        ["cwnd.minBytes"] = "cwnd_min_bytes",
        ["cwnd.samples"] = "cwnd_samples",
        ["cwnd.evidence"] = "cwnd_evidence",
        ["receiveWindow.maxBytes"] = "receive_window_max_bytes",
        ["receiveWindow.minBytes"] = "receive_window_min_bytes",
        ["receiveWindow.evidence"] = null,
        ["receiveWindow.samples"] = null, // packets of the other direction
        ["activeMicroseconds"] = "active_ns",
        ["limits"] = "limited_idle_ns",
        ["limits.evidence"] = "limited_evidence",
        ["limits.samples"] = "limited_samples",
        ["limits.uncertainMicroseconds"] = "limited_uncertain_ns",
        ["limitCounters"] = "counted_samples",
        ["limitCounters.receiveWindowMicroseconds"] = "counted_receive_window_ns",
        ["limitCounters.congestionMicroseconds"] = "counted_congestion_ns",
        ["limitCounters.senderMicroseconds"] = "counted_sender_ns",
        ["limitCounters.receiveWindowBytes"] = "counted_receive_window_bytes",
        ["limitCounters.congestionBytes"] = "counted_congestion_bytes",
        ["limitCounters.senderBytes"] = "counted_sender_bytes",
        ["limitCounters.timeByBytes"] = "counted_time_by_bytes",
        ["limitCounters.comparable"] = "counted_comparable",
        ["limitCounters.differingShare"] = "counted_differing_ppm",
        ["limitCounters.samples"] = "counted_samples",
        ["limitCounters.evidence"] = null,
    };

    /// <summary>The values of a document with their paths, lists and the reasons of what is missing left out.</summary>
    public static IEnumerable<(string Path, JsonElement Value)> Leaves(JsonElement json, string path) => json.ValueKind switch
    {
        JsonValueKind.Object => json.EnumerateObject().Where(property => property.Name is not ("notMeasured" or "directions" or "findings"))
            .SelectMany(property => Leaves(property.Value, path.Length == 0 ? property.Name : $"{path}.{property.Name}")),
        _ => [(path, json)],
    };

    /// <summary>A value of the document in the unit of the store.</summary>
    public static string? Expected(string path, JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null => null,
        JsonValueKind.True => "1",
        JsonValueKind.False => "0",
        JsonValueKind.String => value.GetString(),
        _ => Text(value.GetDecimal() * FactorOf(path)),
    };

    /// <summary>A value of the store; null where nothing is known.</summary>
    public static string? Stored(StoreValue value) => value.IsNone ? null : value.ToString();

    static string Text(decimal value) => Math.Round(value, MidpointRounding.ToEven).ToString("0", System.Globalization.CultureInfo.InvariantCulture);

    static decimal FactorOf(string path) => path.EndsWith("Microseconds", StringComparison.Ordinal) || path.Contains(".microseconds.",
        StringComparison.Ordinal) ? 1000
        : path.EndsWith("Seconds", StringComparison.Ordinal) ? 1_000_000_000
        : path.EndsWith("Share", StringComparison.Ordinal) ? 1_000_000 : 1;
}
