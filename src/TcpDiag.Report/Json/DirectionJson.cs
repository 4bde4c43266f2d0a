using System;
using System.Text;
using TcpDiag.Analysis;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Writes what one end of a connection sent, and what came back for it. Most directions are calm: much of what is told of them is the same for all.</summary>
/// <param name="json">Where to.</param>
sealed class DirectionJson(JsonOutput json)
{
    readonly JsonRun<Handshaken> _handshaken = new(WriteHandshaken);
    readonly JsonRun<Resent> _resent = new(WriteResent);
    readonly JsonRun<Extents> _extents = new(WriteExtents);
    readonly JsonRun<Replies> _replies = new(WriteReplies);
    readonly LimitsJson _limits = new(json);

    /// <summary>Writes a direction.</summary>
    /// <param name="from">The sender: client or server.</param>
    /// <param name="connection">The connection.</param>
    /// <param name="direction">Its direction.</param>
    public void Write(ReadOnlySpan<byte> from, Connection connection, ConnectionDirection direction)
    {
        json.WriteStartObject();
        json.WriteString("from"u8, from);
        WriteAmounts(direction);
        WriteRetransmissions(direction);
        json.WriteObject("loss"u8, direction.Loss, WriteLoss);
        WriteReordering(direction.Reordering);
        _replies.Write(json, Replies.Of(direction));
        WriteRtt(direction);
        json.WriteNumber("maxInFlightBytes"u8, direction.MaxInFlightBytes);
        json.WriteObject("cwnd"u8, direction.Cwnd, WriteCwnd);
        WriteReceiveWindow(connection, direction);
        json.WriteMicroseconds("activeMicroseconds"u8, direction.ActiveTime);
        _limits.Write(direction.Limits);
        json.WriteObject("limitCounters"u8, direction.LimitCounters, LimitsJson.WriteCounters);
        WriteMissing(connection, direction);
        json.WriteEndObject();
    }

    void WriteMissing(Connection connection, ConnectionDirection direction)
    {
        json.WriteStartObject("notMeasured"u8);
        foreach ((string measure, string reason) in MissingMeasures.Of(connection, direction))
        {
            WriteReason(measure, reason);
        }

        json.WriteEndObject();
    }

    void WriteReason(string measure, string reason)
    {
        Span<byte> name = stackalloc byte[measure.Length];
        _ = Ascii.FromUtf16(measure, name, out _);
        json.WriteString(name, reason);
    }

    void WriteAmounts(ConnectionDirection direction)
    {
        bool isKnown = direction.Evidence != Evidence.None;
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        json.WriteNumber("packets"u8, hasPackets ? direction.Packets : null);
        json.WriteNumber("frameBytes"u8, hasPackets ? direction.FrameBytes : null);
        json.WriteNumber("wireSegments"u8, isKnown ? direction.WireSegments : null);
        json.WriteNumber("payloadBytes"u8, isKnown ? direction.PayloadBytes : null);
        json.WriteNumber("uniqueBytes"u8, isKnown ? direction.UniqueBytes : null);
        json.WriteNumber("unseenBytes"u8, hasPackets ? direction.UnseenBytes : null);
        json.WriteNumber("goodputBitsPerSecond"u8, direction.GoodputBitsPerSecond);
        _handshaken.Write(json, new(direction.Mss, direction.SynOptions));
    }

    static void WriteHandshaken(JsonOutput json, Handshaken values)
    {
        json.WriteNumber("mss"u8, values.Mss);
        if (values.Options is { } options)
        {
            json.WriteStrings("synOptions"u8, TcpOptionNames.Of(options));
        }
        else
        {
            json.WriteNull("synOptions"u8);
        }
    }

    void WriteRetransmissions(ConnectionDirection direction)
    {
        json.WriteStartObject("retransmissions"u8);
        _resent.Write(json, Resent.Of(direction));
        json.WriteNumber("samples"u8, direction.Evidence != Evidence.None ? direction.WireSegments : null);
        json.WriteEndObject();
    }

    static void WriteResent(JsonOutput json, Resent values)
    {
        json.WriteNumber("total"u8, values.Total);
        json.WriteObject("byTrigger"u8, values.Triggers, WriteTriggers);
        json.WriteNumber("namedByEvents"u8, values.NamedTriggers);
        json.WriteObject("byNeed"u8, values.Needs, WriteNeeds);
        json.WriteNumber("zeroWindowProbes"u8, values.ZeroWindowProbes);
        json.WriteNumber("keepAlives"u8, values.KeepAlives);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(values.Evidence));
    }

    static void WriteTriggers(JsonOutput json, TriggerCounts by)
    {
        json.WriteNumber("fast"u8, by.Fast);
        json.WriteNumber("tlp"u8, by.Tlp);
        json.WriteNumber("rto"u8, by.Rto);
        json.WriteNumber("lostRetransmission"u8, by.LostRetransmission);
        json.WriteNumber("unknown"u8, by.Unknown);
    }

    static void WriteNeeds(JsonOutput json, NeedCounts by)
    {
        json.WriteNumber("necessary"u8, by.Necessary);
        json.WriteNumber("spurious"u8, by.Spurious);
        json.WriteNumber("likelySpurious"u8, by.LikelySpurious);
        json.WriteNumber("unknown"u8, by.Unknown);
    }

    static void WriteLoss(JsonOutput json, LossSummary loss)
    {
        json.WriteNumber("packets"u8, loss.Packets);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(loss.Evidence));
        json.WriteNumber("samples"u8, loss.Samples);
    }

    void WriteReordering(ReorderingSummary? reordering)
    {
        if (reordering is null)
        {
            json.WriteNull("reordering"u8);
            return;
        }

        json.WriteStartObject("reordering"u8);
        json.WriteNumber("packets"u8, reordering.Packets);
        json.WriteNumber("ratio"u8, reordering.Ratio);
        _extents.Write(json, Extents.Of(reordering));
        json.WriteNumber("samples"u8, reordering.Samples);
        json.WriteEndObject();
    }

    static void WriteExtents(JsonOutput json, Extents values)
    {
        json.WriteMicroseconds("maxExtentMicroseconds"u8, values.Max);
        json.WriteMicroseconds("medianExtentMicroseconds"u8, values.Median);
        json.WriteNumber("maxExtentPackets"u8, values.MaxPackets);
        json.WriteNumber("maxExtentBytes"u8, values.MaxBytes);
        json.WriteNumber("threeReordered"u8, values.ThreeReordered);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(values.Evidence));
    }

    static void WriteReplies(JsonOutput json, Replies values)
    {
        json.WriteNumber("dsacks"u8, values.Dsacks);
        json.WriteNumber("dsacksTsharkFilter"u8, values.DsacksTsharkFilter);
        json.WriteNumber("duplicateAcks"u8, values.DuplicateAcks);
        json.WriteNumber("zeroWindows"u8, values.ZeroWindows);
        json.WriteNumber("outOfOrder"u8, values.OutOfOrder);
    }

    void WriteRtt(ConnectionDirection direction)
    {
        RttSummary rtt = direction.Rtt;
        bool isKnown = rtt.Samples > 0;
        json.WriteStartObject("rtt"u8);
        json.WriteMicroseconds("minMicroseconds"u8, isKnown ? rtt.Min : null);
        json.WriteMicroseconds("medianMicroseconds"u8, isKnown ? rtt.Median : null);
        json.WriteMicroseconds("p95Microseconds"u8, isKnown ? rtt.P95 : null);
        json.WriteWord("evidence"u8, isKnown ? ConnectionJson.NameOf(direction.Evidence) : default);
        json.WriteNumber("samples"u8, rtt.Samples);
        json.WriteEndObject();
    }

    static void WriteCwnd(JsonOutput json, CwndSummary cwnd)
    {
        json.WriteNumber("maxBytes"u8, cwnd.MaxBytes);
        json.WriteNumber("minBytes"u8, cwnd.MinBytes);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(cwnd.Evidence));
        json.WriteNumber("samples"u8, cwnd.Samples);
    }

    void WriteReceiveWindow(Connection connection, ConnectionDirection direction)
    {
        ConnectionDirection back = connection.Other(direction);
        bool isKnown = direction.MaxReceiveWindowBytes is not null;
        json.WriteStartObject("receiveWindow"u8);
        json.WriteNumber("maxBytes"u8, direction.MaxReceiveWindowBytes);
        json.WriteNumber("minBytes"u8, direction.MinReceiveWindowBytes);
        json.WriteWord("evidence"u8, isKnown ? ConnectionJson.NameOf(direction.Evidence) : default);
        json.WriteNumber("samples"u8, isKnown ? back.Packets : null);
        json.WriteEndObject();
    }

    // What both SYNs settle.
    readonly record struct Handshaken(int? Mss, TcpOptionKinds? Options);

    readonly record struct Resent(long? Total, TriggerCounts? Triggers, long? NamedTriggers, NeedCounts? Needs, int? ZeroWindowProbes, int? KeepAlives, Evidence Evidence)
    {
        public static Resent Of(ConnectionDirection direction)
        {
            bool isKnown = direction.Evidence != Evidence.None;
            bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
            return new(
                isKnown ? direction.Retransmissions : null,
                direction.Triggers,
                direction.Triggers is null ? null : direction.NamedTriggers,
                direction.Needs,
                hasPackets ? direction.ZeroWindowProbes : null,
                hasPackets ? direction.KeepAlives : null,
                direction.Evidence);
        }
    }

    readonly record struct Extents(long? Max, long? Median, long? MaxPackets, long? MaxBytes, long? ThreeReordered, Evidence Evidence)
    {
        public static Extents Of(ReorderingSummary reordering) =>
            new(reordering.Extents?.Max, reordering.Extents?.Median, reordering.Extents?.MaxPackets, reordering.Extents?.MaxBytes, reordering.Extents?.ThreeReordered, reordering.Evidence);
    }

    readonly record struct Replies(int? Dsacks, int? DsacksTsharkFilter, int? DuplicateAcks, int? ZeroWindows, int? OutOfOrder)
    {
        public static Replies Of(ConnectionDirection direction) => (direction.Evidence & Evidence.Packets) == 0
            ? default
            : new(direction.Dsacks, direction.DsacksTsharkFilter, direction.DuplicateAcks, direction.ZeroWindows, direction.OutOfOrder);
    }
}
