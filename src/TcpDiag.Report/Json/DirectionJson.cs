using System;
using System.Text;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Report.Json;

/// <summary>Writes what one end of a connection sent, and what came back for it.</summary>
static class DirectionJson
{
    const int MaxMeasureName = 64; // bytes; names of fields, by MissingMeasures

    /// <summary>Writes a direction.</summary>
    public static void Write(JsonOutput json, ReadOnlySpan<byte> from, Connection connection, ConnectionDirection direction)
    {
        json.WriteStartObject();
        json.WriteString("from"u8, from);
        WriteAmounts(json, direction);
        WriteRetransmissions(json, direction);
        WriteLoss(json, direction.Loss);
        WriteReordering(json, direction.Reordering);
        WriteAcknowledgements(json, direction);
        WriteEcn(json, direction.Ecn);
        WriteRtt(json, direction);
        json.WriteNumber("maxInFlightBytes"u8, direction.MaxInFlightBytes);
        WriteDelivery(json, direction.Delivery);
        WriteSlowStart(json, direction.SlowStart);
        WriteCwnd(json, direction.Cwnd);
        WriteReceiveWindow(json, connection, direction);
        json.WriteMicroseconds("activeMicroseconds"u8, direction.ActiveTime);
        LimitsJson.Write(json, direction.Limits);
        LimitsJson.WriteCounters(json, direction.LimitCounters);
        WriteNotMeasured(json, connection, direction);
        json.WriteEndObject();
    }

    static void WriteDelivery(JsonOutput json, DeliverySummary? delivery)
    {
        if (delivery is null)
        {
            json.WriteNull("delivery"u8);
            return;
        }

        json.WriteStartObject("delivery"u8);
        json.WriteNumber("bestBitsPerSecond"u8, delivery.BestBitsPerSecond);
        json.WriteNumber("burstBitsPerSecond"u8, delivery.BurstBitsPerSecond);
        json.WriteMicroseconds("pathFullMicroseconds"u8, delivery.PathFullTime);
        json.WriteNumber("pathFullBitsPerSecond"u8, delivery.PathFullBitsPerSecond);
        json.WriteEndObject();
    }

    static void WriteSlowStart(JsonOutput json, SlowStartSummary? start)
    {
        if (start is null)
        {
            json.WriteNull("slowStart"u8);
            return;
        }

        json.WriteStartObject("slowStart"u8);
        json.WriteString("cause"u8, start.Cause switch
        {
            SlowStartCause.Reduction => "reduction"u8,
            SlowStartCause.EarlyPacket => "earlyPacket"u8,
            SlowStartCause.Delay => "delay"u8,
            SlowStartCause.AckTrain => "ackTrain"u8,
            _ => "unknown"u8,
        });
        json.WriteNumber("exitBytes"u8, start.ExitBytes);
        json.WriteNumber("exitPacket"u8, start.Exit?.Packet);
        json.WriteMicroseconds("exitRttMicroseconds"u8, start.ExitRtt);
        json.WriteMicroseconds("earlyRttMicroseconds"u8, start.EarlyRtt);
        json.WriteMicroseconds("doublingMicroseconds"u8, start.DoublingTime);
        json.WriteNumber("reductions"u8, start.Reductions);
        json.WriteEndObject();
    }

    static void WriteAmounts(JsonOutput json, ConnectionDirection direction)
    {
        bool isKnown = direction.Evidence != Evidence.None;
        bool hasPackets = HasPackets(direction);
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
        bool hasPackets = HasPackets(direction);
        json.WriteStartObject("retransmissions"u8);
        json.WriteNumber("total"u8, isKnown ? direction.Retransmissions : null);
        WriteTriggers(json, direction.Triggers);
        json.WriteNumber("namedByEvents"u8, direction.Triggers is null ? null : direction.NamedTriggers);
        WriteNeeds(json, direction.Needs);
        json.WriteNumber("zeroWindowProbes"u8, hasPackets ? direction.ZeroWindowProbes : null);
        json.WriteNumber("keepAlives"u8, hasPackets ? direction.KeepAlives : null);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(direction.Evidence));
        json.WriteNumber("samples"u8, isKnown ? direction.WireSegments : null);
        json.WriteEndObject();
    }

    static void WriteTriggers(JsonOutput json, TriggerCounts? triggers)
    {
        if (triggers is not { } by)
        {
            json.WriteNull("byTrigger"u8);
            return;
        }

        json.WriteStartObject("byTrigger"u8);
        json.WriteNumber("fast"u8, by.Fast);
        json.WriteNumber("tlp"u8, by.Tlp);
        json.WriteNumber("rto"u8, by.Rto);
        json.WriteNumber("lostRetransmission"u8, by.LostRetransmission);
        json.WriteNumber("unknown"u8, by.Unknown);
        json.WriteEndObject();
    }

    static void WriteNeeds(JsonOutput json, NeedCounts? needs)
    {
        if (needs is not { } by)
        {
            json.WriteNull("byNeed"u8);
            return;
        }

        json.WriteStartObject("byNeed"u8);
        json.WriteNumber("necessary"u8, by.Necessary);
        json.WriteNumber("spurious"u8, by.Spurious);
        json.WriteNumber("likelySpurious"u8, by.LikelySpurious);
        json.WriteNumber("unknown"u8, by.Unknown);
        json.WriteEndObject();
    }

    static void WriteLoss(JsonOutput json, LossSummary? loss)
    {
        if (loss is null)
        {
            json.WriteNull("loss"u8);
            return;
        }

        json.WriteStartObject("loss"u8);
        json.WriteNumber("packets"u8, loss.Packets);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(loss.Evidence));
        json.WriteNumber("samples"u8, loss.Samples);
        json.WriteEndObject();
    }

    static void WriteReordering(JsonOutput json, ReorderingSummary? reordering)
    {
        if (reordering is null)
        {
            json.WriteNull("reordering"u8);
            return;
        }

        json.WriteStartObject("reordering"u8);
        json.WriteNumber("packets"u8, reordering.Packets);
        json.WriteNumber("ratio"u8, reordering.Ratio);
        json.WriteMicroseconds("maxExtentMicroseconds"u8, reordering.Extents?.Max);
        json.WriteMicroseconds("medianExtentMicroseconds"u8, reordering.Extents?.Median);
        json.WriteNumber("maxExtentPackets"u8, reordering.Extents?.MaxPackets);
        json.WriteNumber("maxExtentBytes"u8, reordering.Extents?.MaxBytes);
        json.WriteNumber("threeReordered"u8, reordering.Extents?.ThreeReordered);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(reordering.Evidence));
        json.WriteNumber("samples"u8, reordering.Samples);
        json.WriteEndObject();
    }

    static void WriteAcknowledgements(JsonOutput json, ConnectionDirection direction)
    {
        bool hasPackets = HasPackets(direction);
        json.WriteNumber("dsacks"u8, hasPackets ? direction.Dsacks : null);
        json.WriteNumber("dsacksTsharkFilter"u8, hasPackets ? direction.DsacksTsharkFilter : null);
        json.WriteNumber("duplicateAcks"u8, hasPackets ? direction.DuplicateAcks : null);
        json.WriteNumber("zeroWindows"u8, hasPackets ? direction.ZeroWindows : null);
        json.WriteNumber("outOfOrder"u8, hasPackets ? direction.OutOfOrder : null);
    }

    static void WriteEcn(JsonOutput json, EcnSummary? ecn)
    {
        if (ecn is null)
        {
            json.WriteNull("ecn"u8);
            return;
        }

        json.WriteStartObject("ecn"u8);
        json.WriteWord("use"u8, NameOf(ecn.Use));
        json.WriteNumber("markedPackets"u8, ecn.Marked);
        json.WriteNumber("echoes"u8, ecn.Echoes);
        json.WriteNumber("reductions"u8, ecn.Reductions);
        json.WriteEndObject();
    }

    static ReadOnlySpan<byte> NameOf(EcnUse use) => use switch
    {
        EcnUse.Off => "off"u8,
        EcnUse.Classic => "classic"u8,
        EcnUse.Accurate => "accurate"u8,
        _ => "unknown"u8,
    };

    static void WriteRtt(JsonOutput json, ConnectionDirection direction)
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

    static void WriteCwnd(JsonOutput json, CwndSummary? cwnd)
    {
        if (cwnd is null)
        {
            json.WriteNull("cwnd"u8);
            return;
        }

        json.WriteStartObject("cwnd"u8);
        json.WriteNumber("maxBytes"u8, cwnd.MaxBytes);
        json.WriteNumber("minBytes"u8, cwnd.MinBytes);
        json.WriteWord("evidence"u8, ConnectionJson.NameOf(cwnd.Evidence));
        json.WriteNumber("samples"u8, cwnd.Samples);
        json.WriteEndObject();
    }

    // The window is advertised by the other end, in the packets it sends.
    static void WriteReceiveWindow(JsonOutput json, Connection connection, ConnectionDirection direction)
    {
        bool isKnown = direction.MaxReceiveWindowBytes is not null;
        json.WriteStartObject("receiveWindow"u8);
        json.WriteNumber("maxBytes"u8, direction.MaxReceiveWindowBytes);
        json.WriteNumber("minBytes"u8, direction.MinReceiveWindowBytes);
        json.WriteWord("evidence"u8, isKnown ? ConnectionJson.NameOf(direction.Evidence) : default);
        json.WriteNumber("samples"u8, isKnown ? connection.Other(direction).Packets : null);
        json.WriteEndObject();
    }

    static void WriteNotMeasured(JsonOutput json, Connection connection, ConnectionDirection direction)
    {
        Span<byte> name = stackalloc byte[MaxMeasureName];
        json.WriteStartObject("notMeasured"u8);
        foreach ((string measure, string reason) in MissingMeasures.Of(connection, direction))
        {
            json.WriteString(name[..Encoding.ASCII.GetBytes(measure, name)], reason);
        }

        json.WriteEndObject();
    }

    static bool HasPackets(ConnectionDirection direction) => (direction.Evidence & Evidence.Packets) != 0;
}
