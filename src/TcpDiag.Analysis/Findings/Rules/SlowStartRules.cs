using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>After a pause the sender started again with a small window (RFC 5681 §4.1): its stack says so, or the bursts show it.</summary>
static class IdleRestartRule
{
    const int MinShown = 2; // by packets alone: one may be the program's way of writing (assumed)

    public static Finding? Judge(in DirectionSubject subject)
    {
        long logged = subject.Direction.CwndRestarts ?? 0;
        RestartSummary? shown = subject.Patterns.Restarts;
        if (logged == 0 && shown is not { Count: >= MinShown })
        {
            return null;
        }

        return Describe(subject, logged, shown);
    }

    /// <summary>Whether that is what keeps the congestion window small.</summary>
    public static bool IsTheCause(in DirectionSubject subject) => subject.Direction.CwndRestarts > 0 || subject.Patterns.Restarts is { Count: >= MinShown };

    static Finding Describe(DirectionSubject subject, long logged, RestartSummary? shown) =>
        subject.Found(new FindingDraft(FindingIds.IdleRestart)
            .Costs(subject.LostOf(subject.TimeIn(LimitState.CongestionWindow)))
            .AsNote() // the program pauses by its nature
            .WithConfidence(logged > 0 ? 0.9 : 0.6)
            .WithText(() => Text(subject, logged, shown)));

    static FindingText Text(in DirectionSubject subject, long logged, RestartSummary? shown)
    {
        FindingText text = new FindingText($"After pauses the {subject.Sender} began anew with a small congestion window, "
            + $"{Quantity.Count(logged > 0 ? logged : shown!.Count, "time")}.")
            .Because($"A window that was not used for longer than the retransmission timeout is taken back to its initial size, by Linux halved for each "
                + $"timeout down to that; the next burst starts slowly, some round trips of {Quantity.Duration(subject.Rtt.Min)} each.");
        text = logged > 0 ? text.Shown("restarts of the congestion window logged by the stack", $"{logged}") : text;
        text = shown is null ? text : text
            .Shown("bursts behind a pause that began with a small window and grew from round to round", $"{shown.Count}", null, shown.First, shown.First)
            .Shown("in their first round trip at most, beside most in flight as captured here", $"{Quantity.Bytes(shown.WindowBytes)} and "
                + $"{Quantity.Bytes(subject.Direction.MaxInFlightBytes ?? 0)}");
        return text.Advise(
            $"Windows {subject.Sender}: the Datacenter templates restart after idle (CwndRestart in Get-NetTCPSetting), the Internet template does not.",
            $"Linux {subject.Sender}: net.ipv4.tcp_slow_start_after_idle=0.",
            "Application: keep the pauses short, or keep the connection busy.");
    }
}

/// <summary>A transfer that is over before its sender's congestion window has opened: worth knowing, nothing is wrong.</summary>
static class SlowStartRule
{
    const double MinShare = 0.3;
    const double MaxDoublings = 1.5; // of the time that doubling takes from ten segments on: delayed acknowledgments and a smaller first window (assumed)
    const double MaxRounds = 2.5; // slow start doubles: all rounds together are twice the last one, and what the capture shows late

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!IsTheCause(subject))
        {
            return null;
        }

        return Describe(subject);
    }

    /// <summary>
    /// Whether a transfer ended in slow start: nothing was lost, the window was the limit, it was more than an initial window, and took as long as doubling
    /// takes; or all of it is little more than what the last round trips had in flight. Where a queue stands the link is the limit; and a capture that began
    /// later has not seen how the transfer began.
    /// </summary>
    public static bool IsTheCause(in DirectionSubject subject)
    {
        ConnectionDirection direction = subject.Direction;
        return subject.Connection.End != ConnectionEnd.Rst // it was cut off
            && direction is { HasSyn: true, Retransmissions: 0, Mss: { } mss, MaxInFlightBytes: { } most }
            && direction.Ecn is not { IsMarked: true }
            && direction.UniqueBytes > Thresholds.InitialWindowSegments * mss
            && subject.Share(LimitState.CongestionWindow) >= MinShare
            && (subject.BusyTime <= MaxDoublings * TimeLost.SlowStartNanos(subject)
                || (most > Thresholds.InitialWindowSegments * mss && direction.UniqueBytes <= MaxRounds * most))
            && (direction.MaxReceiveWindowBytes is not { } window || most < window) // what doubles is not held by one of unknown scale either
            && !subject.IsPathFull;
    }

    static Finding Describe(DirectionSubject subject) =>
        subject.Found(new FindingDraft(FindingIds.SlowStart)
            .WithConfidence(0.6)
            .WithText(() => new FindingText($"The {subject.Transfer} of {Quantity.Bytes(subject.Direction.UniqueBytes)} was over before the {subject.Sender}'s "
                + $"congestion window had opened.")
                .Because($"Each connection begins with about ten segments and doubles them every round trip (slow start). A transfer this short never reaches "
                    + $"the speed of the path: its time is round trips of {Quantity.Duration(subject.Rtt.Min)}, and nothing is wrong.")
                .Shown(
                    "time the congestion window was the limit",
                    subject.OfActive(subject.TimeIn(LimitState.CongestionWindow)),
                    subject.LimitSamples,
                    subject.LongestSpan(LimitState.CongestionWindow))
                .Shown("most bytes in flight", $"{Quantity.Bytes(subject.Direction.MaxInFlightBytes ?? 0)}")
                .Shown("RTT, smallest and median", $"{Quantity.Duration(subject.Rtt.Min)} and {Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .Advise(
                    "Application: use one connection for many transfers, so that its window stays open; ask for less.",
                    $"Windows {subject.Sender}: Set-NetTCPSetting -InitialCongestionWindow sets the first window, in segments; ten is usual.",
                    $"Linux {subject.Sender}: ip route change … initcwnd 20 sets the first window of a route, in segments; ten is usual.")));
}

/// <summary>HyStart ended slow start without loss and long before the path was full: the window then grows as slowly as after a loss.</summary>
static class EarlyExitRule
{
    /// <summary>Of what the path holds, where it is early: HyStart may leave at half of it, when acknowledgments fill half a round trip.</summary>
    public const double MaxExitShare = 0.4;

    const double MinShare = 0.5;
    const double MaxRecoveryShare = 0.3;
    const int MaxReductions = 2;
    const int MinRounds = 5; // to double what is in flight: conservative slow start takes a little more than three (RFC 9406 §4.2)
    const double BitsPerByteNano = 8e9;

    public static Finding? Judge(in DirectionSubject subject)
    {
        if (!IsTheCause(subject))
        {
            return null;
        }

        return Describe(subject, subject.Direction.SlowStart!);
    }

    /// <summary>
    /// Whether slow start was left too early: for a reason that HyStart has, far below what the path holds, growing slowly from then on, and neither loss,
    /// nor what was taken for it, explains the window.
    /// </summary>
    public static bool IsTheCause(in DirectionSubject subject) =>
        subject.Direction.SlowStart is { ExitBytes: { } bytes, Cause: >= SlowStartCause.EarlyPacket, Reductions: <= MaxReductions } start
        && subject.Share(LimitState.CongestionWindow) >= MinShare
        && subject.Share(LimitState.Recovery) < MaxRecoveryShare
        && !subject.IsPathFull
        && !PathLossRule.IsGrave(subject)
        && bytes < MaxExitShare * PathBytes(subject, start)
        && (start.DoublingTime ?? SinceExit(subject, start)) >= MinRounds * subject.Rtt.Median;

    static double PathBytes(in DirectionSubject subject, SlowStartSummary start) =>
        (TimeLost.LinkRate(subject) ?? 0) / BitsPerByteNano * EmptyRtt(subject, start);

    // The smallest sample may be of a packet that came early; what HyStart left had no queue yet.
    static long EmptyRtt(in DirectionSubject subject, SlowStartSummary start) =>
        start is { Cause: SlowStartCause.EarlyPacket, ExitRtt: { } rtt } ? rtt : subject.Rtt.Min;

    static long SinceExit(in DirectionSubject subject, SlowStartSummary start) =>
        subject.Direction.FirstData is { } first && start.Exit is { } exit ? subject.ActiveTime - (exit.Time - first) : 0;

    static Finding Describe(DirectionSubject subject, SlowStartSummary start) =>
        subject.Found(new FindingDraft(FindingIds.SlowStartLeftEarly)
            .Costs(subject.LostOf(subject.TimeIn(LimitState.CongestionWindow)))
            .AsNote(start.Cause != SlowStartCause.EarlyPacket && subject.OtherWay is not null) // own traffic, not a fault of the path
            .WithConfidence(start.Cause == SlowStartCause.EarlyPacket ? 0.9 : 0.7)
            .WithText(() => Text(subject, start)));

    static FindingText Text(in DirectionSubject subject, SlowStartSummary start)
    {
        FindingText text = new FindingText($"The {subject.Sender} left slow start with {Quantity.Bytes(start.ExitBytes ?? 0)} in flight, without loss and long "
            + $"before the path was full.")
            .Because(Cause(subject, start))
            .Shown(
                "in flight when it stopped doubling, beside what the path holds",
                $"{Quantity.Bytes(start.ExitBytes ?? 0)} of {Quantity.Bytes((long)PathBytes(subject, start))}",
                null,
                EvidenceSpan.Between(start.Exit, null, subject.Connection));
        text = start is { Cause: SlowStartCause.EarlyPacket, EarlyRtt: { } early }
            ? text.Shown(
                "RTT of the packet that overtook others, beside SRTT then",
                $"{Quantity.Duration(early)} and {Quantity.Duration(start.ExitRtt ?? 0)}",
                null,
                EvidenceSpan.Between(start.Early, null, subject.Connection))
            : text.Shown("RTT then, beside the smallest", $"{Quantity.Duration(start.ExitRtt ?? 0)} and {Quantity.Duration(subject.Rtt.Min)}");
        return text
            .Shown($"time until twice as much was in flight", Growth(subject, start))
            .Shown("rate of the path as bursts show it, and goodput", $"{Quantity.BitRate(TimeLost.LinkRate(subject) ?? 0)} and "
                + $"{Quantity.BitRate(subject.Direction.GoodputBitsPerSecond)}")
            .Shown("reductions of the window", $"{start.Reductions}")
            .ShownOtherWay(subject)
            .Advise(
                start.Cause == SlowStartCause.EarlyPacket
                    ? "Network: find what lets packets overtake others (path-reordering): one is enough."
                    : "Network: look for what delays packets in bunches: Wi-Fi, other traffic's queue, interrupt moderation of a NIC.",
                $"Linux {subject.Sender}: nstat -az | grep Hystart counts it; 1 in /sys/module/tcp_cubic/parameters/hystart_detect ignores delays.",
                $"Windows {subject.Sender}: netsh interface tcp set global hystart=disabled, to test.",
                "Application: keep connections open: a window that has grown stays open.");
    }

    static string Growth(in DirectionSubject subject, SlowStartSummary start) => start.DoublingTime is { } time
        ? $"{Quantity.Duration(time)}; slow start takes a round trip of {Quantity.Duration(EmptyRtt(subject, start))}"
        : $"never in the {Quantity.Duration(SinceExit(subject, start))} that followed";

    static string Cause(in DirectionSubject subject, SlowStartSummary start) => start.Cause switch
    {
        SlowStartCause.EarlyPacket => "HyStart takes the smallest round trip for that of the empty path. One packet that overtook others made it too small: "
            + $"since then all others seem to wait in a queue, and the {subject.Sender} stopped doubling its window. It grows slowly from there.",
        SlowStartCause.Delay => $"All round trips of one round were longer than the smallest before. HyStart takes that for a queue that fills, and the "
            + $"{subject.Sender} stopped doubling its window; but the path was far from full.",
        _ => $"Acknowledgments came close together for half a round trip. HyStart takes that for a full path, and the {subject.Sender} stopped doubling its "
            + $"window; but the path holds far more.",
    };
}
