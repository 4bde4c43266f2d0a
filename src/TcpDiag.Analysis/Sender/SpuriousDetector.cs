using System;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>Hears of retransmissions once it is known whether they were needed.</summary>
interface IRetransmissionObserver
{
    /// <summary>Takes in the verdict on a retransmission that was shown before: whether it was needed, as its sender may know it.</summary>
    /// <param name="item">One wire segment of it.</param>
    /// <param name="need">The verdict.</param>
    void OnVerdict(in Retransmission item, RetransmissionNeed need)
    {
    }
}

/// <summary>
/// Whether what was sent again was needed. Each segment is kept until its data is acknowledged and a duplicate of it would have been
/// reported: a DSACK (RFC 3708), or an acknowledgment that came too early or echoes an older timestamp (RFC 3522), shows it needless;
/// without one it was necessary.
/// </summary>
/// <param name="durations">Sums up how late what was reordered came.</param>
/// <param name="observer">Hears the verdicts.</param>
sealed class SpuriousDetector(DurationSets durations, IRetransmissionObserver observer)
{
    // More samples of one instant would say no more about the median.
    const int MaxSamplesAtOnce = 64;

    /// <summary>Takes in a segment sent again.</summary>
    public void Add(ref LossRecovery recovery, in Retransmission item)
    {
        if (recovery.Retransmissions.IsFull)
        {
            Settle(ref recovery, recovery.Retransmissions[0]);
            recovery.Retransmissions.RemoveFirst(1);
        }

        recovery.Retransmissions.Add(item);
    }

    /// <summary>Takes in data that was acknowledged or SACKed for the first time.</summary>
    /// <param name="recovery">The end's loss recovery.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <param name="now">When the acknowledgment passed.</param>
    public static void OnArrived(ref LossRecovery recovery, SequenceNumber start, SequenceNumber end, in AckInstant now)
    {
        ref RetransmissionList list = ref recovery.Retransmissions;
        for (int i = list.FirstAbove(start); i < list.Count && list[i].Start < end; i++)
        {
            if (list[i].End > start)
            {
                list.Acknowledge(ref list[i], now);
            }
        }
    }

    /// <summary>Takes in that SND.UNA moves.</summary>
    /// <param name="space">What was sent; SND.UNA still at the old value.</param>
    /// <param name="recovery">The end's loss recovery.</param>
    /// <param name="packet">The acknowledgment.</param>
    /// <param name="now">When it passed.</param>
    /// <returns>RTT sample of a retransmission whose timestamp it echoes (RFC 7323 §4.1), nanoseconds; 0 without one.</returns>
    public long OnAdvance(in SequenceSpace space, ref LossRecovery recovery, in ParsedPacket packet, in AckInstant now)
    {
        long rtt = 0;
        ref RetransmissionList list = ref recovery.Retransmissions;
        for (int i = list.FirstAbove(space.SndUna); i < list.Count && list[i].Start < packet.Acknowledgment; i++)
        {
            ref Retransmission item = ref list[i];
            if (item.End > space.SndUna && !item.Is(RetransmissionMarks.IsAcked))
            {
                bool isEcho = TakeEcho(ref item, space.SndUna, packet);
                rtt = isEcho ? now.Time - item.Time : rtt;

                // What carries the timestamp of this very transmission answers it, however short its way was.
                list.Acknowledge(ref item, isEcho ? now with { MinRttNanos = 0 } : now);
            }
        }

        recovery.Duplicates.MinRttNanos = now.MinRttNanos;
        if (list.IsFirstOlderThan(now.Time, Thresholds.DsackPatienceNanos))
        {
            SettleAcknowledged(ref recovery, packet.Acknowledgment, now.Time);
        }

        return rtt;
    }

    /// <summary>Takes in that a hole between SACKed data is filled.</summary>
    /// <param name="sizes">Sizes of the end's segments.</param>
    /// <param name="recovery">The end's loss recovery.</param>
    /// <param name="hole">The part that is filled.</param>
    /// <param name="now">When the acknowledgment passed.</param>
    public void OnHoleFilled(in SegmentSizes sizes, ref LossRecovery recovery, in SackHole hole, in AckInstant now)
    {
        ref RetransmissionList list = ref recovery.Retransmissions;
        SequenceNumber at = hole.Start;
        for (int i = list.FirstFrom(hole.Start); i < list.Count && list[i].Start < hole.End; i++)
        {
            ref Retransmission item = ref list[i];
            if (item.End <= hole.Start)
            {
                continue;
            }

            if (item.Start > at)
            {
                OnReordered(ref recovery, sizes.WireSegmentsOf(item.Start - at), now.Time - hole.Since);
            }

            item.HoleTime = hole.Since;
            item.Marks |= RetransmissionMarks.WasSackHole;
            list.Acknowledge(ref item, now);
            at = item.End > at ? item.End : at;
        }

        if (hole.End > at)
        {
            OnReordered(ref recovery, sizes.WireSegmentsOf(hole.End - at), now.Time - hole.Since);
        }
    }

    /// <summary>Takes in a DSACK: of every range in it, one transmission was a duplicate.</summary>
    public static void OnDsack(ref LossRecovery recovery, SackBlock block, in AckInstant now)
    {
        ref RetransmissionList list = ref recovery.Retransmissions;
        int index = list.FirstFrom(block.Left);
        bool isExplained = false;
        while (index < list.Count && list[index].Start < block.Right)
        {
            SequenceNumber start = list[index].Start;
            int reported = -1;
            for (; index < list.Count && list[index].Start == start; index++)
            {
                ref Retransmission item = ref list[index];
                bool isCandidate = item.End > block.Left && !item.Is(RetransmissionMarks.IsReported);
                bool canBe = reported < 0 || now.Time - item.Time >= now.MinRttNanos; // the latest whose report can be here
                reported = isCandidate && canBe ? index : reported;
            }

            if (reported >= 0)
            {
                isExplained = true;
                list[reported].Marks |= RetransmissionMarks.IsReported;
            }
        }

        recovery.Duplicates.CountDsack(isExplained || block.Left < recovery.FirstCaptured);
    }

    /// <summary>Decides on everything that is left.</summary>
    public void SettleAll(ref LossRecovery recovery)
    {
        recovery.Duplicates.Conclude(ref recovery.Retransmissions);
        for (int i = 0; i < recovery.Retransmissions.Count; i++)
        {
            Settle(ref recovery, recovery.Retransmissions[i]);
        }

        recovery.Retransmissions.Release();
    }

    // Whether the acknowledgment echoes the timestamp of this transmission.
    static bool TakeEcho(ref Retransmission item, SequenceNumber una, in ParsedPacket packet)
    {
        uint echo = packet.Options.TsEcr;
        if (echo == 0 || !item.Is(RetransmissionMarks.HasTsVal))
        {
            return false;
        }

        // Only what stood at SND.UNA is certain to have set the echo (RFC 7323 §4.3).
        bool isOlder = unchecked((int)(echo - item.Stamp.TsVal)) < 0 && item.Start <= una;
        item.Marks |= isOlder ? RetransmissionMarks.IsOutdated : RetransmissionMarks.None;
        return echo == item.Stamp.TsVal && item.Is(RetransmissionMarks.HasOwnTsVal) && item.End <= packet.Acknowledgment;
    }

    void SettleAcknowledged(ref LossRecovery recovery, SequenceNumber ack, TraceTime time)
    {
        ref RetransmissionList list = ref recovery.Retransmissions;
        // What is settled now was answered before, and many at once show more than one.
        recovery.Duplicates.ConcludeIfOld(ref list, time, Thresholds.DsackPatienceNanos / 2);
        int count = 0;
        while (count < list.Count && list[count].End <= ack && time - list[count].Time > Thresholds.DsackPatienceNanos)
        {
            Settle(ref recovery, list[count]);
            count++;
        }

        if (count > 0)
        {
            list.RemoveFirst(count);
        }
    }

    void Settle(ref LossRecovery recovery, in Retransmission item)
    {
        RetransmissionNeed need = recovery.Duplicates.NeedOf(item);
        observer.OnVerdict(item, need);
        recovery.Counts.OnVerdict(item, need);
        bool isNeedless = need is RetransmissionNeed.Spurious or RetransmissionNeed.LikelySpurious;
        if (isNeedless && item.Is(RetransmissionMarks.WasSackHole) && !item.Is(RetransmissionMarks.IsRepeated))
        {
            OnReordered(ref recovery, 1, item.AckedTime - item.HoleTime);
        }
    }

    void OnReordered(ref LossRecovery recovery, int segments, long extentNanos)
    {
        recovery.Reordering.Filled.Packets += segments;
        recovery.Duplicates.OnLateOriginal(extentNanos);
        for (int i = Math.Min(segments, MaxSamplesAtOnce); i > 0; i--)
        {
            durations.Add(ref recovery.Reordering.Filled.Extents, extentNanos);
        }
    }
}
