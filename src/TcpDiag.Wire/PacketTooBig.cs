using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>
/// A router's report that a TCP packet is too big for the next link and may not be fragmented: ICMP "fragmentation needed" (RFC 1191 §4) or ICMPv6 "packet
/// too big" (RFC 4443 §3.2). It quotes the beginning of the packet, which names the connection.
/// </summary>
/// <param name="Source">Who had sent the packet.</param>
/// <param name="Destination">For whom it was.</param>
/// <param name="Mtu">Largest packet the link takes, bytes; 0 when the router does not say (before RFC 1191).</param>
public readonly record struct PacketTooBig(Endpoint Source, Endpoint Destination, int Mtu)
{
    const int IcmpLength = 8; // type, code, checksum, four bytes that hold the MTU
    const int Ipv4Length = 20;
    const int Ipv6Length = 40;
    const int PortsLength = 4;

    /// <summary>Reads a report.</summary>
    /// <param name="frame">The captured bytes.</param>
    /// <param name="packet">What was parsed from them.</param>
    /// <param name="report">The report; undefined when the result is false.</param>
    /// <returns>False when the packet is none, quotes no TCP, or the capture cut it off.</returns>
    public static bool TryRead(ReadOnlySpan<byte> frame, in ParsedPacket packet, out PacketTooBig report)
    {
        report = default;
        bool isPerhaps = packet.Protocol is IpProtocol.Icmp or IpProtocol.IcmpV6 && frame.Length >= packet.TransportOffset + IcmpLength
            && (packet.Traits & PacketTraits.IsFragment) == 0;
        if (!isPerhaps)
        {
            return false;
        }

        ReadOnlySpan<byte> icmp = frame[packet.TransportOffset..];
        ReadOnlySpan<byte> quoted = icmp[IcmpLength..];
        return (packet.Protocol, icmp[0], icmp[1]) switch
        {
            (IpProtocol.Icmp, 3, 4) => TryReadIpv4(quoted, BinaryPrimitives.ReadUInt16BigEndian(icmp[6..]), out report),
            (IpProtocol.IcmpV6, 2, _) => TryReadIpv6(quoted, BinaryPrimitives.ReadUInt32BigEndian(icmp[4..]), out report),
            _ => false,
        };
    }

    static bool TryReadIpv4(ReadOnlySpan<byte> quoted, int mtu, out PacketTooBig report)
    {
        report = default;
        int length = quoted.IsEmpty ? 0 : (quoted[0] & 0x0F) * 4;
        bool isTcp = length >= Ipv4Length && quoted.Length >= length + PortsLength && quoted[0] >> 4 == 4 && quoted[9] == (byte)IpProtocol.Tcp;
        if (isTcp)
        {
            report = Of(IpAddress.Read(quoted.Slice(12, 4)), IpAddress.Read(quoted.Slice(16, 4)), quoted[length..], mtu);
        }

        return isTcp;
    }

    // Extension headers would hide the ports: TCP packets have none.
    static bool TryReadIpv6(ReadOnlySpan<byte> quoted, uint mtu, out PacketTooBig report)
    {
        report = default;
        bool isTcp = quoted.Length >= Ipv6Length + PortsLength && quoted[0] >> 4 == 6 && quoted[6] == (byte)IpProtocol.Tcp;
        if (isTcp)
        {
            int size = (int)Math.Min(mtu, int.MaxValue);
            report = Of(IpAddress.Read(quoted.Slice(8, 16)), IpAddress.Read(quoted.Slice(24, 16)), quoted[Ipv6Length..], size);
        }

        return isTcp;
    }

    static PacketTooBig Of(IpAddress source, IpAddress destination, ReadOnlySpan<byte> ports, int mtu) => new(
        new Endpoint(source, BinaryPrimitives.ReadUInt16BigEndian(ports)),
        new Endpoint(destination, BinaryPrimitives.ReadUInt16BigEndian(ports[2..])),
        mtu);
}
