using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>What holds for the analysis of any trace, whatever it shows.</summary>
static class AnalysisInvariants
{
    /// <summary>Checks an analysis.</summary>
    /// <exception cref="InvalidDataException">Something does not hold; the message says what, and where.</exception>
    public static void Check(TraceAnalysis analysis)
    {
        long packets = 0;
        foreach (Connection connection in analysis.Connections)
        {
            packets += connection.FromClient.Packets + connection.FromServer.Packets;
            Check(connection, connection.FromClient, "from the client");
            Check(connection, connection.FromServer, "from the server");
        }

        Require(packets == analysis.TcpPackets, $"{packets} packets in connections, {analysis.TcpPackets} booked");
        double seconds = (analysis.End - analysis.Start) / 1e9;
        foreach (Finding finding in analysis.Findings)
        {
            Require(finding.SecondsLost is null or >= 0 && !(finding.SecondsLost > seconds), $"{finding.Id}: {finding.SecondsLost} s lost of {seconds} s");
            Require(finding.Confidence is >= 0 and <= 1, $"{finding.Id}: confidence {finding.Confidence}");
        }
    }

    static void Check(Connection connection, ConnectionDirection direction, string name)
    {
        void Holds(bool condition, string claim) => Require(condition, $"connection {connection.Index} {name}: {claim}");

        long[] counts =
        [
            direction.Packets, direction.FrameBytes, direction.PayloadBytes, direction.UniqueBytes, direction.UnseenBytes, direction.WireSegments,
                direction.Retransmissions,
            direction.OutOfOrder, direction.DuplicateAcks, direction.Dsacks, direction.DsacksTsharkFilter, direction.ZeroWindows, direction.ZeroWindowProbes,
                direction.KeepAlives,
            direction.ActiveTime ?? 0, direction.MaxInFlightBytes ?? 0, direction.MaxReceiveWindowBytes ?? 0, direction.MinReceiveWindowBytes ?? 0,
                direction.Mss ?? 0,
        ];
        Holds(counts.All(count => count >= 0), $"a count is negative: {string.Join(' ', counts)}");
        Holds(direction.UniqueBytes <= direction.PayloadBytes, $"{direction.UniqueBytes} unique bytes of {direction.PayloadBytes}");
        long sent = direction.WireSegments + direction.Packets; // a FIN alone is no data segment, but may be resent
        Holds(direction.Retransmissions <= sent, $"{direction.Retransmissions} retransmissions of {sent} segments");
        Holds(direction.OutOfOrder <= direction.WireSegments, $"{direction.OutOfOrder} out of order of {direction.WireSegments} segments");
        Holds(direction.Triggers is null || direction.Triggers.Value.Total == direction.Retransmissions,
            $"{direction.Triggers} of {direction.Retransmissions}");
        Holds(direction.Needs is null || direction.Needs.Value.Total == direction.Retransmissions, $"{direction.Needs} of {direction.Retransmissions}");
        Holds(direction.Rtt.Samples == 0 || direction.Rtt is { Min: >= 0 } && direction.Rtt.Min <= direction.Rtt.Median
            && direction.Rtt.Median <= direction.Rtt.P95, $"{direction.Rtt}");
        Holds(direction.Loss is null or { Packets: >= 0 }, $"{direction.Loss}");
        Holds(direction.Reordering is null or { Packets: >= 0, Ratio: >= 0 and <= 1, MaxExtent: null or >= 0, Extents: null or { MaxPackets: null or >= 0 } },
            $"{direction.Reordering}");
        Holds(direction.Cwnd is null || (direction.Cwnd.MinBytes >= 0 && direction.Cwnd.MinBytes <= direction.Cwnd.MaxBytes), $"{direction.Cwnd}");
        Holds(direction.Limits is null || direction.Limits.Times.Total == direction.ActiveTime,
            $"states take {direction.Limits?.Times.Total} of {direction.ActiveTime} ns");
        Holds(direction.Limits is null || Enum.GetValues<LimitState>().All(state => direction.Limits.Times.In(state) >= 0), "a state took negative time");
    }

    static void Require(bool condition, string claim)
    {
        if (!condition)
        {
            throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture, $"does not hold: {claim}"));
        }
    }
}
