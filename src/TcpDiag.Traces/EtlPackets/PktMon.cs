using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>Microsoft-Windows-PktMon, the provider behind <c>pktmon start --capture</c>.</summary>
static class PktMon
{
    /// <summary>Event with a packet that passes a component.</summary>
    public const ushort Packet = 160;

    /// <summary>Event with a packet that a component dropped.</summary>
    public const ushort Drop = 170;

    // Events of the rundown, each about one component.
    public const ushort Component = 20;
    public const ushort NumberProperty = 30;
    public const ushort Ipv4Property = 65;
    public const ushort Ipv6Property = 66;
    public const ushort MacProperty = 70;
    public const ushort SwitchNameProperty = 73;
    public const ushort DropCounters = 80;

    // PKTMON_PACKET_TYPE.
    const ushort EthernetPacket = 1;
    const ushort WifiPacket = 2;
    const ushort IpPacket = 3;

    /// <summary>The provider's id.</summary>
    public static readonly Guid Provider = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");

    /// <summary>Whether a record is one of the provider's packet events.</summary>
    /// <param name="record">Any record.</param>
    /// <returns>True for 160 and 170.</returns>
    public static bool IsPacket(in EtlRecord record) => record.Id is Packet or Drop && record.Provider == Provider;

    /// <summary>What the bytes of a packet event begin with.</summary>
    /// <returns>False where they begin above the IP header: no packet format has a type for them.</returns>
    public static bool TryGetLinkType(in PktMonPacket packet, out LinkType linkType)
    {
        linkType = packet.PacketType switch
        {
            // Windows: drops on a Wi-Fi adapter of build 26200 claim to be 802.11 and hold Ethernet frames.
            WifiPacket when !HoldsEthernet(packet) => LinkType.Ieee80211,
            IpPacket => LinkType.Raw,
            _ => LinkType.Ethernet,
        };
        return packet.PacketType is EthernetPacket or WifiPacket or IpPacket;
    }

    // An EtherType alone might be part of an 802.11 address, so what follows it has to be such a packet as well.
    static bool HoldsEthernet(in PktMonPacket packet)
    {
        const int EthernetHeaderBytes = 14;
        const int MinIpv4Bytes = 20;
        const int Ipv6HeaderBytes = 40;
        const uint ArpOfIpv4 = 0x0001_0800; // hardware type Ethernet, protocol type IPv4 (RFC 826)
        ReadOnlySpan<byte> frame = packet.Data;
        if (frame.Length < EthernetHeaderBytes + MinIpv4Bytes)
        {
            return false;
        }

        ReadOnlySpan<byte> network = frame[EthernetHeaderBytes..];
        int room = Math.Max(packet.OriginalSize, frame.Length) - EthernetHeaderBytes;
        return BinaryPrimitives.ReadUInt16BigEndian(frame[12..]) switch
        {
            0x0800 => network[0] >> 4 == 4 && (network[0] & 0xF) >= 5 && BinaryPrimitives.ReadUInt16BigEndian(network[2..]) <= room,
            0x86DD => network[0] >> 4 == 6 && BinaryPrimitives.ReadUInt16BigEndian(network[4..]) <= room - Ipv6HeaderBytes,
            0x0806 => BinaryPrimitives.ReadUInt32BigEndian(network) == ArpOfIpv4,
            _ => false,
        };
    }

    /// <summary>The way a packet goes (PKTMON_DIRECTION_TAG): in, Rx and ingress are odd, out, Tx and egress even.</summary>
    public static PacketDirection DirectionOf(ushort directionTag) => directionTag switch
    {
        1 or 3 or 5 => PacketDirection.Inbound,
        2 or 4 or 6 => PacketDirection.Outbound,
        _ => PacketDirection.Unknown,
    };
}

/// <summary>Payload of PktMon 160 and 170, the same in all builds from 17763 on.</summary>
readonly ref struct PktMonPacket
{
    const int HeaderBytes = 34;

    readonly ReadOnlySpan<byte> _payload;

    PktMonPacket(ReadOnlySpan<byte> payload) => _payload = payload;

    /// <summary>Number of the chain of packets.</summary>
    public ulong GroupId => BinaryPrimitives.ReadUInt64LittleEndian(_payload);

    /// <summary>Which packet of the chain, from 1.</summary>
    public ushort Number => UInt16At(8);

    /// <summary>Which appearance of the packet this is, from 1.</summary>
    public ushort Appearance => UInt16At(10);

    public ushort DirectionTag => UInt16At(12);

    public ushort PacketType => UInt16At(14);

    /// <summary>Component that saw it.</summary>
    public ushort ComponentId => UInt16At(16);

    /// <summary>Why and where it was dropped.</summary>
    public PacketDrop Drop => new(BinaryPrimitives.ReadUInt32LittleEndian(_payload[22..]), BinaryPrimitives.ReadUInt32LittleEndian(_payload[26..]));

    /// <summary>Bytes of the packet at the component.</summary>
    public ushort OriginalSize => UInt16At(30);

    /// <summary>The bytes kept; a view on the payload.</summary>
    public ReadOnlySpan<byte> Data => _payload.Slice(HeaderBytes, UInt16At(32));

    /// <summary>Reads a payload.</summary>
    /// <param name="payload">Payload of 160 or 170.</param>
    /// <param name="packet">The view.</param>
    /// <returns>False when the payload is shorter than it says.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out PktMonPacket packet)
    {
        packet = new PktMonPacket(payload);
        return payload.Length >= HeaderBytes && payload.Length - HeaderBytes >= packet.UInt16At(32);
    }

    ushort UInt16At(int offset) => BinaryPrimitives.ReadUInt16LittleEndian(_payload[offset..]);
}
