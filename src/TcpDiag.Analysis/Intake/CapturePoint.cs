using System;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// Where a frame was captured. The interface is that of the trace, or the one a cooked header names (LINUX_SLL2); frames of one interface may come from
/// several places all the same: both sides of a router or a VLAN on a mirrored port, or all interfaces of a machine under one name (LINUX_SLL).
/// </summary>
/// <param name="Interface">Number of the interface.</param>
/// <param name="Place">Hash of what else distinguishes places: link-layer header, TTL, direction; never 0.</param>
/// <param name="IsMixed">Whether the frame comes from one of several interfaces, and its header does not say from which.</param>
readonly record struct CapturePoint(uint Interface, ushort Place, bool IsMixed)
{
    /// <summary>The point at which a packet was captured.</summary>
    /// <param name="record">The record.</param>
    /// <param name="packet">The packet in it.</param>
    /// <returns>The point.</returns>
    public static CapturePoint Of(in TraceRecord record, in ParsedPacket packet)
    {
        uint number = record.LinkType == LinkType.LinuxSll2 ? LinkHeader.CookedInterface(record.Data) : (uint)record.InterfaceIndex;
        bool isCooked = record.LinkType is LinkType.LinuxSll or LinkType.LinuxSll2;
        // Radio headers differ each time.
        ReadOnlySpan<byte> link = isCooked || record.LinkType == LinkType.Ethernet ? record.Data[..packet.NetworkOffset] : default;
        ulong hash = BitMixer.Mix(((ulong)number << 16) | ((ulong)packet.HopLimit << 8) | (ulong)record.Direction);
        hash = BitMixer.Mix(link, hash);
        return new(number, (ushort)(hash | 1), record.LinkType == LinkType.LinuxSll);
    }
}
