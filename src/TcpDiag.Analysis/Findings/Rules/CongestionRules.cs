using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The path was full: the sender got all that the slowest link gives, and nothing is to mend at either end.</summary>
static class PathFullRule
{
    const long MinTimeNanos = 300_000_000;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!subject.IsPathFull || subject.BusyTime < MinTimeNanos || TimeLost.LinkRate(subject) is not { } rate)
        {
            return null;
        }

        return Describe(subject, rate);
    }

    static Finding Describe(DirectionSubject subject, double rate) =>
        subject.Found(new FindingDraft(FindingIds.PathFull)
            .AsDescription()
            .WithConfidence(subject.IsAtReceiver ? 0.7 : 0.9)
            .WithText(() => new FindingText(
                $"The path was full: its slowest link gives this {subject.Transfer} {Quantity.BitRate(rate)}; nothing to mend here.")
                .Because($"Data left the slowest link as fast as it can, and what the {subject.Sender} sent beyond that waited in front of it. Whoever wants "
                    + $"more needs a faster link, or less other traffic on it.")
                .Shown("rate of the slowest link", Quantity.BitRate(rate))
                .Shown("goodput", $"{Quantity.BitRate(subject.Direction.GoodputBitsPerSecond)}")
                .Shown("time in which a queue stood on the path", subject.OfActive(subject.Direction.Delivery?.PathFullTime ?? 0))
                .Shown("RTT, smallest and median", $"{Quantity.Duration(subject.Rtt.Min)} and {Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .Advise("Network: a faster link, or less other traffic on this one, if more is needed.")));
}

/// <summary>The congestion window holds the sender back, and neither loss nor reordering explains it.</summary>
static class CwndRule
{
    const double MinShare = 0.5;
    const int MinEqualRounds = 8; // in which a window would have grown by four segments (assumed)
    const double MinPauseShare = 0.5; // of the active time: a program that pauses by its nature (streaming, requests) begins anew each time

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = subject.TimeIn(LimitState.CongestionWindow);
        if (subject.Share(LimitState.CongestionWindow) < MinShare || IsExplained(subject))
        {
            return null;
        }

        return IsLevel(subject.Direction) && !SendBufferRule.IsWindowKnown(subject.Direction)
            ? WindowOrBuffer.Describe(subject, (int)subject.Direction.Cwnd!.MaxBytes, LimitState.CongestionWindow)
            : Describe(subject, time);
    }

    // A congestion window that holds a sender back grows, by half a segment in a round at least (RFC 9438 §4.3): less than the rounds differ by, elsewhere
    // than at the sender.
    static bool IsLevel(ConnectionDirection direction) =>
        direction is { Cwnd: { Samples: >= MinEqualRounds } cwnd, Mss: { } mss } && cwnd.MaxBytes - cwnd.MinBytes < mss;

    static bool IsExplained(in DirectionSubject subject) =>
        subject.IsPathFull || ReorderingCwndRule.IsTheCause(subject) || PathLossRule.IsGrave(subject) || EcnRule.IsTheCause(subject)
        || SlowStartRule.IsTheCause(subject) || EarlyExitRule.IsTheCause(subject) || IdleRestartRule.IsTheCause(subject);

    static Finding Describe(DirectionSubject subject, long time)
    {
        ConnectionDirection direction = subject.Direction;
        bool isUncertain = direction.Limits?.Uncertain * 2 >= time;
        return subject.Found(new FindingDraft(FindingIds.CwndLimited)
            .Costs(subject.LostOf(Math.Max(time - (direction.Delivery?.PathFullTime ?? 0), 0))) // while a queue stood the path was the limit
            .ByMin(subject.IsAtReceiver)
            .AsNote(IsByNature(subject) || subject.OtherWay is not null)
            .AsDescription()
            .WithConfidence(isUncertain || IsPathUnknown(subject) ? 0.4 : 0.8)
            .WithText(() => new FindingText($"The {subject.Transfer} goes as fast as the {subject.Sender}'s congestion window lets it.")
                .Because(Cause(subject, isUncertain))
                .Shown(
                    "time the congestion window was the limit",
                    subject.OfActive(time),
                    subject.LimitSamples,
                    subject.LongestSpan(LimitState.CongestionWindow))
                .Shown("most bytes in flight, beside the receive window", $"{Quantity.Bytes(direction.MaxInFlightBytes ?? 0)} of "
                    + $"{Quantity.Bytes(direction.MaxReceiveWindowBytes)}")
                .Shown("RTT, smallest and median", $"{Quantity.Duration(subject.Rtt.Min)} and {Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .ShownCounter(direction, LimitState.CongestionWindow)
                .ShownOtherWay(subject)
                .Advise(
                    "Short transfers over long paths: use one connection for many transfers, so that its window stays open.",
                    $"Windows {subject.Sender}: Get-NetTCPSetting shows initial window and congestion provider; CUBIC with the Internet template is right "
                        + $"for WANs.",
                    $"Linux {subject.Sender}: ss -ti shows cwnd and ssthresh; bbr or cubic with net.core.default_qdisc=fq serve long paths.")));
    }

    // A program that pauses begins anew each time; and a window that nothing has cut grows as TCP has it.
    static bool IsByNature(in DirectionSubject subject) =>
        subject.TimeIn(LimitState.Application) + subject.TimeIn(LimitState.Idle) >= MinPauseShare * subject.ActiveTime
        || (subject.Direction is { Retransmissions: 0, Loss: null or { Packets: 0 }, Ecn: null or { IsMarked: false } } && IsGrowing(subject));

    // From what HyStart may leave it at CUBIC takes cbrt(segments / C) seconds to what the path holds (RFC 9438 §4.2).
    static bool IsGrowing(in DirectionSubject subject)
    {
        if (TimeLost.LinkRate(subject) is not { } rate || subject.SendingRate < EarlyExitRule.MaxExitShare * rate || subject.Direction.Mss is not > 0)
        {
            return false;
        }

        double missing = Math.Max(rate - subject.SendingRate, 0) / 8e9 * subject.Rtt.Median / subject.Direction.Mss.Value;
        return subject.BusyTime <= 1e9 * Math.Cbrt(missing / Cubic.C);
    }

    // A capture that begins later may never have seen the path empty: whether it was full does not show.
    static bool IsPathUnknown(in DirectionSubject subject) => subject.Connection.HandshakeRtt is null && subject.Direction.Evidence != Evidence.Events;

    static string Cause(in DirectionSubject subject, bool isUncertain) => isUncertain
        ? $"Seen from here, a sender that paces itself or whose send buffer is full looks alike; a capture at the {subject.Sender} tells them apart."
        : IsPathUnknown(subject)
        ? "Either that window is small, or the path is full and it rightly follows: how long a round trip takes on the empty path the handshake would show, "
            + $"which was not captured."
        : $"The {subject.Sender} was still opening its window (slow start, or growth after an earlier cut) when the transfer ended, or the path gives no "
            + $"more.";
}

/// <summary>The sender takes reordering for loss and cuts its congestion window each time (stories S1 and S2).</summary>
static class ReorderingCwndRule
{
    const double MinShare = 0.3;
    const double MinNeedlessShare = 0.3;
    const int MinCuts = 2;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!IsTheCause(subject))
        {
            return null;
        }

        return Describe(subject);
    }

    static Finding Describe(DirectionSubject subject)
    {
        bool isTimed = subject.Direction.Limits is not null;
        long time = TimeOf(subject);
        var draft = new FindingDraft(FindingIds.CwndLimitedByReordering);
        return subject.Found((isTimed ? draft.Costs(subject.LostOf(time)) : draft.WithMinSeverity(FindingSeverity.Warning))
            .WithConfidence(!isTimed ? 0.6 : subject.Direction.Dsacks > 0 ? 0.95 : 0.8)
            .WithText(() => Text(subject, time)));
    }

    static FindingText Text(in DirectionSubject subject, long time)
    {
        ConnectionDirection direction = subject.Direction;
        FindingText text = new FindingText($"Reordering on the path is taken for loss and keeps the {subject.Sender}'s congestion window small.")
            .Because($"Packets overtake each other; the {subject.Sender} takes the late ones for lost, sends them again for nothing and cuts its congestion "
                + $"window. Repeated, that costs as much as real loss.");
        return (direction.Limits is null
                ? text.Shown("time it cost", $"unknown here: what limits the {subject.Sender} shows in a capture at the {subject.Sender}")
                : text.Shown(
                    "time the congestion window or its recovery was the limit",
                    subject.OfActive(time),
                    subject.LimitSamples,
                    subject.LongestSpan(LimitState.CongestionWindow, LimitState.Recovery)))
            .Shown(
                "retransmissions that were not needed",
                $"{subject.Needless} of {direction.Retransmissions}",
                direction.WireSegments,
                subject.Patterns.Retransmission,
                subject.Patterns.LastRetransmission)
            .Shown("DSACKs (the receiver had the data already)", $"{direction.Dsacks}", null, subject.Patterns.Dsack)
            .Shown("segments reordered on the path", $"{direction.Reordering?.Packets ?? 0}", direction.Reordering?.Samples)
            .Shown("most bytes in flight, beside the receive window", $"{Quantity.Bytes(direction.MaxInFlightBytes ?? 0)} of "
                + $"{Quantity.Bytes(direction.MaxReceiveWindowBytes)}")
            .Advise(
                "Network: find where packets are reordered: capture at two points. Usual places: a NIC that steers flows (Intel Flow Director/ATR), "
                    + "per-packet load balancing, parallel links, a firewall cluster.",
                "Linux host with an Intel NIC: ethtool -S eth0 | grep fdir; if fdir_flush_cnt grows: ethtool --set-priv-flags eth0 flow-director-atr off.",
                $"Windows {subject.Sender}: builds from 21332 on tolerate reordering of up to one RTT, but Windows 11 21H2 (22000) never learns from "
                    + $"DSACKs; use 22621 or later.",
                $"Linux {subject.Sender}: net.ipv4.tcp_dsack=1, net.ipv4.tcp_timestamps=1 and net.ipv4.tcp_recovery=1 let it adapt and undo.");
    }

    static long TimeOf(in DirectionSubject subject) => subject.TimeIn(LimitState.CongestionWindow) + subject.TimeIn(LimitState.Recovery);

    /// <summary>
    /// Whether needless retransmissions keep the congestion window small: there are several that no timer triggered, they are a good share of all
    /// retransmissions, and the window or recovery limited the sender for a good share of the time. Where the limits are unknown: when there are as many
    /// as losses that would keep a window small. A sender that took back every reduction, and repairs little, has another reason to be slow.
    /// </summary>
    public static bool IsTheCause(in DirectionSubject subject)
    {
        long all = subject.Direction.Retransmissions;
        long byTimer = subject.Direction.Triggers is { } by ? by.Tlp + by.Rto : 0; // packets that overtake each other set off no timer
        bool isReordered = subject.Direction.Dsacks > 0 || subject.Direction.Reordering?.Packets > 0;
        return isReordered
            && !BufferbloatRule.IsTheCause(subject) // its delays make a sender give up too early as well
            && subject.Needless - byTimer >= MinCuts
            && !IsUndone(subject)
            && !EarlyExitRule.IsTheCause(subject)
            && subject.Needless >= MinNeedlessShare * all
            && (subject.Direction.Limits is null
                ? subject.Needless >= PathLossRule.GraveRatio * subject.Direction.WireSegments
                : subject.Share(LimitState.CongestionWindow) + subject.Share(LimitState.Recovery) >= MinShare);
    }

    static bool IsUndone(in DirectionSubject subject) =>
        subject.Direction.SlowStart is { Reductions: 0, ExitBytes: not null } && subject.Share(LimitState.Recovery) < MinShare;
}

/// <summary>Queues on the path mark packets instead of dropping them (RFC 3168), and the sender cuts its congestion window for it.</summary>
static class EcnRule
{
    const double MinShare = 0.3;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!IsTheCause(subject))
        {
            return null;
        }

        return Describe(subject, subject.Direction.Ecn!);
    }

    /// <summary>
    /// Whether marks keep the congestion window small: the sender reduced it for them, neither loss nor reordering explains it, and it cost time. Where the
    /// queue that marks is full all the same, the window rightly follows the path.
    /// </summary>
    public static bool IsTheCause(in DirectionSubject subject) =>
        subject.Direction.Ecn is { Echoes: > 0, Reductions: > 0 }
        && subject.Share(LimitState.CongestionWindow) >= MinShare
        && !PathLossRule.IsGrave(subject)
        && !ReorderingCwndRule.IsTheCause(subject)
        && !subject.IsPathFull
        && TimeLost(subject).Max > 0;

    static (long Max, long Min) TimeLost(in DirectionSubject subject) => subject.LostOf(subject.TimeIn(LimitState.CongestionWindow));

    static Finding Describe(DirectionSubject subject, EcnSummary ecn) =>
        subject.Found(new FindingDraft(FindingIds.EcnMarks)
            .Costs(TimeLost(subject))
            .WithConfidence(0.8)
            .WithText(() => new FindingText($"A queue on the path marked packets of the {subject.Transfer} (ECN), and the {subject.Sender} reduced its "
                + $"congestion window {Quantity.Count(ecn.Reductions ?? 0, "time")}.")
                .Because($"Routers that know ECN mark packets where others drop them: no data is lost, but the {subject.Sender} sends slower, as after a loss. "
                    + $"Either the link is full, or its queue marks too early, before the link is.")
                .Shown(
                    "segments that report a reduced window (CWR)",
                    $"{ecn.Reductions}",
                    subject.Direction.WireSegments,
                    subject.Patterns.Reduction,
                    subject.Patterns.LastReduction)
                .Shown("packets that came back with the echo of a mark (ECE)", $"{ecn.Echoes}")
                .Shown("packets marked at the capture point (CE)", $"{ecn.Marked}", subject.Direction.Packets)
                .Shown(
                    "time the congestion window was the limit",
                    subject.OfActive(subject.TimeIn(LimitState.CongestionWindow)),
                    subject.LimitSamples,
                    subject.LongestSpan(LimitState.CongestionWindow))
                .Shown("RTT, smallest and median", $"{Quantity.Duration(subject.Rtt.Min)} and {Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .Advise(
                    "Network: find the queue that marks (RED or WRED with ECN, fq_codel, DCTCP thresholds in switches) and compare its threshold with "
                        + "bandwidth × RTT of the path.",
                    $"Windows {subject.Sender}: netsh interface tcp show global shows ECN capability; switching it off replaces marks by loss: to test only.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_ecn=0 replaces marks by loss: to test only; dctcp is meant for thresholds of data centres.")));
}

/// <summary>A queue on the path stands for as long as data flows, and every round trip takes longer by it.</summary>
static class BufferbloatRule
{
    const long MinDelayNanos = 100_000_000; // what a person on a call notices; a queue the other way adds as much
    const int MinSamples = 20;
    const int MinSegments = 4;

    const long MinWaitNanos = (long)(Thresholds.MinFeltSeconds * 1e9);
    const double MinFullCorrelation = 0.25; // of a path that was full (assumed)

    /// <summary>Of round trips with what is in flight, where a queue has it: the correlation.</summary>
    public const double MinCorrelation = 0.5;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!IsTheCause(subject))
        {
            return null;
        }

        return Describe(subject, subject.Direction.Rtt);
    }

    /// <summary>Whether such a queue stands: what is lost then is lost where it overflows, and its cost is the queue's.</summary>
    public static bool IsTheCause(in DirectionSubject subject)
    {
        RttSummary rtt = subject.Direction.Rtt; // of this direction's own data alone: it is what fills the queue
        long delay = rtt.Median - rtt.Min;
        return rtt.Samples >= MinSamples
            && delay >= MinDelayNanos
            && subject.ActiveTime > 0
            && HasLoad(subject)
            && (delay >= 2 * MinDelayNanos || subject.OtherWay is null);
    }

    // The RTT grows with what this direction has in flight, enough to fill a queue. Delayed acknowledgments and a busy receiver do not follow the flight; in a
    // queue that never empties losses blur it.
    static bool HasLoad(in DirectionSubject subject) =>
        subject.Direction is { Mss: { } mss, MaxInFlightBytes: { } most } && most >= MinSegments * mss
        && subject.Direction.RttLoad >= (subject.IsPathFull ? MinFullCorrelation : MinCorrelation);

    // What a conversation waited in it, it costs however full the path is.
    static Finding Describe(DirectionSubject subject, RttSummary rtt)
    {
        long waited = subject.Companions?.WaitBeside(subject) ?? 0;
        (long max, long min) = subject.LostOf(
            subject.TimeIn(LimitState.Recovery) + (TimeoutRule.IsPathDead(subject) ? 0 : subject.TimeIn(LimitState.Timeout)));
        FindingDraft draft = Draft(subject, rtt, waited).Costs((Math.Max(max, waited), Math.Max(min, waited)));
        return waited >= MinWaitNanos ? draft.On(subject.Connection, subject.IsFromClient) : subject.Found(draft);
    }

    static FindingDraft Draft(DirectionSubject subject, RttSummary rtt, long waited) =>
        new FindingDraft(FindingIds.Bufferbloat)
            .WithMinSeverity(FindingSeverity.Warning)
            .WithConfidence(0.8)
            .WithText(() => new FindingText($"While the {subject.Transfer} runs, a queue adds {Quantity.Duration(rtt.Median - rtt.Min)} to its round "
                + $"trips.")
                .Because($"The RTT follows what is in flight, from {Quantity.Duration(rtt.Min)} up to {Quantity.Duration(rtt.P95)}: data fills a long queue, "
                    + $"usually before the slowest link, and the queue does not empty. The transfer itself is not slower for it; everything else on that link "
                    + $"is.")
                .Shown("RTT, smallest, median and 95th percentile", $"{Quantity.Duration(rtt.Min)}, {Quantity.Duration(rtt.Median)}, "
                    + $"{Quantity.Duration(rtt.P95)}", rtt.Samples, subject.Direction.LongestRtt, subject.Direction.LongestRtt)
                .ShownWait(waited)
                .Shown("correlation of RTT with bytes in flight", $"{subject.Direction.RttLoad:0.00}", rtt.Samples)
                .Shown("most bytes in flight", $"{Quantity.Bytes(subject.Direction.MaxInFlightBytes ?? 0)}")
                .Advise(
                    "Network: active queue management (fq_codel, CAKE, PIE) on the router before the slow link; shape to just below the link's rate.",
                    "Sender: BBR, or LEDBAT for background transfers."));

    static FindingText ShownWait(this FindingText text, long waited) => waited == 0 ? text : text.Shown(
        "what requests on another connection between the same hosts waited in it, about", Quantity.Duration(waited));
}
