using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// The components of a PktMon trace, from the rundown that PktMon writes when it stops: events 20 to 90, each naming its
/// component first. A trace may hold several rundowns; the last word counts, counters take the largest.
/// </summary>
sealed class PktMonRundown
{
    // Component numbers have 16 bits; real traces have some hundred components, addresses a handful each.
    const int MaxAddresses = 64;

    const ushort MiniportIfIndexProperty = 2;
    const ushort IfIndexProperty = 1;

    // Windows: what PktMon of build 20348 writes as the name of a component that has none.
    const string NoName = "NULL";

    readonly Dictionary<ushort, PktMonComponent> _components = [];

    /// <summary>The component of a number.</summary>
    /// <returns>The component, or null when the rundown does not name it.</returns>
    public PktMonComponent? Find(ushort id) => _components.GetValueOrDefault(id);

    /// <summary>All components that the rundown names, by number.</summary>
    public IReadOnlyList<PktMonComponent> ToList() => [.. _components.Values.OrderBy(component => component.Id)];

    /// <summary>Takes in an event of PktMon.</summary>
    /// <param name="record">An event of <see cref="PktMon.Provider"/>; those that describe no component are passed over.</param>
    public void Add(in EtlRecord record)
    {
        var reader = new PayloadCursor(record.Payload);
        if (!IsDescription(record.Id) || !reader.TryReadUInt16(out ushort id) || !reader.TryReadUInt16(out ushort kind))
        {
            return;
        }

        if (!_components.TryGetValue(id, out PktMonComponent? component))
        {
            component = new PktMonComponent { Id = id };
            _components.Add(id, component);
        }

        Describe(component, record.Id, kind, ref reader);
    }

    static bool IsDescription(ushort id) => id is PktMon.Component or PktMon.NumberProperty or PktMon.Ipv4Property or PktMon.Ipv6Property
        or PktMon.MacProperty or PktMon.SwitchNameProperty or PktMon.DropCounters;

    static void Describe(PktMonComponent component, ushort eventId, ushort kind, ref PayloadCursor reader)
    {
        switch (eventId)
        {
            case PktMon.Component when reader.TryReadText(out ReadOnlySpan<char> name):
                component.Type = kind;
                component.Name = name is NoName ? null : name.ToString();
                component.Description = reader.TryReadText(out ReadOnlySpan<char> description) ? description.ToString() : null;
                break;
            case PktMon.NumberProperty when kind is IfIndexProperty or MiniportIfIndexProperty && reader.TryReadUInt32(out uint index):
                component.IfIndex = kind == MiniportIfIndexProperty ? index : component.IfIndex ?? index;
                break;
            case PktMon.Ipv4Property when reader.TryReadBytes(4, out ReadOnlySpan<byte> ipv4):
                AddAddress(component, IpAddress.Read(ipv4));
                break;
            case PktMon.Ipv6Property when reader.TryReadBytes(16, out ReadOnlySpan<byte> ipv6):
                AddAddress(component, IpAddress.Read(ipv6));
                break;
            case PktMon.MacProperty when reader.TryReadUInt32(out uint size) && size == 6 && reader.TryReadBytes(size, out ReadOnlySpan<byte> mac):
                component.MacAddress = mac.ToArray();
                break;
            case PktMon.SwitchNameProperty when reader.TryReadText(out ReadOnlySpan<char> name):
                component.SwitchName = name.ToString();
                break;
            case PktMon.DropCounters:
                AddDropCounters(component, ref reader);
                break;
            default:
                break;
        }
    }

    static void AddAddress(PktMonComponent component, IpAddress address)
    {
        if (component.Addresses.Count < MaxAddresses && !component.Addresses.Contains(address))
        {
            component.Addresses.Add(address);
        }
    }

    // Direction, packets and bytes dropped, once for each way; the first direction has been read as the kind.
    static void AddDropCounters(PktMonComponent component, ref PayloadCursor reader)
    {
        if (reader.TryReadUInt64(out ulong packetsIn) && reader.TryReadUInt64(out _)
            && reader.TryReadUInt16(out _) && reader.TryReadUInt64(out ulong packetsOut))
        {
            component.DropCounter = Math.Max(component.DropCounter ?? 0, unchecked(packetsIn + packetsOut));
        }
    }
}

/// <summary>A place in the network stack where PktMon watches packets, as its rundown describes it.</summary>
sealed class PktMonComponent
{
    public const ushort MiniportType = 2;

    /// <summary>Number by which packets name it.</summary>
    public required ushort Id { get; init; }

    /// <summary>PKTMON_COMPONENT_TYPE, 0 when unknown.</summary>
    public ushort Type { get; set; }

    /// <summary>Name, or null.</summary>
    public string? Name { get; set; }

    /// <summary>Longer text, or null.</summary>
    public string? Description { get; set; }

    /// <summary>Interface index of the adapter it belongs to, or null.</summary>
    public uint? IfIndex { get; set; }

    /// <summary>Name of the virtual switch it belongs to, or null.</summary>
    public string? SwitchName { get; set; }

    /// <summary>Hardware address, empty when unknown.</summary>
    public IReadOnlyList<byte> MacAddress { get; set; } = [];

    public IList<IpAddress> Addresses { get; } = [];

    /// <summary>Packets dropped there as its counters say, or null.</summary>
    public ulong? DropCounter { get; set; }
}
