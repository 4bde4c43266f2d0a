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
    /// <param name="index">Index of the interface.</param>
    /// <returns>The number.</returns>
    public long PacketsAt(int index) => _points[index].Packets;

    /// <summary>The interface of a packet.</summary>
    /// <param name="key">Where the packet event says it was captured.</param>
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
    /// <param name="index">Index of its interface.</param>
    /// <param name="packet">The packet event.</param>
    /// <returns>See <see cref="TraceRecord.IsRepeat"/>.</returns>
    public bool IsRepeat(int index, in EtlPacketEvent packet) => _points[index].Role switch
    {
        EtlCaptureRole.Counts => false,
        EtlCaptureRole.AboveAdapter => !packet.IsDrop || packet.Direction != PacketDirection.Outbound,
        _ => packet.Appearance > 1,
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
