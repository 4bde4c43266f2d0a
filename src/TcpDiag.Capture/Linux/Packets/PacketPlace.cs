namespace TcpDiag.Capture.Linux.Packets;

/// <summary>Where a packet filter finds the fields of an IP header.</summary>
/// <param name="IsIpv4">The family.</param>
/// <param name="Network">Offset of the IP header.</param>
/// <param name="Protocol">Offset of the protocol number.</param>
/// <param name="Source">Offset of the source address.</param>
/// <param name="Destination">Offset of the destination address.</param>
readonly record struct PacketPlace(bool IsIpv4, int Network, int Protocol, int Source, int Destination)
{
    /// <summary>Bytes of an IPv6 header without extensions (RFC 8200 §3).</summary>
    public const uint Ipv6HeaderLength = 40;

    /// <summary>An IPv4 header (RFC 791 §3.1).</summary>
    /// <param name="network">Its offset.</param>
    /// <returns>The places.</returns>
    public static PacketPlace Ipv4(int network) => new(true, network, network + 9, network + 12, network + 16);

    /// <summary>An IPv6 header (RFC 8200 §3).</summary>
    /// <param name="network">Its offset.</param>
    /// <returns>The places.</returns>
    public static PacketPlace Ipv6(int network) => new(false, network, network + 6, network + 8, network + 24);
}
