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

    static Finding Describe(DirectionSubject subject, long logged, RestartSummary? shown) =>
        subject.Found(new FindingDraft(FindingIds.IdleRestart)
            .WithConfidence(logged > 0 ? 0.9 : 0.6)
            .WithText(() => Text(subject, logged, shown)));

    static FindingText Text(in DirectionSubject subject, long logged, RestartSummary? shown)
    {
        FindingText text = new FindingText($"After pauses the {subject.Sender} began anew with a small congestion window, "
            + $"{Quantity.Count(logged > 0 ? logged : shown!.Count, "time")}.")
            .Because($"A window that was not used for longer than the retransmission timeout is taken back to its initial size; the next burst starts slowly, "
                + $"some round trips of {Quantity.Duration(subject.Rtt.Min)} each.");
        text = logged > 0 ? text.Shown("restarts of the congestion window logged by the stack", $"{logged}") : text;
        text = shown is null ? text : text
            .Shown("bursts behind a pause that began with an initial window and grew from round to round", $"{shown.Count}", null, shown.First, shown.First)
            .Shown("in their first round trip, beside most in flight before", $"{Quantity.Bytes(shown.WindowBytes)} and "
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
    /// Whether a transfer ended in slow start: nothing was lost, the window was the limit, more than an initial window was in flight, and all the transfer is
    /// little more than what the last round trips had in flight. Where a queue stands the link is the limit.
    /// </summary>
    public static bool IsTheCause(in DirectionSubject subject)
    {
        ConnectionDirection direction = subject.Direction;
        return subject.Connection.End != ConnectionEnd.Rst // it was cut off
            && direction is { Retransmissions: 0, Mss: { } mss, MaxInFlightBytes: { } most }
            && direction.Ecn is not { IsMarked: true }
            && most > Thresholds.InitialWindowSegments * mss
            && direction.UniqueBytes <= MaxRounds * most
            && most < direction.MaxReceiveWindowBytes
            && subject.Share(LimitState.CongestionWindow) >= MinShare
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
