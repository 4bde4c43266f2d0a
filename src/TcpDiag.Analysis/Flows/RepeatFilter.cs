using System;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Recognises one packet captured at several points of a machine (bridge and port, physical and virtual adapter, filter
/// layers): the same headers at another interface within a short time. A retransmission comes by the same interfaces
/// again, and counts.
/// </summary>
sealed class RepeatFilter
{
    const int Sets = 1 << 13; // a power of two
    const int Ways = 4; // packets of one set remembered, 24 bytes each: one under way at the same time does not push another out
    const long Window = 50_000_000; // ns: far above the way through a host

    readonly Seen[] _seen = new Seen[Sets * Ways];

    /// <summary>Whether a packet was seen at another interface just before.</summary>
    /// <param name="packet">A TCP packet.</param>
    /// <param name="interfaceIndex">Where it was captured.</param>
    /// <param name="time">When.</param>
    /// <returns>True when it is the same packet.</returns>
    public bool IsRepeat(in ParsedPacket packet, int interfaceIndex, TraceTime time)
    {
        ulong fingerprint = FingerprintOf(packet);
        ref Seen seen = ref Find(fingerprint);
        ulong bit = 1UL << (interfaceIndex & 63);
        long age = time - seen.Time;
        bool isRepeat = seen.Fingerprint == fingerprint && age is <= Window and >= -Window && (seen.Interfaces & bit) == 0;
        if (!isRepeat)
        {
            seen = new Seen { Fingerprint = fingerprint, Time = time };
        }

        seen.Interfaces |= bit;
        return isRepeat;
    }

    // Its place, or the longest unused one of its set.
    ref Seen Find(ulong fingerprint)
    {
        Span<Seen> set = _seen.AsSpan(((int)(fingerprint >> 32) & (Sets - 1)) * Ways, Ways);
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

    static ulong FingerprintOf(in ParsedPacket packet)
    {
        ulong hash = FlowKey.Of(packet, out bool isFromHigh).Hash(isFromHigh ? 1UL : 0UL);
        hash = Mix(hash ^ (((ulong)packet.Sequence.Value << 32) | packet.Acknowledgment.Value));
        hash = Mix(hash ^ (((ulong)packet.IpId << 32) | ((ulong)packet.Window << 16) | (ushort)packet.Flags));
        ulong timestamps = packet.Options.Has(TcpOptionKinds.Timestamps)
            ? ((ulong)packet.Options.TsVal << 32) | packet.Options.TsEcr
            : 0;
        return Mix(Mix(hash ^ timestamps) ^ (ulong)packet.PayloadLength);
    }

    // The finaliser of SplitMix64.
    static ulong Mix(ulong value)
    {
        unchecked
        {
            value = (value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9;
            value = (value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB;
            return value ^ (value >> 31);
        }
    }

    struct Seen
    {
        public ulong Fingerprint;
        public TraceTime Time;
        public ulong Interfaces;
    }
}
