using System.Text.Json;
using TcpDiag.Analysis;

namespace TcpDiag.Report.Json;

/// <summary>Writes what one end of a connection sent, and what came back for it.</summary>
static class DirectionJson
{
    /// <summary>Writes a direction.</summary>
    /// <param name="json">Where to.</param>
    /// <param name="from">The sender: client or server.</param>
    /// <param name="connection">The connection.</param>
    /// <param name="direction">Its direction.</param>
    public static void Write(Utf8JsonWriter json, string from, Connection connection, ConnectionDirection direction)
    {
        json.WriteStartObject();
        json.WriteString("from"u8, from);
        WriteAmounts(json, direction);
        WriteRetransmissions(json, direction);
        json.WriteObjectOrNull("loss"u8, direction.Loss, WriteLoss);
        json.WriteObjectOrNull("reordering"u8, direction.Reordering, WriteReordering);
        WriteReplies(json, direction);
        WriteRtt(json, direction);
        json.WriteNumberOrNull("maxInFlightBytes"u8, direction.MaxInFlightBytes);
        json.WriteObjectOrNull("cwnd"u8, direction.Cwnd, WriteCwnd);
        WriteReceiveWindow(json, connection, direction);
        json.WriteMicroseconds("activeMicroseconds"u8, direction.ActiveTime);
        json.WriteObjectOrNull("limits"u8, direction.Limits, LimitsJson.WriteFields);
        json.WriteObjectOrNull("limitCounters"u8, direction.LimitCounters, LimitsJson.WriteCounters);
        WriteMissing(json, connection, direction);
        json.WriteEndObject();
    }

    static void WriteMissing(Utf8JsonWriter json, Connection connection, ConnectionDirection direction)
    {
        json.WriteStartObject("notMeasured"u8);
        foreach ((string measure, string reason) in MissingMeasures.Of(connection, direction))
        {
            json.WriteString(measure, reason);
        }

        json.WriteEndObject();
    }

    static void WriteAmounts(Utf8JsonWriter json, ConnectionDirection direction)
    {
        bool isKnown = direction.Evidence != Evidence.None;
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        json.WriteNumberOrNull("packets"u8, hasPackets ? direction.Packets : null);
        json.WriteNumberOrNull("frameBytes"u8, hasPackets ? direction.FrameBytes : null);
        json.WriteNumberOrNull("wireSegments"u8, isKnown ? direction.WireSegments : null);
        json.WriteNumberOrNull("payloadBytes"u8, isKnown ? direction.PayloadBytes : null);
        json.WriteNumberOrNull("uniqueBytes"u8, isKnown ? direction.UniqueBytes : null);
        json.WriteNumberOrNull("unseenBytes"u8, hasPackets ? direction.UnseenBytes : null);
        json.WriteNumberOrNull("goodputBitsPerSecond"u8, direction.GoodputBitsPerSecond);
        json.WriteNumberOrNull("mss"u8, direction.Mss);
        if (direction.SynOptions is { } options)
        {
            json.WriteStrings("synOptions"u8, TcpOptionNames.Of(options));
        }
        else
        {
            json.WriteNull("synOptions"u8);
        }
    }

    static void WriteRetransmissions(Utf8JsonWriter json, ConnectionDirection direction)
    {
        bool isKnown = direction.Evidence != Evidence.None;
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        json.WriteStartObject("retransmissions"u8);
        json.WriteNumberOrNull("total"u8, isKnown ? direction.Retransmissions : null);
        json.WriteObjectOrNull("byTrigger"u8, direction.Triggers, WriteTriggers);
        json.WriteNumberOrNull("namedByEvents"u8, direction.Triggers is null ? null : direction.NamedTriggers);
        json.WriteObjectOrNull("byNeed"u8, direction.Needs, WriteNeeds);
        json.WriteNumberOrNull("zeroWindowProbes"u8, hasPackets ? direction.ZeroWindowProbes : null);
        json.WriteNumberOrNull("keepAlives"u8, hasPackets ? direction.KeepAlives : null);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(direction.Evidence));
        json.WriteNumberOrNull("samples"u8, isKnown ? direction.WireSegments : null);
        json.WriteEndObject();
    }

    static void WriteTriggers(Utf8JsonWriter json, TriggerCounts by)
    {
        json.WriteNumber("fast"u8, by.Fast);
        json.WriteNumber("tlp"u8, by.Tlp);
        json.WriteNumber("rto"u8, by.Rto);
        json.WriteNumber("lostRetransmission"u8, by.LostRetransmission);
        json.WriteNumber("unknown"u8, by.Unknown);
    }

    static void WriteNeeds(Utf8JsonWriter json, NeedCounts by)
    {
        json.WriteNumber("necessary"u8, by.Necessary);
        json.WriteNumber("spurious"u8, by.Spurious);
        json.WriteNumber("likelySpurious"u8, by.LikelySpurious);
        json.WriteNumber("unknown"u8, by.Unknown);
    }

    static void WriteLoss(Utf8JsonWriter json, LossSummary loss)
    {
        json.WriteNumber("packets"u8, loss.Packets);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(loss.Evidence));
        json.WriteNumber("samples"u8, loss.Samples);
    }

    static void WriteReordering(Utf8JsonWriter json, ReorderingSummary reordering)
    {
        json.WriteNumber("packets"u8, reordering.Packets);
        json.WriteNumber("ratio"u8, reordering.Ratio);
        json.WriteMicroseconds("maxExtentMicroseconds"u8, reordering.MaxExtent);
        json.WriteMicroseconds("medianExtentMicroseconds"u8, reordering.MedianExtent);
        json.WriteNumberOrNull("maxExtentPackets"u8, reordering.MaxExtentPackets);
        json.WriteNumberOrNull("maxExtentBytes"u8, reordering.MaxExtentBytes);
        json.WriteNumberOrNull("threeReordered"u8, reordering.ThreeReordered);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(reordering.Evidence));
        json.WriteNumber("samples"u8, reordering.Samples);
    }

    static void WriteReplies(Utf8JsonWriter json, ConnectionDirection direction)
    {
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        json.WriteNumberOrNull("dsacks"u8, hasPackets ? direction.Dsacks : null);
        json.WriteNumberOrNull("dsacksTsharkFilter"u8, hasPackets ? direction.DsacksTsharkFilter : null);
        json.WriteNumberOrNull("duplicateAcks"u8, hasPackets ? direction.DuplicateAcks : null);
        json.WriteNumberOrNull("zeroWindows"u8, hasPackets ? direction.ZeroWindows : null);
        json.WriteNumberOrNull("outOfOrder"u8, hasPackets ? direction.OutOfOrder : null);
    }

    static void WriteRtt(Utf8JsonWriter json, ConnectionDirection direction)
    {
        RttSummary rtt = direction.Rtt;
        bool isKnown = rtt.Samples > 0;
        json.WriteStartObject("rtt"u8);
        json.WriteMicroseconds("minMicroseconds"u8, isKnown ? rtt.Min : null);
        json.WriteMicroseconds("medianMicroseconds"u8, isKnown ? rtt.Median : null);
        json.WriteMicroseconds("p95Microseconds"u8, isKnown ? rtt.P95 : null);
        json.WriteString("evidence"u8, isKnown ? ConnectionJson.NameOf(direction.Evidence) : null);
        json.WriteNumber("samples"u8, rtt.Samples);
        json.WriteEndObject();
    }

    static void WriteCwnd(Utf8JsonWriter json, CwndSummary cwnd)
    {
        json.WriteNumberOrNull("maxBytes"u8, cwnd.MaxBytes);
        json.WriteNumberOrNull("minBytes"u8, cwnd.MinBytes);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(cwnd.Evidence));
        json.WriteNumber("samples"u8, cwnd.Samples);
    }

    static void WriteReceiveWindow(Utf8JsonWriter json, Connection connection, ConnectionDirection direction)
    {
        ConnectionDirection back = connection.Other(direction);
        bool isKnown = direction.MaxReceiveWindowBytes is not null;
        json.WriteStartObject("receiveWindow"u8);
        json.WriteNumberOrNull("maxBytes"u8, direction.MaxReceiveWindowBytes);
        json.WriteNumberOrNull("minBytes"u8, direction.MinReceiveWindowBytes);
        json.WriteString("evidence"u8, isKnown ? ConnectionJson.NameOf(direction.Evidence) : null);
        json.WriteNumberOrNull("samples"u8, isKnown ? back.Packets : null);
        json.WriteEndObject();
    }
}
