using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Etl;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// The components of a PktMon trace, from the rundown that PktMon writes when it stops: events 20 to 90, each naming its
/// component first. A trace may hold several rundowns; the last word counts, counters take the largest.
/// </summary>
sealed class PktMonRundown
{
    // Component numbers have 16 bits; real traces have some hundred components, addresses a handful each.
    const int MostAddresses = 64;

    const ushort MiniportIfIndexProperty = 2;
    const ushort IfIndexProperty = 1;

    readonly Dictionary<ushort, PktMonComponent> _components = [];

    /// <summary>The component of a number.</summary>
    /// <param name="id">ComponentId of a packet.</param>
    /// <returns>The component, or null when the rundown does not name it.</returns>
    public PktMonComponent? Find(ushort id) => _components.GetValueOrDefault(id);

    /// <summary>All components that the rundown names, by number.</summary>
    /// <returns>A new list.</returns>
    public IReadOnlyList<PktMonComponent> ToList() => [.. _components.Values.OrderBy(component => component.Id)];

    /// <summary>Takes in an event of PktMon.</summary>
    /// <param name="record">An event of <see cref="PktMon.Provider"/>; those that describe no component are passed over.</param>
    public void Add(in EtlRecord record)
    {
        var reader = new PayloadCursor(record.Payload);
        if (record.Id is not (20 or 30 or 65 or 66 or 70 or 73 or 80) || !reader.TryReadUInt16(out ushort id) || !reader.TryReadUInt16(out ushort kind))
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

    static void Describe(PktMonComponent component, ushort eventId, ushort kind, ref PayloadCursor reader)
    {
        switch (eventId)
        {
            case 20 when reader.TryReadText(out ReadOnlySpan<char> name):
                component.Type = kind;
                component.Name = name.ToString();
                component.Description = reader.TryReadText(out ReadOnlySpan<char> description) ? description.ToString() : null;
                break;
            case 30 when kind is IfIndexProperty or MiniportIfIndexProperty && reader.TryReadUInt32(out uint index):
                component.IfIndex = kind == MiniportIfIndexProperty ? index : component.IfIndex ?? index;
                break;
            case 65 when reader.TryReadBytes(4, out ReadOnlySpan<byte> ipv4):
                AddAddress(component, IpAddress.Read(ipv4));
                break;
            case 66 when reader.TryReadBytes(16, out ReadOnlySpan<byte> ipv6):
                AddAddress(component, IpAddress.Read(ipv6));
                break;
            case 70 when reader.TryReadUInt32(out uint size) && size == 6 && reader.TryReadBytes(size, out ReadOnlySpan<byte> mac):
                component.MacAddress = mac.ToArray();
                break;
            case 73 when reader.TryReadText(out ReadOnlySpan<char> name):
                component.SwitchName = name.ToString();
                break;
            case 80:
                AddDropCounters(component, ref reader);
                break;
            default:
                break;
        }
    }

    static void AddAddress(PktMonComponent component, IpAddress address)
    {
        if (component.Addresses.Count < MostAddresses && !component.Addresses.Contains(address))
        {
            component.Addresses.Add(address);
        }
    }

    // Event 80: direction, packets and bytes dropped, once for each way; the first direction has been read as the kind.
    static void AddDropCounters(PktMonComponent component, ref PayloadCursor reader)
    {
        if (reader.TryReadUInt64(out ulong packetsIn) && reader.TryReadUInt64(out _)
            && reader.TryReadUInt16(out _) && reader.TryReadUInt64(out ulong packetsOut))
        {
            component.DropCounter = Math.Max(component.DropCounter ?? 0, unchecked(packetsIn + packetsOut));
        }
    }
}
