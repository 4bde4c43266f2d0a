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
        if (!LinkHeader.TryFindNetwork(frame, linkType, out int offset) || offset >= frame.Length)
        {
            return frame.Length;
        }

        ReadOnlySpan<byte> ip = frame[offset..];
        int length = (ip[0] >> 4) switch
        {
            4 when ip.Length >= Ipv4HeaderBytes => Ipv4Length(ip, out isOffloaded),
            6 when ip.Length >= Ipv6HeaderBytes => Ipv6Length(ip, out isOffloaded),
            _ => 0,
        };
        return Math.Max(frame.Length, offset + length);
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
}
