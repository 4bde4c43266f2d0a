using System;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>The gaps of a direction: ranges that were jumped over and may still come.</summary>
static class SequenceGaps
{
    // An identification so near was taken from the same counter (RFC 6864 asks for no order, but common stacks count).
    const int IpIdWindow = 1000;

    // Without any RTT, a segment later than this is taken for a retransmission (the value tshark uses).
    const long DefaultReorderingDelay = 3_000_000; // ns

    /// <summary>Remembers a gap; when there are too many, the oldest is forgotten.</summary>
    /// <param name="repair">The direction's state.</param>
    /// <param name="start">First missing byte.</param>
    /// <param name="packet">The segment behind the gap.</param>
    /// <param name="time">When.</param>
    public static void Add(ref RepairState repair, SequenceNumber start, in ParsedPacket packet, TraceTime time)
    {
        if (repair.GapCount == RepairState.MostGaps)
        {
            RemoveAt(ref repair, 0);
        }

        repair.Gaps[repair.GapCount++] = new SequenceHole
        {
            Start = start,
            End = packet.Sequence,
            Time = time,
            TsVal = packet.Options.Has(TcpOptionKinds.Timestamps) ? packet.Options.TsVal : 0,
            IpId = (packet.Traits & PacketTraits.IsIpv6) != 0 ? (ushort)0 : (ushort)packet.IpId,
        };
    }

    /// <summary>Takes a range out of the gaps.</summary>
    /// <param name="repair">The direction's state.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <param name="filled">The first gap touched, as it was before.</param>
    /// <returns>Bytes that were missing until now.</returns>
    public static int Fill(ref RepairState repair, SequenceNumber start, SequenceNumber end, out SequenceHole filled)
    {
        int bytes = 0;
        filled = default;
        for (int i = repair.GapCount - 1; i >= 0; i--)
        {
            SequenceHole gap = repair.Gaps[i];
            SequenceNumber from = start > gap.Start ? start : gap.Start;
            SequenceNumber to = end < gap.End ? end : gap.End;
            if (to - from <= 0)
            {
                continue;
            }

            bytes += to - from;
            filled = gap;
            Cut(ref repair, i, from, to);
        }

        return bytes;
    }

    /// <summary>Forgets what lies below an acknowledgment: it arrived without being captured.</summary>
    /// <param name="repair">The direction's state.</param>
    /// <param name="ack">The cumulative acknowledgment.</param>
    /// <returns>Bytes that were missing.</returns>
    public static int DropBelow(ref RepairState repair, SequenceNumber ack)
    {
        int bytes = 0;
        for (int i = repair.GapCount - 1; i >= 0; i--)
        {
            ref SequenceHole gap = ref repair.Gaps[i];
            if (ack >= gap.End)
            {
                bytes += gap.End - gap.Start;
                RemoveAt(ref repair, i);
            }
            else if (ack > gap.Start)
            {
                bytes += ack - gap.Start;
                gap.Start = ack;
            }
        }

        return bytes;
    }

    /// <summary>Whether a segment that fills a gap is the original, late, and no retransmission.</summary>
    /// <param name="gap">The gap.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="time">When it was captured.</param>
    /// <param name="rtt">Smallest RTT known, nanoseconds; 0 when none is.</param>
    /// <returns>True when it was sent before the segment that showed the gap: by timestamp, else by IP identification, else by its delay.</returns>
    public static bool IsReordered(in SequenceHole gap, in ParsedPacket packet, TraceTime time, long rtt)
    {
        if (gap.TsVal != 0 && packet.Options.Has(TcpOptionKinds.Timestamps) && packet.Options.TsVal != gap.TsVal)
        {
            return unchecked((int)(packet.Options.TsVal - gap.TsVal)) < 0;
        }

        int step = gap.IpId == 0 || packet.IpId == 0 ? 0 : (short)(packet.IpId - gap.IpId);
        if (step != 0 && Math.Abs(step) < IpIdWindow)
        {
            return step < 0;
        }

        return time - gap.Time < (rtt > 0 ? rtt : DefaultReorderingDelay);
    }

    static void Cut(ref RepairState repair, int index, SequenceNumber from, SequenceNumber to)
    {
        SequenceHole gap = repair.Gaps[index];
        bool keepsLow = from > gap.Start;
        bool keepsHigh = to < gap.End;
        if (!keepsLow && !keepsHigh)
        {
            RemoveAt(ref repair, index);
            return;
        }

        repair.Gaps[index].End = keepsLow ? from : gap.End;
        repair.Gaps[index].Start = keepsLow ? gap.Start : to;
        if (keepsLow && keepsHigh && repair.GapCount < RepairState.MostGaps)
        {
            gap.Start = to;
            repair.Gaps[repair.GapCount++] = gap;
        }
    }

    static void RemoveAt(ref RepairState repair, int index)
    {
        repair.GapCount--;
        for (int i = index; i < repair.GapCount; i++)
        {
            repair.Gaps[i] = repair.Gaps[i + 1];
        }
    }
}
