using System;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>Microsoft-Windows-NDIS-PacketCapture, the provider behind <c>netsh trace start capture=yes</c>.</summary>
static class NdisPacketCapture
{
    /// <summary>Event with a packet, or a fragment of one.</summary>
    public const ushort PacketFragment = 1001;

    /// <summary>Event with what the radio reported of the next packet.</summary>
    public const ushort PacketMetadata = 1002;

    /// <summary>Event with a packet seen at a port of the virtual switch.</summary>
    public const ushort VmSwitchPacketFragment = 1003;

    /// <summary>The provider's id.</summary>
    public static readonly Guid Provider = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    /// <summary>What the packet of an event begins with.</summary>
    public static LinkType LinkTypeOf(ulong keywords)
    {
        if ((keywords & NdisKeywords.Native80211) != 0)
        {
            return LinkType.Ieee80211;
        }

        return (keywords & NdisKeywords.WirelessWan) != 0 ? LinkType.Raw : LinkType.Ethernet;
    }

    /// <summary>The way a packet goes.</summary>
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

/// <summary>
/// Keywords of Microsoft-Windows-NDIS-PacketCapture that say what a packet event holds. Other bits (channel, rundown)
/// may be set beside them: test bits, never compare whole keywords.
/// </summary>
static class NdisKeywords
{
    /// <summary>The medium is a wireless WAN: packets begin with their IP header.</summary>
    public const ulong WirelessWan = 0x200;

    /// <summary>The medium is native 802.11.</summary>
    public const ulong Native80211 = 0x1_0000;

    /// <summary>packettruncatebytes cut the packet.</summary>
    public const ulong Truncated = 0x200_0000;

    /// <summary>The event holds the first fragment of a packet.</summary>
    public const ulong PacketStart = 0x4000_0000;

    /// <summary>The event holds the last fragment of a packet.</summary>
    public const ulong PacketEnd = 0x8000_0000;

    /// <summary>The packet is on its way out.</summary>
    public const ulong Send = 0x1_0000_0000;

    /// <summary>The packet came in.</summary>
    public const ulong Receive = 0x2_0000_0000;
}

/// <summary>
/// Payload of NDIS-PacketCapture 1001 (a fragment of a packet) and 1002 (metadata of the next): miniport and layer, a
/// length, that many bytes. From build 17763 the packet is followed by two flow words, so the length counts, not the end.
/// </summary>
readonly ref struct NdisFragment
{
    /// <summary>Interface index of the adapter.</summary>
    public required uint MiniportIfIndex { get; init; }

    /// <summary>Interface index of the layer that logged: the adapter's own, or that of a filter above it.</summary>
    public required uint LowerIfIndex { get; init; }

    /// <summary>The bytes; a view on the payload.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }

    /// <summary>Reads a payload.</summary>
    /// <param name="payload">Payload of 1001 or 1002.</param>
    /// <param name="fragment">The view.</param>
    /// <returns>False when the payload is shorter than it says.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out NdisFragment fragment)
    {
        var reader = new PayloadCursor(payload);
        if (reader.TryReadUInt32(out uint miniport) && reader.TryReadUInt32(out uint lower)
            && reader.TryReadUInt32(out uint size) && reader.TryReadBytes(size, out ReadOnlySpan<byte> data))
        {
            fragment = new NdisFragment { MiniportIfIndex = miniport, LowerIfIndex = lower, Data = data };
            return true;
        }

        fragment = default;
        return false;
    }
}

/// <summary>Packet of a VPN or dial-up connection: Microsoft-Windows-Ras-NdisWanPacketCapture, 5001 sent and 5002 received.</summary>
readonly ref struct NdisWanPacket
{
    const ushort Sent = 5001;
    const ushort Received = 5002;

    /// <summary>The provider's id.</summary>
    public static readonly Guid Provider = new("d84521f7-2235-4237-a7c0-14e3a9676286");

    /// <summary>Routing domain of the connection.</summary>
    public required ReadOnlySpan<char> RoutingDomain { get; init; }

    /// <summary>The connected user.</summary>
    public required ReadOnlySpan<char> UserName { get; init; }

    /// <summary>The way it goes.</summary>
    public required PacketDirection Direction { get; init; }

    /// <summary>The Ethernet frame; a view on the payload.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }

    /// <summary>Whether a record is one of the provider's packet events.</summary>
    /// <param name="record">Any record.</param>
    /// <returns>True for 5001 and 5002.</returns>
    public static bool IsPacket(in EtlRecord record) => record.Id is Sent or Received && record.Provider == Provider;

    /// <summary>Reads a packet event.</summary>
    /// <param name="record">An event for which <see cref="IsPacket"/> holds.</param>
    /// <param name="packet">The view.</param>
    /// <returns>False when the payload is shorter than it says.</returns>
    public static bool TryRead(scoped in EtlRecord record, out NdisWanPacket packet)
    {
        packet = default;
        var reader = new PayloadCursor(record.Payload);
        if (!reader.TryReadText(out ReadOnlySpan<char> domain) || !reader.TryReadText(out ReadOnlySpan<char> user)
            || !reader.TryReadUInt32(out uint size) || !reader.TryReadBytes(size, out ReadOnlySpan<byte> data))
        {
            return false;
        }

        packet = new NdisWanPacket
        {
            RoutingDomain = domain,
            UserName = user,
            Direction = record.Id == Sent ? PacketDirection.Outbound : PacketDirection.Inbound,
            Data = data,
        };
        return true;
    }
}
