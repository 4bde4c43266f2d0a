using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>Tells which of two segments of one sender was sent first, however the path changed their order.</summary>
static class SendOrder
{
    // An identification so near was taken from the same counter (RFC 6864 asks for no order, but common stacks count).
    const int IpIdWindow = 1000;

    /// <summary>The identification to compare a packet by.</summary>
    /// <param name="packet">The packet.</param>
    /// <returns>IPv4 identification; 0 when there is none.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort IpIdOf(in ParsedPacket packet) => (packet.Traits & PacketTraits.IsIpv6) != 0 ? (ushort)0 : (ushort)packet.IpId;

    /// <summary>Compares by TSval, where it is the same by IPv4 identification.</summary>
    /// <param name="tsVal">TSval of the one; 0 without.</param>
    /// <param name="ipId">Its identification; 0 without.</param>
    /// <param name="otherTsVal">TSval of the other; 0 without.</param>
    /// <param name="otherIpId">Its identification; 0 without.</param>
    /// <returns>Negative when the one was sent first, positive when the other was, 0 when nothing tells.</returns>
    public static int Compare(uint tsVal, ushort ipId, uint otherTsVal, ushort otherIpId)
    {
        if (tsVal != 0 && otherTsVal != 0 && tsVal != otherTsVal)
        {
            return unchecked((int)(tsVal - otherTsVal));
        }

        int step = ipId == 0 || otherIpId == 0 ? 0 : (short)(ipId - otherIpId);
        return Math.Abs(step) < IpIdWindow ? step : 0;
    }
}
