using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>The capture points of an .etl trace as interfaces, and how to find a packet's.</summary>
sealed class EtlCaptureMap
{
    readonly IReadOnlyList<EtlCapturePoint> _points;
    readonly TraceInterface[] _interfaces;
    readonly Dictionary<EtlInterfaceKey, int> _indexes = [];
    EtlInterfaceKey _latestKey;
    int _latestIndex = -1;

    /// <summary>Creates the map.</summary>
    /// <param name="points">The capture points in the order of the interfaces.</param>
    /// <param name="rundown">What PktMon says of its components.</param>
    public EtlCaptureMap(IReadOnlyList<EtlCapturePoint> points, PktMonRundown rundown)
    {
        _points = points;
        _interfaces = new TraceInterface[points.Count];
        for (int i = 0; i < _interfaces.Length; i++)
        {
            _interfaces[i] = ToInterface(i, points[i], rundown);
            _indexes.Add(points[i].Key, i);
        }
    }

    /// <summary>The interfaces; their packet counts are left to the reader.</summary>
    public IReadOnlyList<TraceInterface> Interfaces => _interfaces;

    /// <summary>Packets the first pass found at an interface.</summary>
    public long PacketsAt(int index) => _points[index].Packets;

    /// <summary>The interface of a packet.</summary>
    /// <returns>The index, or -1 when the first pass did not meet it.</returns>
    public int IndexOf(EtlInterfaceKey key)
    {
        if (key != _latestKey || _latestIndex < 0)
        {
            _latestKey = key;
            _latestIndex = _indexes.GetValueOrDefault(key, -1);
        }

        return _latestIndex;
    }

    /// <summary>Whether a packet counts at another capture point.</summary>
    public bool IsRepeat(int index, in EtlPacketEvent packet) => _points[index].Role switch
    {
        EtlCaptureRole.Counts => false,
        EtlCaptureRole.AboveAdapter => !packet.Sighting.IsDropped || packet.Direction != PacketDirection.Outbound,
        _ => packet.Sighting.Appearance > 1,
    };

    static TraceInterface ToInterface(int index, EtlCapturePoint point, PktMonRundown rundown)
    {
        var made = new TraceInterface { Index = index, LinkType = point.Key.LinkType };
        if (point.Key.Source == EtlCaptureSource.PktMon)
        {
            Describe(made, point, rundown.Find((ushort)point.Key.Number));
            return made;
        }

        made.Name = point.Name ?? NdisName(point.Key);
        made.Description = NdisDescription(point);
        return made;
    }

    static void Describe(TraceInterface made, EtlCapturePoint point, PktMonComponent? component)
    {
        made.Name = string.IsNullOrEmpty(component?.Name) ? $"component {point.Key.Number}" : component.Name;
        made.Description = string.IsNullOrEmpty(component?.SwitchName)
            ? component?.Description
            : $"{component.Description} (switch {component.SwitchName})".TrimStart();
        made.MacAddress = component?.MacAddress ?? [];
        foreach (IpAddress address in component?.Addresses ?? [])
        {
            made.Addresses.Add(address);
        }

        // The counters cover more than the trace where packets were dropped before it; less where counting was off.
        ulong counted = Math.Min(component?.DropCounter ?? 0, long.MaxValue);
        made.Dropped = Math.Max(point.Drops, (long)counted);
    }

    static string NdisName(EtlInterfaceKey key) => key.LinkType switch
    {
        LinkType.Ieee80211 => $"wifi:{key.Number}",
        LinkType.Raw => $"mbb:{key.Number}",
        _ => $"eth:{key.Number}:{key.VlanId}",
    };

    static string? NdisDescription(EtlCapturePoint point)
    {
        string? layer = point.IsAdapter || point.Key.Source == EtlCaptureSource.NdisWan ? null : $"LWF over IfIndex {point.MiniportIfIndex}";
        string? vlan = point.Key.VlanId == 0 ? null : $"VlanID={point.Key.VlanId}";
        return layer is null ? vlan : string.Join(' ', [layer, .. vlan is null ? Array.Empty<string>() : [vlan]]);
    }
}

/// <summary>One capture point of an .etl trace as the first pass found it.</summary>
/// <param name="key">Its identity.</param>
/// <param name="miniportIfIndex">Interface index of the adapter below, 0 when unknown.</param>
sealed class EtlCapturePoint(EtlInterfaceKey key, uint miniportIfIndex)
{
    /// <summary>Its identity.</summary>
    public EtlInterfaceKey Key { get; } = key;

    /// <summary>Interface index of the adapter below, 0 when unknown.</summary>
    public uint MiniportIfIndex { get; } = miniportIfIndex;

    /// <summary>Whether it is the adapter itself and not a layer above it.</summary>
    public bool IsAdapter => Key.Number == MiniportIfIndex;

    /// <summary>Name in the packet event itself (switch port, connection), or null.</summary>
    public string? Name { get; init; }

    /// <summary>Packets logged there.</summary>
    public long Packets { get; set; }

    /// <summary>Those of them that are reports of drops.</summary>
    public long Drops { get; set; }

    /// <summary>How its packets relate to those of the other points.</summary>
    public EtlCaptureRole Role { get; set; }
}

/// <summary>What distinguishes one capture point of an .etl trace from another.</summary>
/// <param name="Source">Whose numbering <paramref name="Number"/> follows.</param>
/// <param name="Number">LowerIfIndex or ComponentId.</param>
/// <param name="VlanId">VLAN named beside the packet, 0 for none.</param>
/// <param name="LinkType">What its packets begin with: one component may log frames and bare IP packets.</param>
readonly record struct EtlInterfaceKey(EtlCaptureSource Source, uint Number, ushort VlanId, LinkType LinkType);

/// <summary>Which provider's numbering an interface of an .etl trace follows.</summary>
enum EtlCaptureSource
{
    /// <summary>NDIS-PacketCapture 1001: the number is LowerIfIndex.</summary>
    Ndis,

    /// <summary>NDIS-PacketCapture 1003: the number is LowerIfIndex, of a layer of the virtual switch.</summary>
    VmSwitch,

    /// <summary>NdisWan: no numbers.</summary>
    NdisWan,

    /// <summary>PktMon: the number is ComponentId.</summary>
    PktMon,
}

/// <summary>How the packets of a capture point relate to the same packets at others.</summary>
enum EtlCaptureRole
{
    /// <summary>Each packet here counts.</summary>
    Counts,

    /// <summary>Packets here have been or will be at the adapter, unless they are dropped on their way out.</summary>
    AboveAdapter,

    /// <summary>No adapter is known for them: a packet counts where it appears first.</summary>
    FirstAppearanceCounts,
}
