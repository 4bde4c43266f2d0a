using System;
using TcpDiag.Traces.Etl;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>Microsoft-Windows-NDIS-PacketCapture, the provider behind <c>netsh trace start capture=yes</c>.</summary>
static class NdisPacketCapture
{
    /// <summary>Event with a packet, or a fragment of one.</summary>
    public const ushort PacketFragment = 1001;

    /// <summary>Event with what the radio told of the next packet.</summary>
    public const ushort PacketMetadata = 1002;

    /// <summary>Event with a packet seen at a port of the virtual switch.</summary>
    public const ushort VmSwitchPacketFragment = 1003;

    /// <summary>The provider's id.</summary>
    public static readonly Guid Provider = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    /// <summary>What the packet of an event begins with.</summary>
    /// <param name="keywords">The event's keywords.</param>
    /// <returns>The link type.</returns>
    public static LinkType LinkTypeOf(ulong keywords)
    {
        if ((keywords & NdisKeywords.Native80211) != 0)
        {
            return LinkType.Ieee80211;
        }

        return (keywords & NdisKeywords.WirelessWan) != 0 ? LinkType.Raw : LinkType.Ethernet;
    }

    /// <summary>The way a packet goes.</summary>
    /// <param name="keywords">The event's keywords.</param>
    /// <returns>The direction; unknown when the event claims both or none.</returns>
    public static PacketDirection DirectionOf(ulong keywords) => (keywords & (NdisKeywords.Send | NdisKeywords.Receive)) switch
    {
        NdisKeywords.Send => PacketDirection.Outbound,
        NdisKeywords.Receive => PacketDirection.Inbound,
        _ => PacketDirection.Unknown,
    };

    /// <summary>Whether a record is one of the provider's packet events.</summary>
    /// <param name="record">Any record.</param>
    /// <returns>True for 1001 and 1003.</returns>
    public static bool IsPacket(in EtlRecord record) => record.Id is PacketFragment or VmSwitchPacketFragment && record.Provider == Provider;
}
