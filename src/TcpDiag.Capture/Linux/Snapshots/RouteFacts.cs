using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.Bundles;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>
/// Routes with the metrics that bind TCP to them: MTU, windows, initial windows, congestion control (struct rtmsg and RTA_* of linux/rtnetlink.h).
/// </summary>
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
        "lock", "mtu", "window", "rtt", "rttvar", "ssthresh", "cwnd", "advmss", "reordering", "hoplimit", "initcwnd", "features", "rto_min", "initrwnd",
        "quickack",
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
                string device = names.Of((int)(RouteNetlink.Number(attributes, AttributeInterface) ?? 0));
                yield return new(device, "route " + Destination(answer, attributes), Describe(attributes));
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

/// <summary>Queueing disciplines with what they have dropped and hold (struct tcmsg and TCA_* of linux/rtnetlink.h, linux/gen_stats.h).</summary>
static class QdiscFacts
{
    const ushort GetQdisc = 38;
    const int MessageBytes = 20;
    const int InterfaceOffset = 4;
    const int HandleOffset = 8;
    const int ParentOffset = 12;
    const int AttributeKind = 1;
    const int AttributeStats2 = 7;
    const int StatsBasic = 1;
    const int StatsQueue = 3;
    const uint Root = uint.MaxValue;

    public static IEnumerable<SnapshotFact> Read()
    {
        InterfaceNames names = InterfaceNames.Read();
        foreach (byte[] answer in RouteNetlink.Dump(GetQdisc))
        {
            if (answer.Length >= MessageBytes)
            {
                yield return Describe(answer, names);
            }
        }
    }

    static SnapshotFact Describe(byte[] answer, InterfaceNames names)
    {
        Dictionary<int, byte[]> attributes = RouteNetlink.Attributes(answer.AsSpan(MessageBytes));
        string kind = attributes.TryGetValue(AttributeKind, out byte[]? name) ? Encoding.ASCII.GetString(name).TrimEnd('\0') : "?";
        uint parent = BinaryPrimitives.ReadUInt32LittleEndian(answer.AsSpan(ParentOffset));
        string position = parent == Root ? "root" : $"parent {Handle(parent)}";
        string stats = attributes.TryGetValue(AttributeStats2, out byte[]? nested) ? Stats(RouteNetlink.Attributes(nested)) : string.Empty;
        return new(
            names.Of(BinaryPrimitives.ReadInt32LittleEndian(answer.AsSpan(InterfaceOffset))),
            $"qdisc {Handle(BinaryPrimitives.ReadUInt32LittleEndian(answer.AsSpan(HandleOffset)))} {position}",
            kind + stats);
    }

    // struct gnet_stats_basic: bytes, packets; struct gnet_stats_queue: qlen, backlog, drops, requeues, overlimits.
    static string Stats(Dictionary<int, byte[]> stats)
    {
        var text = new StringBuilder();
        if (stats.TryGetValue(StatsBasic, out byte[]? basic) && basic.Length >= 12)
        {
            text.Append(CultureInfo.InvariantCulture, $" bytes={BinaryPrimitives.ReadUInt64LittleEndian(basic)} "
                + $"packets={BinaryPrimitives.ReadUInt32LittleEndian(basic.AsSpan(8))}");
        }

        string[] names = ["qlen", "backlog", "drops", "requeues", "overlimits"];
        for (int i = 0; stats.TryGetValue(StatsQueue, out byte[]? queue) && i < names.Length && (i + 1) * 4 <= queue.Length; i++)
        {
            text.Append(CultureInfo.InvariantCulture, $" {names[i]}={BinaryPrimitives.ReadUInt32LittleEndian(queue.AsSpan(i * 4))}");
        }

        return text.ToString();
    }

    static string Handle(uint handle) => string.Create(CultureInfo.InvariantCulture, $"{handle >> 16:x}:{handle & 0xFFFF:x}");
}

/// <summary>Dumps all objects of a kind by rtnetlink(7), and parses the answers.</summary>
static class RouteNetlink
{
    const int ReceiveBytes = 1 << 16;
    const int RequestBytes = NetlinkReader.HeaderLength + 20;

    /// <summary>Dumps all of a kind.</summary>
    /// <param name="type">RTM_GET….</param>
    /// <exception cref="CaptureException">The kernel refused.</exception>
    public static List<byte[]> Dump(ushort type)
    {
        using NetlinkSocket netlink = CaptureNamespace.OpenNetlink(NetlinkSocket.Route);
        byte[] request = new byte[RequestBytes];
        NetlinkWriter.WriteHeader(request, RequestBytes, type, NetlinkWriter.Dump, 0);
        var answers = new List<byte[]>();
        byte[] buffer = new byte[ReceiveBytes];
        bool goesOn = netlink.TrySend(request);
        int length;
        while (goesOn && (length = netlink.Receive(buffer)) > 0)
        {
            goesOn = TakeAll(buffer.AsSpan(0, length), answers);
        }

        return answers;
    }

    /// <summary>The attributes of an answer, or within an attribute.</summary>
    /// <param name="bytes">Attributes one after the other: 16-bit length and type, then the value, aligned to four bytes.</param>
    /// <returns>Values by type; of one that comes twice, the last.</returns>
    public static Dictionary<int, byte[]> Attributes(ReadOnlySpan<byte> bytes)
    {
        var found = new Dictionary<int, byte[]>();
        var attributes = new NetlinkAttributes(bytes);
        while (attributes.TryRead(out int type, out ReadOnlySpan<byte> value))
        {
            found[type] = value.ToArray();
        }

        return found;
    }

    /// <summary>A 32-bit attribute.</summary>
    /// <param name="attributes">From <see cref="Attributes"/>.</param>
    /// <param name="type">Its type.</param>
    /// <returns>The number; null when it is not there.</returns>
    public static uint? Number(Dictionary<int, byte[]> attributes, int type) =>
        attributes.TryGetValue(type, out byte[]? value) && value.Length >= sizeof(uint) ? BinaryPrimitives.ReadUInt32LittleEndian(value) : null;

    static bool TakeAll(ReadOnlySpan<byte> datagram, List<byte[]> answers)
    {
        var reader = new NetlinkReader(datagram);
        while (reader.TryRead(out ReadOnlySpan<byte> payload))
        {
            if (reader.Type is NetlinkReader.TypeDone or NetlinkReader.TypeError)
            {
                return false;
            }

            answers.Add(payload.ToArray());
        }

        return true;
    }
}
