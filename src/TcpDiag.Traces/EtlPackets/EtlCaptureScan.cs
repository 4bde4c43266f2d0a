using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// The first pass over an .etl trace, in any order: which capture points it has, how many packets each, and what PktMon
/// writes about its components when it stops. Names and the choice of layers need it before the first packet is handed out.
/// </summary>
sealed class EtlCaptureScan
{
    // A hostile trace may name four billion interfaces; real ones have some dozen.
    const int MaxPoints = 1 << 12;

    readonly Dictionary<EtlInterfaceKey, EtlCapturePoint> _points = [];
    readonly PktMonRundown _rundown = new();
    EtlCapturePoint? _latest;

    /// <summary>Packets found, an unfinished one not counted.</summary>
    public long Packets { get; private set; }

    /// <summary>Packet events whose payload contradicts itself.</summary>
    public long DamagedEvents { get; private set; }

    /// <summary>Events with data from above the IP layer, which no packet format can hold.</summary>
    public long NotFrames { get; private set; }

    /// <summary>Takes in a record.</summary>
    /// <param name="record">Any record of the trace.</param>
    /// <returns>Whether it was more than one more packet: a new capture point, or the description of one.</returns>
    public bool Add(in EtlRecord record)
    {
        switch (EtlPacketEvent.Read(record, out EtlPacketEvent packet))
        {
            case EtlPacketEventKind.Packet:
                return Count(record, packet);
            case EtlPacketEventKind.Damaged:
                DamagedEvents++;
                return false;
            case EtlPacketEventKind.NotAFrame:
                NotFrames++;
                return false;
            default:
                return AddDescription(record);
        }
    }

    /// <summary>Replaces the counts by the sums of others; what is known about the capture points stays.</summary>
    /// <param name="parts">Scans of parts of the trace, which together saw every record once.</param>
    public void TakeCounts(IReadOnlyCollection<EtlCaptureScan> parts)
    {
        Packets = parts.Sum(part => part.Packets);
        DamagedEvents = parts.Sum(part => part.DamagedEvents);
        NotFrames = parts.Sum(part => part.NotFrames);
        foreach ((EtlInterfaceKey key, EtlCapturePoint point) in _points)
        {
            point.Packets = parts.Sum(part => part._points.GetValueOrDefault(key)?.Packets ?? 0);
            point.Drops = parts.Sum(part => part._points.GetValueOrDefault(key)?.Drops ?? 0);
        }
    }

    /// <summary>Makes the list of interfaces: adapters by index, each before the layers above it, then components by number.</summary>
    public EtlCaptureMap ToMap()
    {
        List<EtlCapturePoint> points = [.. _points.Values
            .OrderBy(point => point.Key.Source)
            .ThenBy(point => point.MiniportIfIndex)
            .ThenByDescending(point => point.IsAdapter)
            .ThenBy(point => point.Key.Number)
            .ThenBy(point => point.Key.VlanId)
            .ThenBy(point => point.Key.LinkType)];
        AssignNdisRoles(points);
        AssignPktMonRoles(points);
        return new EtlCaptureMap(points, _rundown);
    }

    bool Count(in EtlRecord record, in EtlPacketEvent packet)
    {
        int known = _points.Count;
        if (_latest is null || _latest.Key != packet.Interface)
        {
            _latest = FindOrAdd(record, packet);
        }

        if (_latest is not null && packet.IsEnd)
        {
            Packets++;
            _latest.Packets++;
            _latest.Drops += packet.Sighting.IsDropped ? 1 : 0;
        }

        return _points.Count > known;
    }

    EtlCapturePoint? FindOrAdd(in EtlRecord record, in EtlPacketEvent packet)
    {
        if (_points.TryGetValue(packet.Interface, out EtlCapturePoint? point) || _points.Count >= MaxPoints)
        {
            return point;
        }

        point = new EtlCapturePoint(packet.Interface, packet.MiniportIfIndex) { Name = NameFrom(record, packet.Interface) };
        _points.Add(packet.Interface, point);
        return point;
    }

    bool AddDescription(in EtlRecord record)
    {
        if (record.HeaderType != EtlHeaderType.Event || record.Provider != PktMon.Provider)
        {
            return false;
        }

        _rundown.Add(record);
        return true;
    }

    // Names in the form of etl2pcapng, on which people's Wireshark profiles rely.
    static string? NameFrom(in EtlRecord record, EtlInterfaceKey key)
    {
        if (key.Source == EtlCaptureSource.VmSwitch && VmSwitchPacket.TryRead(record, out VmSwitchPacket seen))
        {
            return $"vNIC:{seen.SourceNicType}:{seen.SourcePortName}:{key.Number}:{key.VlanId}";
        }

        return key.Source == EtlCaptureSource.NdisWan && NdisWanPacket.TryRead(record, out NdisWanPacket tunnel)
            ? $"Rras:{key.Number}:{tunnel.RoutingDomain}:{tunnel.UserName}"
            : null;
    }

    // One layer of each adapter counts: its own where it was captured, else the lowest.
    static void AssignNdisRoles(List<EtlCapturePoint> points)
    {
        IEnumerable<EtlCapturePoint> layers = points.Where(point => point.Key.Source == EtlCaptureSource.Ndis);
        foreach (IGrouping<uint, EtlCapturePoint> adapter in layers.GroupBy(point => point.MiniportIfIndex))
        {
            uint counted = adapter.First().Key.Number;
            foreach (EtlCapturePoint point in adapter)
            {
                point.Role = point.Key.Number == counted ? EtlCaptureRole.Counts : EtlCaptureRole.AboveAdapter;
            }
        }
    }

    void AssignPktMonRoles(List<EtlCapturePoint> points)
    {
        List<EtlCapturePoint> components = [.. points.Where(point => point.Key.Source == EtlCaptureSource.PktMon)];
        HashSet<uint?> adapters = [.. components.Where(IsMiniport).Select(IfIndexOf)];
        foreach (EtlCapturePoint point in components)
        {
            uint? ifIndex = IfIndexOf(point);
            bool hasAdapter = adapters.Contains(ifIndex) || (ifIndex is null && adapters.Count > 0);
            EtlCaptureRole above = hasAdapter ? EtlCaptureRole.AboveAdapter : EtlCaptureRole.FirstAppearanceCounts;
            point.Role = IsMiniport(point) ? EtlCaptureRole.Counts : above;
        }
    }

    bool IsMiniport(EtlCapturePoint point) => _rundown.Find((ushort)point.Key.Number)?.Type == PktMonComponent.MiniportType;

    uint? IfIndexOf(EtlCapturePoint point) => _rundown.Find((ushort)point.Key.Number)?.IfIndex;
}
