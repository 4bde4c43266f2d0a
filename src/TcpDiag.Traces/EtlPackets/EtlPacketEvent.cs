using System;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>One packet event of whichever provider, as a view on its payload.</summary>
ref struct EtlPacketEvent
{
    /// <summary>Where it was captured.</summary>
    public EtlInterfaceKey Interface;

    /// <summary>Interface index of the adapter below, 0 when unknown.</summary>
    public uint MiniportIfIndex;

    /// <summary>The bytes of the packet, or of this fragment.</summary>
    public ReadOnlySpan<byte> Data;

    /// <summary>Length of the packet by the event, 0 when it names none.</summary>
    public int OriginalLength;

    /// <summary>The way it goes.</summary>
    public PacketDirection Direction;

    /// <summary>Whether the first fragment is in this event.</summary>
    public bool IsStart;

    /// <summary>Whether the last fragment is in this event.</summary>
    public bool IsEnd;

    /// <summary>What PktMon says of the packet's way through the stack; empty elsewhere. Whether it repeats is not known here.</summary>
    public PacketSighting Sighting;

    /// <summary>Reads a record.</summary>
    /// <param name="record">Any record.</param>
    /// <param name="packet">Filled when the result is <see cref="EtlPacketEventKind.Packet"/>.</param>
    /// <returns>What the record is.</returns>
    public static EtlPacketEventKind Read(scoped in EtlRecord record, out EtlPacketEvent packet)
    {
        packet = default;
        if (record.HeaderType != EtlHeaderType.Event)
        {
            return EtlPacketEventKind.None;
        }

        if (NdisPacketCapture.IsPacket(record))
        {
            return record.Id == NdisPacketCapture.PacketFragment ? ReadNdis(record, ref packet) : ReadVmSwitch(record, ref packet);
        }

        if (PktMon.IsPacket(record))
        {
            return ReadPktMon(record, ref packet);
        }

        return NdisWanPacket.IsPacket(record) ? ReadNdisWan(record, ref packet) : EtlPacketEventKind.None;
    }

    static EtlPacketEventKind ReadNdis(in EtlRecord record, ref EtlPacketEvent packet)
    {
        if (!NdisFragment.TryRead(record.Payload, out NdisFragment fragment))
        {
            return EtlPacketEventKind.Damaged;
        }

        packet.Interface = new EtlInterfaceKey(EtlCaptureSource.Ndis, fragment.LowerIfIndex, 0, NdisPacketCapture.LinkTypeOf(record.Keywords));
        packet.MiniportIfIndex = fragment.MiniportIfIndex;
        packet.Data = fragment.Data;
        SetMarks(record.Keywords, ref packet);
        return EtlPacketEventKind.Packet;
    }

    static EtlPacketEventKind ReadVmSwitch(in EtlRecord record, ref EtlPacketEvent packet)
    {
        if (!VmSwitchPacket.TryRead(record, out VmSwitchPacket seen))
        {
            return EtlPacketEventKind.Damaged;
        }

        packet.Interface = new EtlInterfaceKey(EtlCaptureSource.VmSwitch, seen.LowerIfIndex, seen.VlanId, NdisPacketCapture.LinkTypeOf(record.Keywords));
        packet.MiniportIfIndex = seen.MiniportIfIndex;
        packet.Data = seen.Data;
        SetMarks(record.Keywords, ref packet);
        return EtlPacketEventKind.Packet;
    }

    static void SetMarks(ulong keywords, ref EtlPacketEvent packet)
    {
        packet.Direction = NdisPacketCapture.DirectionOf(keywords);
        packet.IsStart = (keywords & NdisKeywords.PacketStart) != 0;
        packet.IsEnd = (keywords & NdisKeywords.PacketEnd) != 0;
    }

    static EtlPacketEventKind ReadPktMon(in EtlRecord record, ref EtlPacketEvent packet)
    {
        if (!PktMonPacket.TryRead(record.Payload, out PktMonPacket seen))
        {
            return EtlPacketEventKind.Damaged;
        }

        if (!PktMon.TryGetLinkType(seen, out LinkType linkType))
        {
            return EtlPacketEventKind.NotAFrame;
        }

        packet.Interface = new EtlInterfaceKey(EtlCaptureSource.PktMon, seen.ComponentId, 0, linkType);
        packet.Data = seen.Data;
        packet.OriginalLength = seen.OriginalSize;
        packet.Direction = PktMon.DirectionOf(seen.DirectionTag);
        packet.Sighting.PacketId = seen.GroupId;
        packet.Sighting.PacketNumber = seen.Number;
        packet.Sighting.Appearance = seen.Appearance;
        packet.Sighting.IsDropped = record.Id == PktMon.Drop;
        packet.Sighting.Drop = packet.Sighting.IsDropped ? seen.Drop : default;
        MarkWhole(ref packet);
        return EtlPacketEventKind.Packet;
    }

    static EtlPacketEventKind ReadNdisWan(in EtlRecord record, ref EtlPacketEvent packet)
    {
        if (!NdisWanPacket.TryRead(record, out NdisWanPacket seen))
        {
            return EtlPacketEventKind.Damaged;
        }

        packet.Interface = new EtlInterfaceKey(EtlCaptureSource.NdisWan, 0, 0, LinkType.Ethernet);
        packet.Data = seen.Data;
        packet.Direction = seen.Direction;
        MarkWhole(ref packet);
        return EtlPacketEventKind.Packet;
    }

    static void MarkWhole(ref EtlPacketEvent packet)
    {
        packet.IsStart = true;
        packet.IsEnd = true;
    }
}

/// <summary>What an event means for packets.</summary>
enum EtlPacketEventKind
{
    /// <summary>It is no packet event.</summary>
    None,

    /// <summary>It holds a packet, or a fragment of one.</summary>
    Packet,

    /// <summary>It is a packet event whose payload contradicts itself.</summary>
    Damaged,

    /// <summary>It holds data from above the IP layer, for which packet formats have no type.</summary>
    NotAFrame,
}
