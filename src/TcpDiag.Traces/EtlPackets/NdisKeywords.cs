namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Keywords of Microsoft-Windows-NDIS-PacketCapture that tell what a packet event holds. Other bits (channel, rundown)
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
