using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Traces.Bundles;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>Routes with the metrics that bind TCP to them: MTU, windows, initial windows, congestion control (struct rtmsg and RTA_* of linux/rtnetlink.h).</summary>
static class RouteFacts
{
    const ushort GetRoute = 26;
    const int MessageBytes = 12;
    const int AttributeDestination = 1;
    const int AttributeInterface = 4;
    const int AttributeGateway = 5;
    const int AttributePriority = 6;
    const int AttributeMetrics = 8;
    const int AttributeTable = 15;
    const int MetricCongestion = 16;

    // The table of the machine's own addresses, one route each.
    const uint LocalTable = 255;

    // RTAX_*, in their order from 1.
    static readonly string[] Metrics =
    [
        "lock", "mtu", "window", "rtt", "rttvar", "ssthresh", "cwnd", "advmss", "reordering", "hoplimit", "initcwnd", "features", "rto_min", "initrwnd", "quickack",
    ];

    /// <summary>Reads the facts.</summary>
    /// <returns>One fact a route, those to the machine's own addresses left out.</returns>
    public static IEnumerable<SnapshotFact> Read()
    {
        InterfaceNames names = InterfaceNames.Read();
        foreach (byte[] answer in RouteNetlink.Dump(GetRoute).Where(answer => answer.Length >= MessageBytes))
        {
            Dictionary<int, byte[]> attributes = RouteNetlink.Attributes(answer.AsSpan(MessageBytes));
            if (RouteNetlink.Number(attributes, AttributeTable) != LocalTable)
            {
                string place = names.Of((int)(RouteNetlink.Number(attributes, AttributeInterface) ?? 0));
                yield return new(place, "route " + Destination(answer, attributes), Describe(attributes));
            }
        }
    }

    static string Destination(byte[] answer, Dictionary<int, byte[]> attributes) =>
        attributes.TryGetValue(AttributeDestination, out byte[]? address)
            ? string.Create(CultureInfo.InvariantCulture, $"{Address(address)}/{answer[1]}")
            : "default";

    static string Describe(Dictionary<int, byte[]> attributes)
    {
        var text = new StringBuilder();
        if (attributes.TryGetValue(AttributeGateway, out byte[]? gateway))
        {
            text.Append(CultureInfo.InvariantCulture, $" via {Address(gateway)}");
        }

        if (RouteNetlink.Number(attributes, AttributePriority) is { } priority)
        {
            text.Append(CultureInfo.InvariantCulture, $" metric {priority}");
        }

        if (attributes.TryGetValue(AttributeMetrics, out byte[]? nested))
        {
            AppendMetrics(text, RouteNetlink.Attributes(nested));
        }

        return text.ToString().TrimStart();
    }

    static void AppendMetrics(StringBuilder text, Dictionary<int, byte[]> metrics)
    {
        for (int i = 0; i < Metrics.Length; i++)
        {
            if (RouteNetlink.Number(metrics, i + 1) is { } value)
            {
                text.Append(CultureInfo.InvariantCulture, $" {Metrics[i]} {value}");
            }
        }

        if (metrics.TryGetValue(MetricCongestion, out byte[]? name))
        {
            text.Append(CultureInfo.InvariantCulture, $" congctl {Encoding.ASCII.GetString(name).TrimEnd('\0')}");
        }
    }

    static string Address(byte[] bytes) => bytes.Length is 4 or 16 ? IpAddress.Read(bytes).ToString() : Convert.ToHexStringLower(bytes);
}
