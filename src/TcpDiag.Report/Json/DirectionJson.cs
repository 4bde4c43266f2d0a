using System;
using System.Text;
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
    public static void Write(JsonOutput json, string from, Connection connection, ConnectionDirection direction)
    {
        json.WriteStartObject();
        json.WriteString("from"u8, from);
        WriteAmounts(json, direction);
        WriteRetransmissions(json, direction);
        json.WriteObject("loss"u8, direction.Loss, WriteLoss);
        json.WriteObject("reordering"u8, direction.Reordering, WriteReordering);
        WriteReplies(json, direction);
        WriteRtt(json, direction);
        json.WriteNumber("maxInFlightBytes"u8, direction.MaxInFlightBytes);
        json.WriteObject("cwnd"u8, direction.Cwnd, WriteCwnd);
        WriteReceiveWindow(json, connection, direction);
        json.WriteMicroseconds("activeMicroseconds"u8, direction.ActiveTime);
        json.WriteObject("limits"u8, direction.Limits, LimitsJson.WriteFields);
        json.WriteObject("limitCounters"u8, direction.LimitCounters, LimitsJson.WriteCounters);
        WriteMissing(json, connection, direction);
        json.WriteEndObject();
    }

    static void WriteMissing(JsonOutput json, Connection connection, ConnectionDirection direction)
    {
        json.WriteStartObject("notMeasured"u8);
        foreach ((string measure, string reason) in MissingMeasures.Of(connection, direction))
        {
            WriteReason(json, measure, reason);
        }

        json.WriteEndObject();
    }

    static void WriteReason(JsonOutput json, string measure, string reason)
    {
        Span<byte> name = stackalloc byte[measure.Length];
        _ = Ascii.FromUtf16(measure, name, out _);
        json.WriteString(name, reason);
    }

    static void WriteAmounts(JsonOutput json, ConnectionDirection direction)
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
        json.WriteNumber("mss"u8, direction.Mss);
        if (direction.SynOptions is { } options)
        {
            json.WriteStrings("synOptions"u8, TcpOptionNames.Of(options));
        }
        else
        {
            json.WriteNull("synOptions"u8);
        }
    }

    static void WriteRetransmissions(JsonOutput json, ConnectionDirection direction)
    {
        bool isKnown = direction.Evidence != Evidence.None;
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        json.WriteStartObject("retransmissions"u8);
        json.WriteNumber("total"u8, isKnown ? direction.Retransmissions : null);
        json.WriteObject("byTrigger"u8, direction.Triggers, WriteTriggers);
        json.WriteNumber("namedByEvents"u8, direction.Triggers is null ? null : direction.NamedTriggers);
        json.WriteObject("byNeed"u8, direction.Needs, WriteNeeds);
        json.WriteNumber("zeroWindowProbes"u8, hasPackets ? direction.ZeroWindowProbes : null);
        json.WriteNumber("keepAlives"u8, hasPackets ? direction.KeepAlives : null);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(direction.Evidence));
        json.WriteNumber("samples"u8, isKnown ? direction.WireSegments : null);
        json.WriteEndObject();
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
        json.WriteString("evidence"u8, ConnectionJson.NameOf(loss.Evidence));
        json.WriteNumber("samples"u8, loss.Samples);
    }

    static void WriteReordering(JsonOutput json, ReorderingSummary reordering)
    {
        json.WriteNumber("packets"u8, reordering.Packets);
        json.WriteNumber("ratio"u8, reordering.Ratio);
        json.WriteMicroseconds("maxExtentMicroseconds"u8, reordering.MaxExtent);
        json.WriteMicroseconds("medianExtentMicroseconds"u8, reordering.MedianExtent);
        json.WriteNumber("maxExtentPackets"u8, reordering.MaxExtentPackets);
        json.WriteNumber("maxExtentBytes"u8, reordering.MaxExtentBytes);
        json.WriteNumber("threeReordered"u8, reordering.ThreeReordered);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(reordering.Evidence));
        json.WriteNumber("samples"u8, reordering.Samples);
    }

    static void WriteReplies(JsonOutput json, ConnectionDirection direction)
    {
        bool hasPackets = (direction.Evidence & Evidence.Packets) != 0;
        json.WriteNumber("dsacks"u8, hasPackets ? direction.Dsacks : null);
        json.WriteNumber("dsacksTsharkFilter"u8, hasPackets ? direction.DsacksTsharkFilter : null);
        json.WriteNumber("duplicateAcks"u8, hasPackets ? direction.DuplicateAcks : null);
        json.WriteNumber("zeroWindows"u8, hasPackets ? direction.ZeroWindows : null);
        json.WriteNumber("outOfOrder"u8, hasPackets ? direction.OutOfOrder : null);
    }

    static void WriteRtt(JsonOutput json, ConnectionDirection direction)
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

    static void WriteCwnd(JsonOutput json, CwndSummary cwnd)
    {
        json.WriteNumber("maxBytes"u8, cwnd.MaxBytes);
        json.WriteNumber("minBytes"u8, cwnd.MinBytes);
        json.WriteString("evidence"u8, ConnectionJson.NameOf(cwnd.Evidence));
        json.WriteNumber("samples"u8, cwnd.Samples);
    }

    static void WriteReceiveWindow(JsonOutput json, Connection connection, ConnectionDirection direction)
    {
        ConnectionDirection back = connection.Other(direction);
        bool isKnown = direction.MaxReceiveWindowBytes is not null;
        json.WriteStartObject("receiveWindow"u8);
        json.WriteNumber("maxBytes"u8, direction.MaxReceiveWindowBytes);
        json.WriteNumber("minBytes"u8, direction.MinReceiveWindowBytes);
        json.WriteString("evidence"u8, isKnown ? ConnectionJson.NameOf(direction.Evidence) : null);
        json.WriteNumber("samples"u8, isKnown ? back.Packets : null);
        json.WriteEndObject();
    }
}
