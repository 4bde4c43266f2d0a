using System;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// Recognises one packet captured at several points of a machine or a network (bridge and port, physical and virtual adapter, filter layers, both sides of
/// a mirrored router): the same headers at another point within a short time. A retransmission comes by the same points again, and counts.
/// </summary>
sealed class DuplicateFilter
{
    const int FewSets = 1 << 8; // while looking for a second point: a power of two, and little enough to stay near the processor
    const int ManySets = 1 << 13; // once there is one: a power of two
    const int Ways = 4; // packets of one set remembered, 32 bytes each: one under way at the same time does not push another out

    Seen[] _seen = new Seen[FewSets * Ways];

    /// <summary>Makes room for all packets under way: from now on every one is asked for. What was seen stays known.</summary>
    public void OnSeveralPoints()
    {
        if (_seen.Length == FewSets * Ways)
        {
            Seen[] few = _seen;
            _seen = new Seen[ManySets * Ways];
            foreach (ref readonly Seen seen in few.AsSpan())
            {
                if (seen.Fingerprint != 0)
                {
                    Find(seen.Fingerprint) = seen;
                }
            }
        }
    }

    /// <summary>Whether a packet was seen at another point just before.</summary>
    /// <param name="packet">A TCP packet.</param>
    /// <param name="frame">The frame it was parsed from.</param>
    /// <param name="point">Where it was captured.</param>
    /// <param name="time">When.</param>
    /// <returns>True when it is the same packet.</returns>
    public bool IsDuplicate(in ParsedPacket packet, ReadOnlySpan<byte> frame, in CapturePoint point, TraceTime time)
    {
        ulong fingerprint = FingerprintOf(packet, frame);
        ref Seen seen = ref Find(fingerprint);
        long age = TraceTime.Distance(time, seen.Time);
        bool isRepeat = seen.Fingerprint == fingerprint && age <= Thresholds.MaxHostDelayNanos
            && (!seen.HasInterface(point) || (age <= Thresholds.MaxRouterDelayNanos && (!seen.HasPlace(point) || (point.IsMixed && HasIdentity(packet)))));
        if (!isRepeat)
        {
            seen = new Seen { Fingerprint = fingerprint, Time = time };
        }

        seen.Add(point);
        return isRepeat;
    }

    // Whether a retransmission of it would show: by another number, or by a later timestamp unless it comes at once.
    static bool HasIdentity(in ParsedPacket packet) => packet.IpId != 0 || packet.Options.Has(TcpOptionKinds.Timestamps);

    // Its place, or the longest unused one of its set.
    ref Seen Find(ulong fingerprint)
    {
        int sets = _seen.Length / Ways;
        Span<Seen> set = _seen.AsSpan(((int)(fingerprint >> 32) & (sets - 1)) * Ways, Ways);
        ref Seen found = ref set[0];
        foreach (ref Seen seen in set)
        {
            if (seen.Fingerprint == fingerprint)
            {
                return ref seen;
            }

            if (seen.Time < found.Time)
            {
                found = ref seen;
            }
        }

        return ref found;
    }

    // All that stays the same on the way. The checksum is filled in on the way out of a host.
    static ulong FingerprintOf(in ParsedPacket packet, ReadOnlySpan<byte> frame)
    {
        const int checksumOffset = 16;
        const int optionsOffset = 20;
        ulong hash = FlowKey.Of(packet, out bool isFromHigh).Hash(isFromHigh ? 1UL : 0UL);
        hash = BitMixer.Mix(hash ^ (((ulong)packet.IpId << 32) | (uint)packet.PayloadLength));
        ReadOnlySpan<byte> header = frame[packet.TransportOffset..Math.Min(packet.PayloadOffset, frame.Length)];
        return BitMixer.Mix(header[optionsOffset..], BitMixer.Mix(header[..checksumOffset], hash));
    }

    struct Seen
    {
        const int PlaceBits = 16;

        public ulong Fingerprint;
        public TraceTime Time;
        ulong _interfaces;
        ulong _places; // the latest four

        public readonly bool HasInterface(in CapturePoint point) => (_interfaces & BitOf(point)) != 0;

        public readonly bool HasPlace(in CapturePoint point)
        {
            ulong places = _places;
            while (places != 0 && (ushort)places != point.Place)
            {
                places >>= PlaceBits;
            }

            return places != 0;
        }

        public void Add(in CapturePoint point)
        {
            _interfaces |= BitOf(point);
            _places = HasPlace(point) ? _places : (_places << PlaceBits) | point.Place;
        }

        static ulong BitOf(in CapturePoint point) => 1UL << (int)(point.Interface & 63);
    }
}

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
