using System;
using System.Collections.Generic;
using TcpDiag.Redaction.Packets;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.EtlPackets;

namespace TcpDiag.Redaction.Events;

/// <summary>
/// Redacts the packet events of NDIS-PacketCapture, PktMon and NdisWan. Removed bytes become zeros and the packet keeps its length: where segmentation
/// offload left the IP length 0, nothing else shows how long it was.
/// </summary>
sealed class PacketEventRedactor(Pseudonyms names)
{
    const int PktMonHeaderBytes = 34;

    // GftFlowEntryId and GftOffloadInformation, from build 17763 on.
    const int NdisFlowBytes = 16;

    readonly FragmentRedactor _fragments = new(names);

    /// <summary>Returns false if the record is no packet event.</summary>
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

    // Names of port and adapters get pseudonyms; the destinations, of unknown layout, are cleared; of the slots behind the packet only the VLAN stays.
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

/// <summary>
/// Redacts packets split over several events (before Windows 8.1): each fragment together with those before it, since a header may start in any of them.
/// Fragments of a packet whose beginning is missing become zero.
/// </summary>
sealed class FragmentRedactor(Pseudonyms names)
{
    // Unfinished packets, and bytes of one: bounds against hostile traces.
    const int MaxOpen = 256;
    const int LongestPacket = 1 << 18;

    readonly FrameRedactor _frames = new(names);
    readonly Dictionary<(int Processor, EtlInterfaceKey Interface), byte[]> _open = [];

    public void Redact(int processor, in EtlPacketEvent packet, Span<byte> data)
    {
        (int, EtlInterfaceKey) key = (processor, packet.Interface);
        if (packet is { IsStart: true, IsEnd: true })
        {
            _frames.Redact(data, packet.Interface.LinkType, Math.Max(packet.OriginalLength, data.Length));
            return;
        }

        byte[] before = [];
        bool isKnown = packet.IsStart || _open.Remove(key, out before!);
        if (!isKnown || before.Length + data.Length > LongestPacket)
        {
            names.Counts.Add(RedactionKind.PayloadBytes, data.Length);
            data.Clear();
            return;
        }

        byte[] whole = [.. before, .. data];
        if (!packet.IsEnd && _open.Count < MaxOpen)
        {
            _open[key] = [.. whole];
        }

        _frames.Redact(whole, packet.Interface.LinkType, whole.Length);
        whole.AsSpan(before.Length).CopyTo(data);
    }
}
