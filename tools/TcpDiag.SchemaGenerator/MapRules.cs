using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.SchemaGenerator;

/// <summary>
/// Which map belongs to a field. The manifests show each map at its first use only, so the use is carried to the other
/// fields of that kind: by name where a name means one thing, by a list of events where it means several.
/// </summary>
sealed class MapRules(Dictionary<string, Manifest> manifests, Dictionary<string, ValueMap> pktMon)
{
    const string TcpState = "TCP_CONNECTION_STATE_ValueMap";
    const string TimerType = "TCP_TIMER_TYPE_ValueMap";
    const string CongestionAlgorithm = "TCP_CONGESTION_ALGORITHM_ValueMap";

    // The first build whose tcpip.sys has a pacing timer.
    const int PacingTimerBuild = 15063;

    ValueMap? _timersWithPacing;
    ValueMap? _algorithmsWithCubic;

    // Names that mean different things in different events: never carried by name alone.
    static readonly HashSet<string> Ambiguous = new(StringComparer.Ordinal)
    {
        "State", "NewState", "OldState", "Reason", "Type", "Component", "CurrentState", "Capability", "Cause", "Option", "OptionType",
    };

    static readonly HashSet<string> StateFields = new(StringComparer.Ordinal) { "State", "NewState", "OldState", "TcpState", "TcbState" };

    // Events whose state fields are the states of a TCP connection; others are of Fast Open, HyStart, WSD, congestion control.
    static readonly HashSet<int> TcpStateEvents =
    [
        1002, 1015, 1030, 1051, 1099, 1182, 1183, 1184, 1185, 1186, 1187, 1300, 1305, 1306, 1309, 1310, 1332, 1351, 1359,
        1364, 1365, 1477, 1480, 1555, 1587, 1601, 1603,
    ];

    // Other fields of TCPIP events with ambiguous names, and siblings of the field that shows the map.
    static readonly Dictionary<(int Id, string Field), string> TcpipUses = new()
    {
        [(1205, "Reason")] = "TCPIP_SLOW_PATH_REASON_ValueMap",
        [(1206, "Reason")] = "TCPIP_SLOW_PATH_REASON_ValueMap",
        [(1215, "Reason")] = "TCPIP_NETWORK_PACKET_DROP_REASON_ValueMap",
        [(1211, "OldState")] = "TCP_WSD_CACHE_ENTRY_STATE_ValueMap",
        [(1211, "NewState")] = "TCP_WSD_CACHE_ENTRY_STATE_ValueMap",
        [(1228, "Cause")] = "TCPIP_LOOPBACK_FASTPATH_FAIL_REASON_ValueMap",
        [(1247, "Capability")] = "TCPIP_RSS_BINDING_CAPABILITY_ValueMap",
        [(1317, "Type")] = "TCP_REPARTITION_EVENT_TYPE_ValueMap",
        [(1318, "Component")] = "TCPIP_COMPONENT_ValueMap",
        [(1319, "Component")] = "TCPIP_COMPONENT_ValueMap",
        [(1320, "Component")] = "TCPIP_COMPONENT_ValueMap",
        [(1425, "Component")] = "TCPIP_COMPONENT_ValueMap",
        [(1425, "CurrentState")] = "TCPIP_TIMER_STATE_ValueMap",
        [(1388, "OldState")] = "TCP_FASTOPEN_STATE_ValueMap",
        [(1388, "NewState")] = "TCP_FASTOPEN_STATE_ValueMap",
        [(1104, "OptionType")] = "TCP_OPTION_TYPE_ValueMap",
        [(1105, "OptionType")] = "TCP_OPTION_TYPE_ValueMap",
        [(1189, "NewDeliveryState")] = "TCPIP_TCP_DELIVERY_STATE_ValueMap",
        [(1110, "CongestionAlgorithm")] = CongestionAlgorithm,
    };

    static readonly Dictionary<string, string> SiblingFields = new(StringComparer.Ordinal)
    {
        ["StateV6"] = "TCPIP_PROPERTY_ValueMap",
        ["FailureReasonV4"] = "TCPIP_OFFLOAD_FAILURE_REASON_ValueMap",
        ["OldNeighborState"] = "TCPIP_NEIGHBOR_STATE_ValueMap",
        ["IsLoopback"] = "TCPIP_BOOLEAN_ValueMap",
    };

    static readonly Dictionary<string, string> PktMonFields = new(StringComparer.Ordinal)
    {
        ["DropReason"] = "PKTMON_DROP_REASON",
        ["DropLocation"] = "PKTMON_DROP_LOCATION",
        ["DirTag"] = "PKTMON_DIRECTION_TAG",
        ["DirTagIn"] = "PKTMON_DIRECTION_TAG",
        ["DirTagOut"] = "PKTMON_DIRECTION_TAG",
        ["PacketType"] = "PKTMON_PACKET_TYPE",
    };

    /// <summary>The map of a field as a build numbers it, or null.</summary>
    public ValueMap? Find(string provider, int build, EventRow row, EventRowField field) => provider switch
    {
        "Microsoft-Windows-PktMon" => FindPktMon(row, field),
        "Microsoft-Windows-TCPIP" => Amend(FindTcpip(manifests[provider], row, field), build),
        _ => manifests.TryGetValue(provider, out Manifest? manifest) ? FindByName(manifest, field, isStrict: false) : null,
    };

    // The manifest at hand is that of a build before 15063.
    ValueMap? Amend(ValueMap? map, int build) => map?.Name switch
    {
        TimerType when build >= PacingTimerBuild => _timersWithPacing ??= WithPacingTimer(map),
        CongestionAlgorithm => _algorithmsWithCubic ??= WithCubic(map),
        _ => map,
    };

    // Pacing took the place of Disconnect, and what follows moved up: "stopping 7(SwsTimer) timer" in a log proves Sws,
    // the order of the message table of tcpip.sys 10.0.15063 stands for the others.
    static ValueMap WithPacingTimer(ValueMap map)
    {
        List<string> names = [.. map.Texts];
        names.Insert(names.IndexOf("DisconnectTimer"), "PacingTimer");
        return new ValueMap($"{map.Name}_{PacingTimerBuild}", isBitMap: false, [.. Enumerable.Range(0, names.Count).Select(value => (uint)value)], [.. names]);
    }

    // CUBIC follows LEDBAT in the message tables; older builds do not log 5.
    static ValueMap WithCubic(ValueMap map) => new(map.Name, isBitMap: false, [.. map.Values, map.Values.Max() + 1], [.. map.Texts, "CUBIC"]);

    static ValueMap? FindTcpip(Manifest manifest, EventRow row, EventRowField field)
    {
        if (field.Type is not ("UInt32" or "UInt16" or "UInt8"))
        {
            return null;
        }

        if (StateFields.Contains(field.Name) && TcpStateEvents.Contains(row.Id))
        {
            return manifest.Maps[TcpState];
        }

        if (TcpipUses.TryGetValue((row.Id, field.Name), out string? map) || SiblingFields.TryGetValue(field.Name, out map))
        {
            return manifest.Maps[map];
        }

        return FindByName(manifest, field, isStrict: true);
    }

    static ValueMap? FindByName(Manifest manifest, EventRowField field, bool isStrict)
    {
        bool isAmbiguous = isStrict && Ambiguous.Contains(field.Name);
        return !isAmbiguous && manifest.MapUses.TryGetValue((field.Name, "win:" + field.Type), out HashSet<string>? uses) && uses.Count == 1
            ? manifest.Maps[uses.Single()]
            : null;
    }

    ValueMap? FindPktMon(EventRow row, EventRowField field)
    {
        string? name = (row.Id, field.Name) switch
        {
            (20 or 270 or 280, "Type") => "PKTMON_COMPONENT_TYPE",
            (30 or 40 or 50 or 60 or 65 or 66 or 70 or 73 or 75, "Type") => "PKTMON_COMPONENT_PROPERTY_ID",
            _ => PktMonFields.GetValueOrDefault(field.Name),
        };
        return name is null ? null : pktMon[name];
    }
}

/// <summary>The enumerations of PktMon (design/pktmon-enums.tsv: enum, value, hexadecimal, name) as value maps.</summary>
static class PktMonMaps
{
    public static Dictionary<string, ValueMap> Read(string path) => File.ReadLines(path)
        .Skip(1)
        .Select(line => line.Split('\t'))
        .GroupBy(columns => columns[0], StringComparer.Ordinal)
        .ToDictionary(group => group.Key, group => Create(group.Key, [.. group]), StringComparer.Ordinal);

    static ValueMap Create(string name, string[][] rows) => new(
        name,
        isBitMap: false,
        [.. rows.Select(row => uint.Parse(row[1], CultureInfo.InvariantCulture))],
        [.. rows.Select(row => WithoutPrefix(row[3]))]);

    // "PktMonDrop_NoMemory": the prefix repeats the name of the enumeration.
    static string WithoutPrefix(string text) => text[(text.IndexOf('_', StringComparison.Ordinal) + 1)..];
}
