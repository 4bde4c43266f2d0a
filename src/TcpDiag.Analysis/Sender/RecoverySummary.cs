using System;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Sender;

/// <summary>What the loss recovery of one end's data means, which depends on where the capture was taken.</summary>
static class RecoverySummary
{
    /// <summary>Judges triggers, needs, loss and reordering.</summary>
    /// <param name="recovery">The loss recovery; what waits for a verdict counts as unknown.</param>
    /// <param name="sent">The data: its counts, and the sender's IPv4 identifications.</param>
    /// <param name="vantage">Where the capture was taken.</param>
    /// <param name="rtt">RTT samples of the data.</param>
    /// <param name="durations">Where the extents of reordering are.</param>
    /// <returns>The sums.</returns>
    public static RecoveryMeasures Of(in LossRecovery recovery, in SendState sent, DirectionVantage vantage, in RttSummary rtt, DurationSets durations)
    {
        DirectionVantage passed = IsBeforeReceiver(vantage, rtt) ? DirectionVantage.Middle : vantage;
        NeedCounts needs = NeedsOf(recovery, passed);
        needs = needs with { Unknown = needs.Unknown + recovery.Retransmissions.Count };
        var repairs = RetransmissionCounts.Of(recovery.Counts.Triggers, needs);
        long segments = sent.Counts.WireSegments;
        bool isResent = sent.Counts.Retransmissions > 0;
        bool isLossKnown = passed != DirectionVantage.Unknown || !isResent;
        if (segments == 0)
        {
            return new(repairs, recovery.Counts.Named, null, null);
        }

        IpIdSequence ids = sent.Flight.IsAny ? sent.Flight.Value.IpIds : default;
        bool isHindsight = vantage == DirectionVantage.Sender || (vantage == DirectionVantage.Unknown && recovery.Reordering.Arrived.Packets == 0);
        bool isReorderingKnown = vantage != DirectionVantage.Unknown || !isResent || recovery.Reordering.Arrived.Packets > 0;
        return new(
            repairs,
            recovery.Counts.Named,
            !isLossKnown ? null : LossOf(recovery, ids, passed, needs, segments, Uncaptured(sent)) with
            {
                RepairNanos = durations.Quantile(recovery.Missing.Repairs, Thresholds.RepairPercent),
            },
            isReorderingKnown ? ReorderingOf(isHindsight ? recovery.Reordering.Filled : recovery.Reordering.Arrived, durations, segments) : null);
    }

    // Where else the capture was taken is not known: what is sent again had passed it, at the sender as between the ends.
    static bool IsBeforeReceiver(DirectionVantage vantage, in RttSummary rtt) =>
        vantage == DirectionVantage.Unknown && rtt.Samples >= Thresholds.MinReceiverWaySamples && rtt.Min >= Thresholds.MinReceiverWayNanos;

    // Segments that were acknowledged, and so had come, without being captured.
    static long Uncaptured(in SendState sent) =>
        sent.Counts.UnseenBytes > 0 ? sent.Sizes.WireSegmentsOf((int)Math.Min(sent.Counts.UnseenBytes, int.MaxValue)) : 0;

    // Behind the path, identifications left out show more than holes filled by retransmissions: what was resent may be lost once more. They also show what the
    // recorder left out.
    static LossSummary LossOf(
        in LossRecovery recovery, in IpIdSequence ids, DirectionVantage vantage, NeedCounts needs, long segments, long uncaptured)
    {
        bool isBehindPath = vantage is DirectionVantage.Receiver or DirectionVantage.Middle;
        if (!isBehindPath || !ids.IsOwnCounter)
        {
            long behind = LostBehind(recovery, vantage);
            return new(needs.Necessary - behind, Evidence.Packets, segments) { Behind = behind };
        }

        long lostLater = vantage == DirectionVantage.Middle ? recovery.Counts.Seen.Necessary : 0;
        return new(Math.Max(ids.Lost - uncaptured, 0) + lostLater, Evidence.Packets, ids.Sent) { Behind = LostBehind(recovery, vantage) };
    }

    static long LostBehind(in LossRecovery recovery, DirectionVantage vantage) =>
        vantage == DirectionVantage.Receiver ? recovery.Counts.LostBehind : 0;

    // At the receiver, data that comes a second time was sent for nothing, unless its TCP had SACKed what follows but not that; and data that comes late by a
    // retransmission had been lost.
    // In between, this holds for losses before the capture point; what has passed it is judged as at the sender.
    static NeedCounts NeedsOf(in LossRecovery recovery, DirectionVantage vantage)
    {
        NeedCounts seen = recovery.Counts.Seen;
        NeedCounts fills = recovery.Counts.Filled;
        long lost = fills.Total - recovery.Counts.Overtaken;
        long behind = LostBehind(recovery, vantage);
        return vantage switch
        {
            DirectionVantage.Sender => new(
                seen.Necessary + fills.Necessary,
                seen.Spurious + fills.Spurious,
                seen.LikelySpurious + fills.LikelySpurious,
                seen.Unknown + fills.Unknown),
            DirectionVantage.Receiver => new(lost + behind, seen.Total - behind + recovery.Counts.Overtaken, 0, 0),
            DirectionVantage.Middle => new(lost + seen.Necessary, seen.Spurious + recovery.Counts.Overtaken, seen.LikelySpurious, seen.Unknown),
            _ => new(lost, seen.Spurious + recovery.Counts.Overtaken, 0, seen.Necessary + seen.LikelySpurious + seen.Unknown),
        };
    }

    // Acknowledgments also cover data that was not captured. Where more came late than was captured there is nothing to compare with.
    static ReorderingSummary? ReorderingOf(in ReorderedCounts counts, DurationSets durations, long segments)
    {
        if (counts.Packets > segments)
        {
            return null;
        }

        return new ReorderingSummary(counts.Packets, Evidence.Packets, segments) { Extents = ExtentsOf(counts, durations) };
    }

    // Null when nothing came late.
    static ReorderingExtents? ExtentsOf(in ReorderedCounts counts, DurationSets durations)
    {
        RttSummary extents = durations.Summarise(counts.Extents);
        bool hasAny = extents.Samples > 0;
        bool hasOvertaking = counts.MaxExtentPackets > 0;
        return !hasAny && !hasOvertaking && counts.MaxExtentBytes == 0 ? null : new ReorderingExtents(
            hasAny ? counts.Extents.Max : null,
            hasAny ? extents.Median : null,
            hasOvertaking ? counts.MaxExtentPackets : null,
            counts.MaxExtentBytes > 0 ? counts.MaxExtentBytes : null,
            hasOvertaking ? counts.ThreeReordered : null);
    }
}

/// <summary>What the loss recovery of one end's data showed: the properties of that name in <see cref="ConnectionDirection"/>.</summary>
/// <param name="Repairs">Triggers and needs of its retransmissions.</param>
/// <param name="NamedTriggers">Retransmissions whose trigger the sender's own events name.</param>
/// <param name="Loss">What the path lost.</param>
/// <param name="Reordering">What the path reordered.</param>
readonly record struct RecoveryMeasures(RetransmissionCounts? Repairs, long NamedTriggers, LossSummary? Loss, ReorderingSummary? Reordering);
