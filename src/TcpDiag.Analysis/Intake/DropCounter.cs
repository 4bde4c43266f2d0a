using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;
using TcpDiag.Traces.EtlPackets;

namespace TcpDiag.Analysis.Intake;

/// <summary>Counts dropped packets by reason and location.</summary>
sealed class DropCounter
{
    // Real traces have some dozen; a hostile one names as many as it has packets.
    const int MaxKinds = 1 << 12;

    readonly Dictionary<PacketDrop, long> _packets = [];

    /// <summary>Counts a dropped packet; kinds beyond the first 4096 count as unknown.</summary>
    public void Add(PacketDrop drop)
    {
        PacketDrop kind = _packets.Count < MaxKinds || _packets.ContainsKey(drop) ? drop : default;
        CollectionsMarshal.GetValueRefOrAddDefault(_packets, kind, out _)++;
    }

    /// <summary>The counts, most frequent first, with the names of a Windows build.</summary>
    public IReadOnlyList<DropCount> ToList(int? build) => [.. _packets
        .Select(pair => new DropCount(ReasonOf(pair.Key.Reason, build), LocationOf(pair.Key.Location), pair.Value))
        .OrderByDescending(count => count.Packets)
        .ThenBy(count => count.Reason, StringComparer.Ordinal)
        .ThenBy(count => count.Location, StringComparer.Ordinal)];

    static string ReasonOf(uint reason, int? build) =>
        PktMonNames.ReasonOf(reason, build) ?? reason.ToString(CultureInfo.InvariantCulture);

    static string? LocationOf(uint location) => location == 0
        ? null
        : PktMonNames.LocationOf(location) ?? string.Create(CultureInfo.InvariantCulture, $"0x{location:X8}");
}
