using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Payload of NDIS-PacketCapture 1003, a packet at a port of the virtual switch: indexes, source port, the destinations,
/// the packet, and the NET_BUFFER_LIST_INFO slots with VLAN and RSS hash. The members of a destination are not known, so
/// after destinations the packet is found by what must follow it: slots that end exactly with the payload.
/// </summary>
readonly ref struct VmSwitchPacket
{
    // Ieee8021QNetBufferListInfo and NetBufferListHashValue of ndis.h; bits 4-15 of the former are the VLAN id.
    const int VlanSlot = 4;
    const int HashSlot = 8;
    const int EthernetHeaderBytes = 14;

    /// <summary>Interface index of the switch's adapter.</summary>
    public required uint MiniportIfIndex { get; init; }

    /// <summary>Interface index of the layer that logged.</summary>
    public required uint LowerIfIndex { get; init; }

    /// <summary>Switch port the packet came from.</summary>
    public required uint SourcePortId { get; init; }

    public required ReadOnlySpan<char> SourcePortName { get; init; }

    /// <summary>Name of the network adapter at that port.</summary>
    public required ReadOnlySpan<char> SourceNicName { get; init; }

    /// <summary>Kind of that adapter.</summary>
    public required ReadOnlySpan<char> SourceNicType { get; init; }

    /// <summary>Ports the packet goes to.</summary>
    public required uint DestinationCount { get; init; }

    /// <summary>The packet; a view on the payload.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }

    /// <summary>802.1Q VLAN id, 0 when there is none.</summary>
    public required ushort VlanId { get; init; }

    /// <summary>RSS hash value, 0 when there is none.</summary>
    public required uint RssHash { get; init; }

    /// <summary>Reads a payload.</summary>
    /// <param name="record">A 1003 event.</param>
    /// <param name="packet">The view.</param>
    /// <returns>False when no packet can be found in it.</returns>
    public static bool TryRead(scoped in EtlRecord record, out VmSwitchPacket packet)
    {
        packet = default;
        var reader = new PayloadCursor(record.Payload);
        if (!reader.TryReadUInt32(out uint miniport) || !reader.TryReadUInt32(out uint lower) || !reader.TryReadUInt32(out uint port)
            || !reader.TryReadText(out ReadOnlySpan<char> portName) || !reader.TryReadText(out ReadOnlySpan<char> nicName)
            || !reader.TryReadText(out ReadOnlySpan<char> nicType) || !reader.TryReadUInt32(out uint destinations)
            || !TryFindPacket(reader.Rest, destinations, out ReadOnlySpan<byte> data, out ReadOnlySpan<byte> slots))
        {
            return false;
        }

        packet = new VmSwitchPacket
        {
            MiniportIfIndex = miniport,
            LowerIfIndex = lower,
            SourcePortId = port,
            SourcePortName = portName,
            SourceNicName = nicName,
            SourceNicType = nicType,
            DestinationCount = destinations,
            Data = data,
            VlanId = (ushort)((Slot(record, slots, VlanSlot) >> 4) & 0xFFF),
            RssHash = (uint)Slot(record, slots, HashSlot),
        };
        return true;
    }

    static bool TryFindPacket(ReadOnlySpan<byte> rest, uint destinations, out ReadOnlySpan<byte> data, out ReadOnlySpan<byte> slots)
    {
        if (TrySplit(rest, out data, out slots) && (destinations == 0 || LooksLikeEthernet(data)))
        {
            return true;
        }

        // A destination takes at least its port id.
        for (int start = sizeof(uint); destinations > 0 && start < rest.Length; start++)
        {
            if (TrySplit(rest[start..], out data, out slots) && LooksLikeEthernet(data))
            {
                return true;
            }
        }

        data = default;
        slots = default;
        return false;
    }

    static bool TrySplit(ReadOnlySpan<byte> bytes, out ReadOnlySpan<byte> data, out ReadOnlySpan<byte> slots)
    {
        slots = default;
        data = default;
        var reader = new PayloadCursor(bytes);
        return reader.TryReadUInt32(out uint size) && reader.TryReadBytes(size, out data)
            && reader.TryReadUInt32(out uint slotBytes) && reader.TryReadBytes(slotBytes, out slots) && reader.Rest.IsEmpty;
    }

    // Length field, or one of the types that a switch forwards in bulk: IPv4, ARP, VLAN, IPv6.
    static bool LooksLikeEthernet(ReadOnlySpan<byte> frame) => frame.Length >= EthernetHeaderBytes
        && BinaryPrimitives.ReadUInt16BigEndian(frame[12..]) is <= 1500 or 0x0800 or 0x0806 or 0x8100 or 0x88A8 or 0x86DD;

    static ulong Slot(in EtlRecord record, ReadOnlySpan<byte> slots, int index)
    {
        int size = record.Is64Bit ? sizeof(ulong) : sizeof(uint);
        if (slots.Length < (index + 1) * size)
        {
            return 0;
        }

        ReadOnlySpan<byte> slot = slots[(index * size)..];
        return record.Is64Bit ? BinaryPrimitives.ReadUInt64LittleEndian(slot) : BinaryPrimitives.ReadUInt32LittleEndian(slot);
    }
}
