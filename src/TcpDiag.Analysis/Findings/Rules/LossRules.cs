using System;
using System.Globalization;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The path loses packets.</summary>
static class PathLossRule
{
    /// <summary>Share of lost segments that keeps a congestion window small: CUBIC over 50 ms slows down well below this.</summary>
    public const double GraveRatio = 1e-3;

    static readonly string[] PathSteps =
    [
        "Network: look at the drop and error counters of the ports on the way; loss with a long queue (RTT rises before it) is congestion, loss without is a "
            + "faulty link, duplex or a policer.",
        "Windows: pktmon counters shows drops inside the machine; Get-NetAdapterStatistics shows those of the adapter.",
        "Linux: ethtool -S eth0, nstat -az TcpRetransSegs, tc -s qdisc.",
    ];

    const double CubicC = 0.4; // RFC 9438 §5
    const double CubicCut = 0.3; // 1 − β
    const double MinBoundShare = 0.5; // of the time the window was the limit after the first loss (assumed)

    const double MinOverflowShare = 0.125; // of what was in flight at first; half of slow start's last round where no queue takes it (assumed)
    const double MinOverflow = 1.5; // times what the path delivers: without a queue, Reno loses at 4/3 of its mean, CUBIC at less (assumed)

    public static Finding? Judge(in DirectionSubject subject)
    {
        long lost = Lost(subject);
        if (lost == 0)
        {
            return null;
        }

        return Describe(subject, lost);
    }

    static Finding Describe(DirectionSubject subject, long lost)
    {
        ConnectionDirection direction = subject.Direction;
        bool isExplained = IsExplained(subject);
        long held = isExplained ? 0 : HeldTime(subject);
        SharedRate? shared = SharedAtLosses(subject);
        return subject.Found(new FindingDraft(FindingIds.PathLoss)
            .Costs(subject.LostOf(held))
            .ByMin(subject.IsAtReceiver) // jitter has bursts come closer than the link sends them
            .AsNote(subject.IsDroppedByQueue || IsOverflow(subject) || shared is { IsFull: true })
            .AsDescription(isExplained || subject.IsPathFull) // a queue that overflows because the link is full
            .WithText(() => (IsByHost(subject) ? OfHost(subject, lost) : OfPath(subject, lost))
                .Shown(
                    "packets lost",
                    $"{lost} of {direction.Loss?.Samples ?? direction.WireSegments}",
                    direction.Loss?.Samples ?? direction.WireSegments,
                    subject.Patterns.Retransmission,
                    subject.Patterns.LastRetransmission)
                .ShownRecovery(subject)
                .Shown(
                    "RTT, smallest and 95th percentile",
                    $"{Quantity.Duration(subject.Rtt.Min)} and {Quantity.Duration(subject.Rtt.P95)}",
                    subject.Rtt.Samples)
                .ShownShared(shared)
                .Advise(IsByHost(subject) ? HostSteps(subject.Receiver) : PathSteps)));
    }

    /// <summary>
    /// Whether what was lost is what a full queue had no room for: each time far more was in flight than the path delivers in a round trip, and much of it was
    /// lost at once, as in slow start's last round (J. Hoe, "Improving the start-up behavior", SIGCOMM 1996). No timer expired: the rest was acknowledged.
    /// </summary>
    static bool IsOverflow(in DirectionSubject subject) =>
        subject.Patterns.Onset is { } onset
        && subject.Direction is { Mss: > 0 and { } mss, GoodputBitsPerSecond: > 0 and { } goodput }
        && subject.Connection.HandshakeRtt is not null
        && RoundTrip.PathOf(subject.Connection) is > 0 and { } path
        && Lost(subject) * mss >= MinOverflowShare * onset.Flight
        && onset.MinFlight * 8e9 / path >= MinOverflow * goodput
        && subject.TimeIn(LimitState.Timeout) == 0;

    /// <summary>
    /// What it got together with other connections between the same hosts from its first loss to its last: where that is what the path gives, the queue that
    /// they fill together overflowed.
    /// </summary>
    static SharedRate? SharedAtLosses(in DirectionSubject subject) =>
        subject.Patterns is { Retransmission: { } first, LastRetransmission: { } last } ? subject.Companions?.SharedRate(subject, first.Time, last.Time) : null;

    static FindingText ShownRecovery(this FindingText text, in DirectionSubject subject) => subject.Direction.Limits is null
        ? text // how long it took does not show
        : text.Shown("time spent in recovery", subject.OfActive(subject.TimeIn(LimitState.Recovery)), subject.LimitSamples);

    static FindingText ShownShared(this FindingText text, SharedRate? shared) => shared is { IsFull: true } known
        ? text.Shown(
            "rate at that time with all connections between these hosts, which filled the path together",
            $"{Quantity.BitRate(known.All)} of {known.Others + 1}")
        : text;

    static FindingText OfPath(in DirectionSubject subject, long lost) =>
        new FindingText($"The path lost {Quantity.Count(lost, "packet")} of the {subject.Transfer} "
            + $"({Percent(lost, subject.Direction.Loss?.Samples ?? subject.Direction.WireSegments)}).")
            .Because(subject.IsDroppedByQueue ? ByQueue(subject) : $"Data did not arrive and had to be sent again; after each loss the {subject.Sender} sends "
                + $"slower. A queue on the path overflows, a link is faulty, or a policer cuts what exceeds a rate.");

    static string ByQueue(in DirectionSubject subject) =>
        $"Whenever data was lost, a round trip took {Quantity.Duration(subject.LossRtt)} or more: a full queue before the slowest link dropped it. That tells "
            + $"the {subject.Sender} what the link gives, and behind so long a queue its smaller window still fills the link.";

    static FindingText OfHost(in DirectionSubject subject, long lost) =>
        new FindingText($"The {subject.Receiver} itself lost {Quantity.Count(lost, "packet")} of the {subject.Transfer} "
            + $"({Percent(lost, subject.Direction.Loss?.Samples ?? subject.Direction.WireSegments)}): they arrived, and its TCP did not get them.")
            .Because($"They passed this capture, taken at the {subject.Receiver}, which acknowledged what followed but not them; they had to be sent again, "
                + $"and after each the {subject.Sender} sends slower. Packets damaged on the way are dropped like this (a wrong checksum), as are late "
                + $"ones with an outdated timestamp (RFC 7323 §5), those that a firewall or another filter of the {subject.Receiver} takes, and those for "
                + $"which it has no buffer.")
            .Shown("packets that were captured here and not acknowledged", $"{subject.Direction.Loss!.Behind} of {lost} lost");

    /// <summary>
    /// Time in which losses held the sender back, nanoseconds: its recoveries, and those in which its window was as small as they had left it.
    /// </summary>
    public static long HeldTime(in DirectionSubject subject)
    {
        long recovery = subject.TimeIn(LimitState.Recovery);
        return recovery + (IsGrave(subject) ? Math.Clamp(SinceFirst(subject) - recovery, 0, subject.TimeIn(LimitState.CongestionWindow)) : 0);
    }

    /// <summary>
    /// Wire segments lost: counted at the receiver, else the retransmissions that were needed, less those that the receiver's TCP itself threw away.
    /// </summary>
    public static long Lost(in DirectionSubject subject) => subject.Direction.Loss is { } loss
        ? loss.Packets + Math.Max(loss.Behind - ReassemblyRule.Dropped(subject), 0)
        : Math.Max(subject.Necessary - ReassemblyRule.Dropped(subject), 0);

    // What passed a capture at the receiver and did not reach its TCP.
    static bool IsByHost(in DirectionSubject subject) =>
        subject.Direction.Loss is { Behind: > 0 and var behind } loss && behind >= loss.Packets && !ReassemblyRule.IsTheCause(subject);

    /// <summary>
    /// Whether the loss is enough to explain a small congestion window: by its share, or because the window was growing back after a loss for most of the time.
    /// </summary>
    public static bool IsGrave(in DirectionSubject subject) =>
        Lost(subject) is > 0 and { } lost && (lost >= GraveRatio * subject.Direction.WireSegments || IsGrowingBack(subject, lost));

    // CUBIC takes cbrt(W (1 − β) / C) seconds to the window it had before a loss (RFC 9438 §4.2); Reno takes longer.
    static bool IsGrowingBack(in DirectionSubject subject, long lost)
    {
        if (subject is not { Direction: { Mss: > 0 and { } mss, MaxInFlightBytes: { } most }, Rtt: { Samples: > 0, Median: var rtt } })
        {
            return false;
        }

        double segments = Math.Max(most, subject.SendingRate * rtt / 8e9) / mss;
        double nanos = 1e9 * Math.Cbrt(segments * CubicCut / CubicC);
        return lost * nanos >= MinBoundShare * Math.Min(subject.TimeIn(LimitState.CongestionWindow), SinceFirst(subject));
    }

    static string[] HostSteps(string host) =>
    [
        $"Wireshark: switch TCP checksum validation on and look at the packets that were sent again: a wrong checksum is damage on the way (cable, adapter, "
            + $"router memory).",
        $"Windows {host}: pktmon start --capture --type drop names the component that drops; netstat -s counts segments received with errors.",
        $"Linux {host}: nstat -az TcpInCsumErrors TcpInErrs TcpExtTCPBacklogDrop; nft or iptables counters; dropwatch names the place.",
    ];

    // Another finding has the cost.
    static bool IsExplained(in DirectionSubject subject) => ReorderingCwndRule.IsTheCause(subject) || PolicerRule.IsTheCause(subject)
        || ReassemblyRule.IsTheCause(subject) || TailLossRule.IsTheCause(subject) || BufferbloatRule.IsTheCause(subject) || TimeoutRule.IsTheCause(subject);

    /// <summary>From the first loss, known by its repair, to the end, nanoseconds: what the window was before then has nothing to do with it.</summary>
    public static long SinceFirst(in DirectionSubject subject) => subject is { Patterns.Retransmission: { } first, Direction.FirstData: { } begin }
        ? Math.Max(begin + subject.ActiveTime - first.Time, 0)
        : long.MaxValue;

    // Three significant digits.
    static string Percent(long part, long all)
    {
        if (all == 0)
        {
            return "-";
        }

        double percent = 100.0 * part / all;
        string format = percent < 1 ? "0.###" : percent < 10 ? "0.##" : "0.#";
        return percent.ToString(format, CultureInfo.InvariantCulture) + " %";
    }
}

/// <summary>The sender stood still until its retransmission timer expired.</summary>
static class TimeoutRule
{
    const long MinSilenceNanos = 300_000_000; // RTO of Windows' Internet template
    const long MaxTimeoutNanos = 1_000_000_000; // the least RTO of RFC 6298 §2.4
    const int MaxTimeoutRounds = 3; // of the long round trips: SRTT + 4 RTTVAR of a queue that fills (RFC 6298 §2.3)

    public static Finding? Judge(in DirectionSubject subject)
    {
        long timeouts = subject.Direction.Triggers?.Rto ?? 0;
        long time = subject.TimeIn(LimitState.Timeout);
        bool isSilent = time >= MinSilenceNanos; // away from the sender, what sent a segment again is often unknown, but not that everything stood still
        if ((timeouts == 0 && !isSilent) || subject.ActiveTime == 0)
        {
            return null;
        }

        return Describe(subject, timeouts, time);
    }

    static Finding Describe(DirectionSubject subject, long timeouts, long time) =>
        subject.Found(new FindingDraft(FindingIds.RtoStalls)
            .Costs(IsExplained(subject) ? 0 : time + (IsTheCause(subject) ? subject.LostOf(PathLossRule.HeldTime(subject)).Max : 0))
            .AsDescription(subject.IsPathFull)
            .WithText(() => new FindingText(time > 0
                    ? $"The {subject.Sender} stood still for {Quantity.Duration(time)} until its retransmission timer expired."
                    : $"The {subject.Sender}'s retransmission timer sent {Quantity.Count(timeouts, "segment")} again.")
                .Because($"Nothing told the {subject.Sender} that data was lost: the last packets of a burst, a whole window or a retransmission itself "
                    + $"were lost, or the path was dead for a while. Then only the timer helps (300 ms or more on Windows, 200 ms on Linux, doubling).")
                .Shown(
                    "time waiting for the timer",
                    subject.OfActive(time),
                    subject.LimitSamples,
                    subject.Patterns.Timeout,
                    subject.Patterns.LastRetransmission)
                .Shown("segments known to have been sent again by the timer", $"{timeouts} of {subject.Direction.Retransmissions}")
                .Advise(
                    "Network: find out why so much is lost at once: a link that flaps, a firewall that drops the state, Wi-Fi roaming, a policer.",
                    $"Windows {subject.Sender}: TLP and RACK (from 1607 on, complete from 2004 on) turn most of these into fast repairs: check the template "
                        + $"with Get-NetTCPSetting.",
                    $"Linux {subject.Sender}: net.ipv4.tcp_early_retrans=3 (TLP) and net.ipv4.tcp_recovery=1 are the defaults.")));

    /// <summary>
    /// Whether what was lost was lost in such silences: the timer sent most of it again, so that the small window behind them is their doing. What sent it
    /// again does not show where the originals never came.
    /// </summary>
    public static bool IsTheCause(in DirectionSubject subject) => subject.TimeIn(LimitState.Timeout) is > 0 and var time
        && time >= subject.TimeIn(LimitState.Recovery)
        && (subject.IsAtReceiver || subject.Direction.Triggers is not { Total: > 0 } by || 2 * by.Rto >= by.Total)
        && !IsExplained(subject);

    /// <summary>
    /// Whether the path was dead for a while: a sender that has lost something in a queue, or knows no SACK, waits for one timeout, which is as long as the
    /// round trips of that queue, and hears again.
    /// </summary>
    public static bool IsPathDead(in DirectionSubject subject) => subject.LongestSpan(LimitState.Timeout) is { } span
        && span.To - span.From > Math.Max(MaxTimeoutNanos, MaxTimeoutRounds * subject.Rtt.P95);

    static bool IsExplained(in DirectionSubject subject) => MtuBlackHoleRule.IsTheCause(subject) || DeadPeerRule.IsTheCause(subject)
        || PolicerRule.IsTheCause(subject)
        || (!IsPathDead(subject) && (BufferbloatRule.IsTheCause(subject) || SackRule.IsOff(subject.Connection)));
}

/// <summary>The last segments of a burst were lost and found by a tail loss probe (RFC 8985 §7).</summary>
static class TailLossRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        long probes = subject.Direction.Triggers?.Tlp ?? 0;
        if (probes == 0 || subject.Necessary == 0)
        {
            return null;
        }

        return Describe(subject, probes);
    }

    /// <summary>Whether nothing but the ends of bursts was lost: the wait for the probe is then what the loss cost.</summary>
    public static bool IsTheCause(in DirectionSubject subject) =>
        subject is { Patterns.Tails: { } tails, Necessary: > 0, Direction.Triggers.Rto: 0 }
        && tails.Segments >= subject.Direction.Retransmissions
        && subject.TimeIn(LimitState.Timeout) <= tails.Time;

    static Finding Describe(DirectionSubject subject, long probes) =>
        subject.Found(new FindingDraft(FindingIds.TailLoss)
            .Costs(IsTheCause(subject) ? subject.Patterns.Tails!.Time + subject.TimeIn(LimitState.Recovery) : 0)
            .WithConfidence(0.8)
            .AsDescription(subject.IsPathFull)
            .WithText(() => new FindingText($"The end of a burst was lost; {Quantity.Count(probes, "probe")} of the {subject.Sender} found it.")
                .Because($"No later packet could show the loss of the last ones. A tail loss probe repairs that in about two round trips instead of a timeout.")
                .Shown(
                    "tail loss probes that resent data",
                    $"{probes}",
                    null,
                    subject.Patterns.Probe ?? subject.Patterns.Retransmission,
                    subject.Patterns.LastRetransmission)
                .Shown("time from the last news to a probe", $"{Quantity.Duration(subject.Patterns.Tails?.Time ?? 0)}")
                .Advise("See path-loss for the loss itself. Fewer, larger bursts have fewer tails.")));
}

/// <summary>A retransmission was lost as well and was sent once more.</summary>
static class LostRetransmissionRule
{
    public static Finding? Judge(in DirectionSubject subject)
    {
        long lost = subject.Direction.Triggers?.LostRetransmission ?? 0;
        if (lost == 0)
        {
            return null;
        }

        return Describe(subject, lost);
    }

    static Finding Describe(DirectionSubject subject, long lost) =>
        subject.Found(new FindingDraft(FindingIds.LostRetransmissions)
            .WithConfidence(0.85)
            .AsDescription(subject.IsPathFull)
            .WithText(() => new FindingText($"{Quantity.Count(lost, "retransmission")} of the {subject.Sender} had to be sent once more.")
                .Because($"The repair was lost like the original. Loss comes in bursts, or the queue is still full when the repair arrives.")
                .Shown(
                    "segments sent more than twice, not by the timer",
                    $"{lost}",
                    subject.Direction.Retransmissions,
                    subject.Patterns.RepairAgain ?? subject.Patterns.Retransmission,
                    subject.Patterns.LastRetransmission)
                .Advise(
                    "Network: look for a policer or a short queue on the path (path-loss).",
                    $"Windows {subject.Sender}: builds before 2004 (19041) cannot see a lost retransmission and wait for the timer.")));
}
