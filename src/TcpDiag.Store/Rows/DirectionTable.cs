using System;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Store.Schema;
using TcpDiag.Wire;

namespace TcpDiag.Store.Rows;

/// <summary>What one end of a connection sent.</summary>
/// <param name="Head">The recording.</param>
/// <param name="Connection">The connection.</param>
/// <param name="IsFromClient">Whether the client sent it.</param>
sealed record DirectionSubject(RowHead Head, Connection Connection, bool IsFromClient)
{
    /// <summary>The direction.</summary>
    public ConnectionDirection Direction => IsFromClient ? Connection.FromClient : Connection.FromServer;

    /// <summary>Whether anything of it was recorded.</summary>
    public bool IsKnown => Direction.Evidence != Evidence.None;

    /// <summary>A count of packets; null where none were captured.</summary>
    public long? OfPackets(long count) => (Direction.Evidence & Evidence.Packets) != 0 ? count : null;

    /// <summary>A count of anything; null where nothing was recorded.</summary>
    public long? OfKnown(long count) => IsKnown ? count : null;

    /// <summary>A time of its RTT samples; null without any.</summary>
    public long? OfRtt(Func<RttSummary, long> time) => Direction.Rtt.Samples > 0 ? time(Direction.Rtt) : null;
}

/// <summary>
/// The table of directions: every number and every word of the analysis document about one end's data. Times are nanoseconds; what the document derives of
/// others, ratios and shares, is derived again by whoever asks.
/// </summary>
static class DirectionTable
{
    /// <summary>What <c>recorded_at</c> says where the sender was recorded.</summary>
    public const string RecordedSender = "sender";

    /// <summary>The same of the receiver.</summary>
    public const string RecordedReceiver = "receiver";

    public static TableMap<DirectionSubject> Map { get; } = Add(
        new TableMap<DirectionSubject>("direction", "what one end of a connection sent, and what came back for it", row => row.Head)
            .Key("connection", row => row.Connection.Index, "as analyze numbers it")
            .Key("sender", row => row.IsFromClient ? "client" : "server", "client, server")
            .Number("round_trip_min_ns", row => RoundTrip.Of(row.Connection) is { Samples: > 0 } rtt ? rtt.Min : null, "smallest round trip of the path"));

    static TableMap<DirectionSubject> Add(TableMap<DirectionSubject> map)
    {
        AddAmounts(map);
        AddRetransmissions(map);
        AddPath(map);
        AddAcknowledgments(map);
        AddRates(map);
        AddLimits(map);
        AddCounters(map);
        return map;
    }

    static void AddAmounts(TableMap<DirectionSubject> map) => map
        .Number("packets", row => row.OfPackets(row.Direction.Packets), "packets captured")
        .Number("frame_bytes", row => row.OfPackets(row.Direction.FrameBytes), "their bytes on the wire")
        .Number("wire_segments", row => row.OfKnown(row.Direction.WireSegments), "data segments, offloaded ones cut")
        .Number("payload_bytes", row => row.OfKnown(row.Direction.PayloadBytes), "payload, resent included")
        .Number("unique_bytes", row => row.OfKnown(row.Direction.UniqueBytes), "payload, each byte once")
        .Number("unseen_bytes", row => row.OfPackets(row.Direction.UnseenBytes), "acknowledged, never captured")
        .Rounded("goodput_bps", row => row.Direction.GoodputBitsPerSecond, "unique bytes over active time")
        .Number("active_ns", row => row.Direction.ActiveTime, "first payload until all is acknowledged")
        .Number("mss", row => row.Direction.Mss, "largest payload of a segment, bytes")
        .Word("syn_options", row => OptionsOf(row.Direction.SynOptions), "TCP options of its SYN, with + between them");

    static void AddRetransmissions(TableMap<DirectionSubject> map) => map
        .Number("retransmissions", row => row.OfKnown(row.Direction.Retransmissions), "segments resent")
        .Number("rtx_fast", row => row.Direction.Triggers?.Fast, "by SACK or duplicate ACKs")
        .Number("rtx_tlp", row => row.Direction.Triggers?.Tlp, "tail loss probes")
        .Number("rtx_rto", row => row.Direction.Triggers?.Rto, "by the timer")
        .Number("rtx_lost_retransmission", row => row.Direction.Triggers?.LostRetransmission, "once more, without the timer")
        .Number("rtx_unknown_trigger", row => row.Direction.Triggers?.Unknown, "trigger not known")
        .Number("rtx_named_by_events", row => row.Direction.Triggers is null ? null : row.Direction.NamedTriggers, "trigger named by events")
        .Number("rtx_necessary", row => row.Direction.Needs?.Necessary, "the data had not arrived")
        .Number("rtx_spurious", row => row.Direction.Needs?.Spurious, "proven needless")
        .Number("rtx_likely_spurious", row => row.Direction.Needs?.LikelySpurious, "probably needless")
        .Number("rtx_unknown_need", row => row.Direction.Needs?.Unknown, "need not known")
        .Number("zero_window_probes", row => row.OfPackets(row.Direction.ZeroWindowProbes), "probes of a zero window")
        .Number("keep_alives", row => row.OfPackets(row.Direction.KeepAlives), "keep-alives")
        .Word("evidence", row => Names.OfEvidence(row.Direction.Evidence), "packets, events, both");

    static void AddPath(TableMap<DirectionSubject> map) => map
        .Number("loss_packets", row => row.Direction.Loss?.Packets, "lost on the path")
        .Number("loss_samples", row => row.Direction.Loss?.Samples, "of so many")
        .Word("loss_evidence", row => Names.OfEvidence(row.Direction.Loss?.Evidence), "packets, events, both")
        .Number("reordered_packets", row => row.Direction.Reordering?.Packets, "came late")
        .Number("reordered_samples", row => row.Direction.Reordering?.Samples, "of so many")
        .Word("reordered_evidence", row => Names.OfEvidence(row.Direction.Reordering?.Evidence), "packets, events, both")
        .Number("reordered_max_ns", row => row.Direction.Reordering?.Extents?.Max, "largest lateness")
        .Number("reordered_median_ns", row => row.Direction.Reordering?.Extents?.Median, "median lateness")
        .Number("reordered_max_packets", row => row.Direction.Reordering?.Extents?.MaxPackets, "most that overtook one")
        .Number("reordered_max_bytes", row => row.Direction.Reordering?.Extents?.MaxBytes, "most bytes that did")
        .Number("three_reordered", row => row.Direction.Reordering?.Extents?.ThreeReordered, "overtaken by three or more (RFC 4737 §5)")
        .Word("ecn", row => row.Direction.Ecn is { } ecn ? Names.Of(ecn.Use) : null, "off, classic, accurate, unknown")
        .Number("ecn_marked", row => row.Direction.Ecn?.Marked, "packets marked by queues")
        .Number("ecn_echoes", row => row.Direction.Ecn?.Echoes, "echoes that came back")
        .Number("ecn_reductions", row => row.Direction.Ecn?.Reductions, "reductions for them");

    static void AddAcknowledgments(TableMap<DirectionSubject> map) => map
        .Number("dsacks", row => row.OfPackets(row.Direction.Dsacks), "DSACKs that came back (RFC 2883)")
        .Number("dsacks_tshark_filter", row => row.OfPackets(row.Direction.DsacksTsharkFilter), "packets with tcp.options.sack_le < tcp.ack")
        .Number("duplicate_acks", row => row.OfPackets(row.Direction.DuplicateAcks), "duplicate ACKs that came back")
        .Number("zero_windows", row => row.OfPackets(row.Direction.ZeroWindows), "windows of 0 that came back")
        .Number("out_of_order", row => row.OfPackets(row.Direction.OutOfOrder), "came late, no retransmissions")
        .Number("rtt_min_ns", row => row.OfRtt(rtt => rtt.Min), "RTT of its own data, smallest")
        .Number("rtt_median_ns", row => row.OfRtt(rtt => rtt.Median), "median")
        .Number("rtt_p95_ns", row => row.OfRtt(rtt => rtt.P95), "95th percentile")
        .Number("rtt_samples", row => row.Direction.Rtt.Samples, "samples");

    static void AddRates(TableMap<DirectionSubject> map) => map
        .Number("max_in_flight_bytes", row => row.Direction.MaxInFlightBytes, "most in flight")
        .Rounded("delivery_best_bps", row => row.Direction.Delivery?.BestBitsPerSecond, "highest rate held for two round trips")
        .Rounded("delivery_burst_bps", row => row.Direction.Delivery?.BurstBitsPerSecond, "rate of bursts behind the slowest link")
        .Number("path_full_ns", row => row.Direction.Delivery?.PathFullTime, "time in which a queue stood on the path")
        .Rounded("path_full_bps", row => row.Direction.Delivery?.PathFullBitsPerSecond, "rate in that time")
        .Word("slow_start", row => row.Direction.SlowStart is { } start ? Names.Of(start.Cause) : null,
            "why it ended: reduction, earlyPacket, delay, ackTrain, unknown")
        .Number("slow_start_exit_bytes", row => row.Direction.SlowStart?.ExitBytes, "in flight then")
        .Number("slow_start_exit_packet", row => row.Direction.SlowStart?.Exit?.Packet, "the acknowledgment it began with")
        .Number("slow_start_exit_rtt_ns", row => row.Direction.SlowStart?.ExitRtt, "SRTT then")
        .Number("slow_start_early_rtt_ns", row => row.Direction.SlowStart?.EarlyRtt, "sample of the packet that overtook others")
        .Number("slow_start_doubling_ns", row => row.Direction.SlowStart?.DoublingTime, "until twice as much was in flight")
        .Number("window_reductions", row => row.Direction.SlowStart?.Reductions, "recoveries and marks that left less in flight")
        .Number("cwnd_max_bytes", row => row.Direction.Cwnd?.MaxBytes, "largest congestion window")
        .Number("cwnd_min_bytes", row => row.Direction.Cwnd?.MinBytes, "smallest")
        .Number("cwnd_samples", row => row.Direction.Cwnd?.Samples, "samples")
        .Word("cwnd_evidence", row => Names.OfEvidence(row.Direction.Cwnd?.Evidence), "packets, events, both")
        .Number("receive_window_max_bytes", row => row.Direction.MaxReceiveWindowBytes, "largest receive window that came back")
        .Number("receive_window_min_bytes", row => row.Direction.MinReceiveWindowBytes, "smallest");

    static void AddLimits(TableMap<DirectionSubject> map)
    {
        foreach (LimitState state in Enum.GetValues<LimitState>())
        {
            map.Number($"limited_{ColumnOf(state)}_ns", row => row.Direction.Limits?.Times.In(state), $"time limited by: {Names.Of(state)}");
        }

        map.Number("limited_uncertain_ns", row => row.Direction.Limits is { } limits ? limits.Uncertain + limits.UncertainSendBuffer : null,
            "of that, uncertain")
            .Number("limited_samples", row => row.Direction.Limits?.Samples, "intervals judged")
            .Word("limited_evidence", row => Names.OfEvidence(row.Direction.Limits?.Evidence), "packets, events, both");
    }

    static void AddCounters(TableMap<DirectionSubject> map) => map
        .Number("counted_receive_window_ns", row => row.Direction.LimitCounters?.Times?.ReceiveWindow, "limited by it, as the stack counted")
        .Number("counted_congestion_ns", row => row.Direction.LimitCounters?.Times?.Congestion, "the same of congestion control")
        .Number("counted_sender_ns", row => row.Direction.LimitCounters?.Times?.Sender, "the same of the sender")
        .Number("counted_receive_window_bytes", row => row.Direction.LimitCounters?.Bytes?.ReceiveWindow, "bytes sent in it")
        .Number("counted_congestion_bytes", row => row.Direction.LimitCounters?.Bytes?.Congestion, "bytes sent in it")
        .Number("counted_sender_bytes", row => row.Direction.LimitCounters?.Bytes?.Sender, "bytes sent in it")
        .Flag("counted_time_by_bytes", row => row.Direction.LimitCounters?.IsTimeByBytes, "the times were divided as the bytes are")
        .Flag("counted_comparable", row => row.Direction.LimitCounters?.IsComparable, "the times can be compared with the limits")
        .Share(
            "counted_differing_ppm",
            row => row.Direction.LimitCounters is { IsComparable: true } counters ? counters.Disagreement?.Part ?? 0 : null, "active time in which they differ")
        .Number("counted_samples", row => row.Direction.LimitCounters?.Samples, "events with counters")
        .Since(3)
        .Word("recorded_at", RecordedAt, "which end was recorded: sender, receiver; middle, unknown");

    static string RecordedAt(DirectionSubject row) => row.Connection.Vantage switch
    {
        Vantage.Client => row.IsFromClient ? RecordedSender : RecordedReceiver,
        Vantage.Server => row.IsFromClient ? RecordedReceiver : RecordedSender,
        var other => Names.Of(other),
    };

    // sendBuffer → send_buffer.
    static string ColumnOf(LimitState state) =>
        string.Concat(Names.Of(state).Select(letter => char.IsUpper(letter) ? $"_{char.ToLowerInvariant(letter)}" : $"{letter}"));

    static string? OptionsOf(TcpOptionKinds? options) => options is { } kinds
        ? string.Join('+', Enum.GetValues<TcpOptionKinds>().Where(kind => kind != TcpOptionKinds.None && kinds.HasFlag(kind)).Select(kind => Names.Of(kind)))
        : null;
}
