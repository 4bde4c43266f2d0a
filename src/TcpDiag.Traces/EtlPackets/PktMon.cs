using System;
using TcpDiag.Traces.Etl;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>Microsoft-Windows-PktMon, the provider behind <c>pktmon start --capture</c>.</summary>
static class PktMon
{
    /// <summary>Event with a packet that passes a component.</summary>
    public const ushort Packet = 160;

    /// <summary>Event with a packet that a component dropped.</summary>
    public const ushort Drop = 170;

    /// <summary>The provider's id.</summary>
    public static readonly Guid Provider = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");

    /// <summary>Whether a record is one of the provider's packet events.</summary>
    /// <param name="record">Any record.</param>
    /// <returns>True for 160 and 170.</returns>
    public static bool IsPacket(in EtlRecord record) => record.Id is Packet or Drop && record.Provider == Provider;

    /// <summary>What a payload begins with (PKTMON_PACKET_TYPE).</summary>
    /// <param name="packetType">PacketType of the event.</param>
    /// <param name="linkType">The link type.</param>
    /// <returns>False for payloads that begin above the IP header: no packet format has a type for them.</returns>
    public static bool TryGetLinkType(ushort packetType, out LinkType linkType)
    {
        linkType = packetType switch
        {
            2 => LinkType.Ieee80211,
            3 => LinkType.Raw,
            _ => LinkType.Ethernet,
        };
        return packetType is >= 1 and <= 3;
    }

    /// <summary>The way a packet goes (PKTMON_DIRECTION_TAG): in, Rx and ingress are odd, out, Tx and egress even.</summary>
    /// <param name="directionTag">DirTag of the event.</param>
    /// <returns>The direction.</returns>
    public static PacketDirection DirectionOf(ushort directionTag) => directionTag switch
    {
        1 or 3 or 5 => PacketDirection.Inbound,
        2 or 4 or 6 => PacketDirection.Outbound,
        _ => PacketDirection.Unknown,
    };
}
