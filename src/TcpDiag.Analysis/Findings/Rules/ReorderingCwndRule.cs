using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>Reordering is taken for loss, and each time the congestion window is cut (stories S1 and S2).</summary>
static class ReorderingCwndRule
{
    const double LeastShare = 0.3;
    const double LeastNeedlessPart = 0.3;
    const int LeastCuts = 2;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!IsTheCause(subject))
        {
            return null;
        }

        return Word(subject);
    }

    static Finding Word(DirectionSubject subject)
    {
        bool isTimed = subject.Direction.Limits is not null;
        long time = TimeOf(subject);
        var draft = new FindingDraft(FindingIds.CwndLimitedByReordering);
        return subject.Found((isTimed ? draft.Costs(CwndRule.TimeLost(subject, time)) : draft.AtLeast(FindingSeverity.Warning))
            .Sure(!isTimed ? 0.6 : subject.Direction.Dsacks > 0 ? 0.95 : 0.8)
            .Worded(() => Text(subject, time)));
    }

    static FindingText Text(in DirectionSubject subject, long time)
    {
        ConnectionDirection direction = subject.Direction;
        FindingText text = new FindingText($"Reordering on the path is taken for loss and keeps the {subject.Sender}'s congestion window small.")
            .Because($"Packets overtake each other; the {subject.Sender} takes the late ones for lost, sends them again for nothing and cuts its congestion window. Repeated, that costs as much as real loss.");
        return (direction.Limits is null
                ? text.Shown("time it cost", $"not told from here: what limits the {subject.Sender} shows in a capture at the {subject.Sender}")
                : text.Shown("time the congestion window or its recovery was the limit", subject.OfActive(time), subject.LimitSamples, subject.PlaceOf(LimitState.CongestionWindow, LimitState.Recovery)))
            .Shown("retransmissions that were not needed", $"{subject.Needless} of {direction.Retransmissions}", direction.WireSegments, subject.Patterns.Retransmission, subject.Patterns.LastRetransmission)
            .Shown("DSACKs (the receiver had the data already)", $"{direction.Dsacks}", null, subject.Patterns.Dsack)
            .Shown("segments reordered on the path", $"{direction.Reordering?.Packets ?? 0}", direction.Reordering?.Samples)
            .Shown("most bytes in flight, beside the receive window", $"{Quantity.Bytes(direction.MaxInFlightBytes ?? 0)} of {Quantity.Bytes(direction.MaxReceiveWindowBytes ?? 0)}")
            .Advise(
                "Network: find where packets are reordered: capture at two points. Usual places: a NIC that steers flows (Intel Flow Director/ATR), per-packet load balancing, parallel links, a firewall cluster.",
                "Linux host with an Intel NIC: ethtool -S eth0 | grep fdir; if fdir_flush_cnt grows: ethtool --set-priv-flags eth0 flow-director-atr off.",
                $"Windows {subject.Sender}: builds from 21332 on tolerate reordering of up to one RTT, but Windows 11 21H2 (22000) never learns from DSACKs; use 22621 or later.",
                $"Linux {subject.Sender}: net.ipv4.tcp_dsack=1, net.ipv4.tcp_timestamps=1 and net.ipv4.tcp_recovery=1 let it adapt and undo.");
    }

    static long TimeOf(in DirectionSubject subject) => subject.TimeIn(LimitState.CongestionWindow) + subject.TimeIn(LimitState.Recovery);

    /// <summary>Whether needless retransmissions are what keeps the congestion window small.</summary>
    /// <param name="subject">The direction.</param>
    /// <returns>
    /// True when several answer duplicate acknowledgments, they are a good part of all, and the window or its recovery is a good part of the time; where that is not known, when
    /// they are as many as losses that keep a window small.
    /// </returns>
    public static bool IsTheCause(in DirectionSubject subject)
    {
        long all = subject.Direction.Retransmissions;
        long byTimer = subject.Direction.Triggers is { } by ? by.Tlp + by.Rto : 0; // what overtakes does not set off a timer
        bool isReordered = subject.Direction.Dsacks > 0 || subject.Direction.Reordering?.Packets > 0;
        return isReordered
            && subject.Needless - byTimer >= LeastCuts
            && subject.Needless >= LeastNeedlessPart * all
            && (subject.Direction.Limits is null
                ? subject.Needless >= PathLossRule.GraveRatio * subject.Direction.WireSegments
                : subject.Share(LimitState.CongestionWindow) + subject.Share(LimitState.Recovery) >= LeastShare);
    }
}
