using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// The length a cut packet had on the wire, from its IP header. NDIS does not tell it. A sent TCP packet whose IP length
/// is 0 waits for segmentation offload: the adapter fills the length in, so its header cannot tell it.
/// </summary>
static class FrameLength
{
    const ushort Ipv4Type = 0x0800;
    const ushort Ipv6Type = 0x86DD;
    const int Ipv4HeaderBytes = 20;
    const int Ipv6HeaderBytes = 40;

    /// <summary>Finds out how long a packet was.</summary>
    /// <param name="frame">The bytes kept.</param>
    /// <param name="linkType">What they begin with.</param>
    /// <param name="isOffloaded">Whether the IP header leaves the length to segmentation offload.</param>
    /// <returns>Bytes on the wire, at least those kept.</returns>
    public static int OnWire(ReadOnlySpan<byte> frame, LinkType linkType, out bool isOffloaded)
    {
        isOffloaded = false;
        if (!TryFindNetworkHeader(frame, linkType, out int offset))
        {
            return frame.Length;
        }

        ReadOnlySpan<byte> ip = frame[offset..];
        int length = ip[0] >> 4 switch
        {
            4 when ip.Length >= Ipv4HeaderBytes => Ipv4Length(ip, out isOffloaded),
            6 when ip.Length >= Ipv6HeaderBytes => Ipv6Length(ip, out isOffloaded),
            _ => 0,
        };
        return Math.Max(frame.Length, offset + length);
    }

    /// <summary>Finds where the IP header begins.</summary>
    /// <param name="frame">The bytes kept.</param>
    /// <param name="linkType">What they begin with.</param>
    /// <param name="offset">Offset of at least one byte of IP header.</param>
    /// <returns>False when there is none.</returns>
    public static bool TryFindNetworkHeader(ReadOnlySpan<byte> frame, LinkType linkType, out int offset)
    {
        offset = 0;
        bool isIp = linkType switch
        {
            LinkType.Ethernet => TryPassEthernet(frame, out offset),
            LinkType.Ieee80211 => TryPass80211(frame, out offset),
            LinkType.Raw => true,
            _ => false,
        };
        return isIp && offset < frame.Length;
    }

    static int Ipv4Length(ReadOnlySpan<byte> ip, out bool isOffloaded)
    {
        int length = BinaryPrimitives.ReadUInt16BigEndian(ip[2..]);
        isOffloaded = length == 0;
        return length;
    }

    static int Ipv6Length(ReadOnlySpan<byte> ip, out bool isOffloaded)
    {
        int length = BinaryPrimitives.ReadUInt16BigEndian(ip[4..]);
        isOffloaded = length == 0;
        return length == 0 ? 0 : Ipv6HeaderBytes + length;
    }

    static bool TryPassEthernet(ReadOnlySpan<byte> frame, out int offset)
    {
        offset = 12;
        while (frame.Length >= offset + 2)
        {
            ushort type = BinaryPrimitives.ReadUInt16BigEndian(frame[offset..]);
            offset += 2;
            if (type is not (0x8100 or 0x88A8))
            {
                return type is Ipv4Type or Ipv6Type;
            }

            offset += 2; // the tag's control information
        }

        return false;
    }

    // Data frames only (type 2), behind their LLC/SNAP header; addresses and QoS control make the header longer.
    static bool TryPass80211(ReadOnlySpan<byte> frame, out int offset)
    {
        const int SnapBytes = 8;
        offset = 0;
        if (frame.Length < 2 || (frame[0] & 0x0C) != 0x08)
        {
            return false;
        }

        bool isQos = (frame[0] & 0x80) != 0;
        bool isBridged = (frame[1] & 0x03) == 0x03;
        offset = 24 + (isBridged ? 6 : 0) + (isQos ? 2 : 0) + SnapBytes;
        return frame.Length >= offset && BinaryPrimitives.ReadUInt16BigEndian(frame[(offset - 2)..]) is Ipv4Type or Ipv6Type;
    }
}
