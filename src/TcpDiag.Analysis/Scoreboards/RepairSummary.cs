using TcpDiag.Analysis.Flows;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>What the account of a direction means, which depends on where the capture was taken.</summary>
static class RepairSummary
{
    /// <summary>Sets triggers, needs, loss and reordering.</summary>
    /// <param name="board">The account; what waits for a verdict counts as unknown.</param>
    /// <param name="ids">The sender's IPv4 identifications.</param>
    /// <param name="place">Where the capture was taken.</param>
    /// <param name="durations">Where the extents of reordering are.</param>
    /// <param name="result">Gets the sums.</param>
    public static void Write(in Scoreboard board, in IpIdAccount ids, CapturePlace place, RttRecorder durations, ConnectionDirection result)
    {
        NeedCounts needs = NeedsOf(board, place);
        needs = needs with { Unknown = needs.Unknown + board.Resends.Count };
        result.Repairs = RepairCounts.Of(board.Triggers.ToCounts(), needs);
        result.NamedTriggers = board.Named;
        bool isKnown = place != CapturePlace.Unknown || result.Retransmissions == 0;
        if (result.WireSegments == 0)
        {
            return;
        }

        result.Loss = isKnown ? LossOf(board, ids, place, needs, result.WireSegments) : null;
        bool isHindsight = place == CapturePlace.Sender || (place == CapturePlace.Unknown && board.Arrivals.Packets == 0);
        if (isKnown || board.Arrivals.Packets > 0)
        {
            result.Reordering = ReorderingOf(isHindsight ? board.Hindsight : board.Arrivals, durations, result.WireSegments);
        }
    }

    // Behind the path, identifications left out tell more than holes filled by retransmissions: what was resent may be lost once more.
    static LossSummary LossOf(in Scoreboard board, in IpIdAccount ids, CapturePlace place, NeedCounts needs, long segments)
    {
        bool isBehindPath = place is CapturePlace.Receiver or CapturePlace.Middle;
        if (!isBehindPath || !ids.IsOwnCounter)
        {
            return new(needs.Necessary, Evidence.Packets, segments);
        }

        long lostLater = place == CapturePlace.Middle ? board.SeenNeeds.ToCounts().Necessary : 0;
        return new(ids.Lost + lostLater, Evidence.Packets, ids.Sent);
    }

    // At the receiver, data that comes a second time was sent for nothing, and data that comes late by a retransmission had been lost.
    // In between, this holds for losses before the capture point; what has passed it is judged as at the sender.
    static NeedCounts NeedsOf(in Scoreboard board, CapturePlace place)
    {
        NeedCounts seen = board.SeenNeeds.ToCounts();
        NeedCounts fills = board.FillNeeds.ToCounts();
        long lost = fills.Total - board.Overtaken;
        return place switch
        {
            CapturePlace.Sender => new(
                seen.Necessary + fills.Necessary,
                seen.Spurious + fills.Spurious,
                seen.LikelySpurious + fills.LikelySpurious,
                seen.Unknown + fills.Unknown),
            CapturePlace.Receiver => new(lost, seen.Total + board.Overtaken, 0, 0),
            CapturePlace.Middle => new(lost + seen.Necessary, seen.Spurious + board.Overtaken, seen.LikelySpurious, seen.Unknown),
            _ => new(lost, seen.Spurious + board.Overtaken, 0, seen.Necessary + seen.LikelySpurious + seen.Unknown),
        };
    }

    // Acknowledgments also tell of data that was not captured. Where more came late than was captured there is nothing to compare with.
    static ReorderingSummary? ReorderingOf(in ReorderingAccount account, RttRecorder durations, long segments)
    {
        if (account.Packets > segments)
        {
            return null;
        }

        return new ReorderingSummary(account.Packets, Evidence.Packets, segments) { Extents = ExtentsOf(account, durations) };
    }

    // Null when nothing came late.
    static ReorderingExtents? ExtentsOf(in ReorderingAccount account, RttRecorder durations)
    {
        RttSummary extents = durations.Summarise(account.Extents);
        bool hasAny = extents.Samples > 0;
        bool hasOvertaking = account.MaxExtentPackets > 0;
        return !hasAny && !hasOvertaking && account.MaxExtentBytes == 0 ? null : new ReorderingExtents(
            hasAny ? account.Extents.Max : null,
            hasAny ? extents.Median : null,
            hasOvertaking ? account.MaxExtentPackets : null,
            account.MaxExtentBytes > 0 ? account.MaxExtentBytes : null,
            hasOvertaking ? account.ThreeReordered : null);
    }
}
