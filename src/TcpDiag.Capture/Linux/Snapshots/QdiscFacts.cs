using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux.Snapshots;

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

    /// <summary>Reads the facts.</summary>
    /// <returns>One fact a discipline.</returns>
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
        string place = parent == Root ? "root" : $"parent {Handle(parent)}";
        string stats = attributes.TryGetValue(AttributeStats2, out byte[]? nested) ? Stats(RouteNetlink.Attributes(nested)) : string.Empty;
        return new(
            names.Of(BinaryPrimitives.ReadInt32LittleEndian(answer.AsSpan(InterfaceOffset))),
            $"qdisc {Handle(BinaryPrimitives.ReadUInt32LittleEndian(answer.AsSpan(HandleOffset)))} {place}",
            kind + stats);
    }

    // struct gnet_stats_basic: bytes, packets; struct gnet_stats_queue: qlen, backlog, drops, requeues, overlimits.
    static string Stats(Dictionary<int, byte[]> stats)
    {
        var text = new StringBuilder();
        if (stats.TryGetValue(StatsBasic, out byte[]? basic) && basic.Length >= 12)
        {
            text.Append(CultureInfo.InvariantCulture, $" bytes={BinaryPrimitives.ReadUInt64LittleEndian(basic)} packets={BinaryPrimitives.ReadUInt32LittleEndian(basic.AsSpan(8))}");
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
