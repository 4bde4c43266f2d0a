using System;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.EtlPackets;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>
/// Redacts the packet events of NDIS-PacketCapture, PktMon and NdisWan. The packet keeps its length, zeros in place of what goes: where segmentation offload left the IP length 0,
/// nothing else tells how long it was.
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class PacketEventRedactor(Pseudonyms names)
{
    const int PktMonHeaderBytes = 34;

    // GftFlowEntryId and GftOffloadInformation, from build 17763 on.
    const int NdisFlowBytes = 16;

    readonly FragmentRedactor _fragments = new(names);

    /// <summary>Redacts a packet event.</summary>
    /// <param name="record">Any record.</param>
    /// <param name="payload">A copy of its payload, changed.</param>
    /// <param name="kept">Bytes that are kept.</param>
    /// <returns>False when the record is no packet event.</returns>
    public bool TryRedact(in EtlRecord record, Span<byte> payload, out int kept)
    {
        kept = 0;
        switch (EtlPacketEvent.Read(record, out EtlPacketEvent packet))
        {
            case EtlPacketEventKind.Packet:
                kept = RedactPacket(record, packet, payload);
                return true;
            case EtlPacketEventKind.NotAFrame:
                payload[PktMonHeaderBytes..].Clear();
                kept = payload.Length;
                return true;
            case EtlPacketEventKind.Damaged:
                return true;
            default:
                return false;
        }
    }

    int RedactPacket(in EtlRecord record, in EtlPacketEvent packet, Span<byte> payload)
    {
        record.Payload.Overlaps(packet.Data, out int start);
        start = packet.Data.IsEmpty ? payload.Length : start;
        Span<byte> data = payload.Slice(start, packet.Data.Length);
        _fragments.Redact(record.Processor, packet, data);
        Span<byte> behind = payload[(start + data.Length)..];
        switch (packet.Interface.Source)
        {
            case EtlCaptureSource.VmSwitch:
                RedactSwitch(record, payload[..start], behind);
                return payload.Length;
            case EtlCaptureSource.NdisWan:
                names.ReplaceText16(payload[..(start - sizeof(uint))]);
                return start + data.Length;
            case EtlCaptureSource.Ndis:
                return start + data.Length + (behind.Length >= NdisFlowBytes ? NdisFlowBytes : 0);
            default:
                return start + data.Length;
        }
    }

    // Names of port and adapters get pseudonyms; the destinations, whose layout nobody knows, go; of the slots behind the packet that of the VLAN stays.
    void RedactSwitch(in EtlRecord record, Span<byte> front, Span<byte> slots)
    {
        const int indexBytes = 3 * sizeof(uint);
        const int vlanSlot = 4;
        VmSwitchPacket.TryRead(record, out VmSwitchPacket packet);
        int text = sizeof(char) * (packet.SourcePortName.Length + packet.SourceNicName.Length + packet.SourceNicType.Length + 3);
        names.ReplaceText16(front.Slice(indexBytes, text));
        int destinations = indexBytes + text + sizeof(uint);
        front[destinations..^sizeof(uint)].Clear();
        int slot = record.Is64Bit ? sizeof(ulong) : sizeof(uint);
        int vlan = Math.Min(sizeof(uint) + (vlanSlot * slot), slots.Length);
        slots[Math.Min(sizeof(uint), slots.Length)..vlan].Clear();
        slots[Math.Min(vlan + slot, slots.Length)..].Clear();
    }
}
