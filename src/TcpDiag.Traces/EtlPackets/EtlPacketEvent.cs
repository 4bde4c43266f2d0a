using System;
using TcpDiag.Traces.Etl;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>One packet event of whichever provider, as a view on its payload.</summary>
ref struct EtlPacketEvent
{
    /// <summary>Where it was captured.</summary>
    public EtlInterfaceKey Interface;

    /// <summary>Interface index of the adapter below, 0 when not told.</summary>
    public uint MiniportIfIndex;

    /// <summary>The bytes of the packet, or of this fragment.</summary>
    public ReadOnlySpan<byte> Data;

    /// <summary>Length of the packet as the event tells it, 0 when it does not.</summary>
    public int OriginalLength;

    /// <summary>The way it goes.</summary>
    public PacketDirection Direction;

    /// <summary>Whether the first fragment is in this event.</summary>
    public bool IsStart;

    /// <summary>Whether the last fragment is in this event.</summary>
    public bool IsEnd;

    /// <summary>PktMon's PktGroupId, else 0.</summary>
    public ulong PacketId;

    /// <summary>PktMon's PktNumber, else 0.</summary>
    public ushort PacketNumber;

    /// <summary>PktMon's AppearanceCount, else 0.</summary>
    public ushort Appearance;

    /// <summary>Whether this is the report of a drop.</summary>
    public bool IsDrop;

    /// <summary>Why it was dropped.</summary>
    public PacketDrop Drop;

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

        if (!PktMon.TryGetLinkType(seen.PacketType, out LinkType linkType))
        {
            return EtlPacketEventKind.NotAFrame;
        }

        packet.Interface = new EtlInterfaceKey(EtlCaptureSource.PktMon, seen.ComponentId, 0, linkType);
        packet.Data = seen.Data;
        packet.OriginalLength = seen.OriginalSize;
        packet.Direction = PktMon.DirectionOf(seen.DirectionTag);
        packet.PacketId = seen.GroupId;
        packet.PacketNumber = seen.Number;
        packet.Appearance = seen.Appearance;
        packet.IsDrop = record.Id == PktMon.Drop;
        packet.Drop = seen.Drop;
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
