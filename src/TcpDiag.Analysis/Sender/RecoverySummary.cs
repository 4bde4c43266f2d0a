using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Sender;

/// <summary>What the loss recovery of one end's data means, which depends on where the capture was taken.</summary>
static class RecoverySummary
{
    /// <summary>Sets triggers, needs, loss and reordering.</summary>
    /// <param name="recovery">The loss recovery; what waits for a verdict counts as unknown.</param>
    /// <param name="ids">The sender's IPv4 identifications.</param>
    /// <param name="vantage">Where the capture was taken.</param>
    /// <param name="durations">Where the extents of reordering are.</param>
    /// <param name="result">Gets the sums.</param>
    public static void Write(in LossRecovery recovery, in IpIdSequence ids, DirectionVantage vantage, DurationSets durations, ConnectionDirection result)
    {
        NeedCounts needs = NeedsOf(recovery, vantage);
        needs = needs with { Unknown = needs.Unknown + recovery.Retransmissions.Count };
        result.Repairs = RetransmissionCounts.Of(recovery.Counts.Triggers, needs);
        result.NamedTriggers = recovery.Counts.Named;
        bool isKnown = vantage != DirectionVantage.Unknown || result.Retransmissions == 0;
        if (result.WireSegments == 0)
        {
            return;
        }

        result.Loss = isKnown ? LossOf(recovery, ids, vantage, needs, result.WireSegments) : null;
        bool isHindsight = vantage == DirectionVantage.Sender || (vantage == DirectionVantage.Unknown && recovery.Reordering.Arrived.Packets == 0);
        if (isKnown || recovery.Reordering.Arrived.Packets > 0)
        {
            result.Reordering = ReorderingOf(isHindsight ? recovery.Reordering.Filled : recovery.Reordering.Arrived, durations, result.WireSegments);
        }
    }

    // Behind the path, identifications left out show more than holes filled by retransmissions: what was resent may be lost once more.
    static LossSummary LossOf(in LossRecovery recovery, in IpIdSequence ids, DirectionVantage vantage, NeedCounts needs, long segments)
    {
        bool isBehindPath = vantage is DirectionVantage.Receiver or DirectionVantage.Middle;
        if (!isBehindPath || !ids.IsOwnCounter)
        {
            return new(needs.Necessary, Evidence.Packets, segments);
        }

        long lostLater = vantage == DirectionVantage.Middle ? recovery.Counts.Seen.Necessary : 0;
        return new(ids.Lost + lostLater, Evidence.Packets, ids.Sent);
    }

    // At the receiver, data that comes a second time was sent for nothing, and data that comes late by a retransmission had been lost.
    // In between, this holds for losses before the capture point; what has passed it is judged as at the sender.
    static NeedCounts NeedsOf(in LossRecovery recovery, DirectionVantage vantage)
    {
        NeedCounts seen = recovery.Counts.Seen;
        NeedCounts fills = recovery.Counts.Filled;
        long lost = fills.Total - recovery.Counts.Overtaken;
        return vantage switch
        {
            DirectionVantage.Sender => new(
                seen.Necessary + fills.Necessary,
                seen.Spurious + fills.Spurious,
                seen.LikelySpurious + fills.LikelySpurious,
                seen.Unknown + fills.Unknown),
            DirectionVantage.Receiver => new(lost, seen.Total + recovery.Counts.Overtaken, 0, 0),
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
