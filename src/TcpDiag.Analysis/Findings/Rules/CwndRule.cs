using System;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The congestion window holds the sender back, and nothing in the trace blames loss or reordering for it.</summary>
static class CwndRule
{
    const double LeastShare = 0.5;

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = subject.TimeIn(LimitState.CongestionWindow);
        if (subject.Share(LimitState.CongestionWindow) < LeastShare || ReorderingCwndRule.IsTheCause(subject) || PathLossRule.IsGrave(subject))
        {
            return null;
        }

        return Word(subject, time);
    }

    static Finding Word(DirectionSubject subject, long time)
    {
        ConnectionDirection direction = subject.Direction;
        bool isUncertain = direction.Limits?.Uncertain * 2 >= time;
        bool isQueued = BufferbloatRule.Inflation(subject.Rtt) >= BufferbloatRule.QueuedInflation;
        return subject.Found(new FindingDraft(FindingIds.CwndLimited)
            .Costs(isQueued ? 0 : TimeLost(subject, time))
            .Sure(isUncertain ? 0.4 : 0.8)
            .Worded(() => new FindingText($"The {subject.Transfer} goes as fast as the {subject.Sender}'s congestion window lets it.")
                .Because(Cause(subject, isUncertain, isQueued))
                .Shown("time the congestion window was the limit", subject.OfActive(time), subject.LimitSamples, subject.PlaceOf(LimitState.CongestionWindow))
                .Shown("most bytes in flight, beside the receive window", $"{Quantity.Bytes(direction.MaxInFlightBytes ?? 0)} of {Quantity.Bytes(direction.MaxReceiveWindowBytes ?? 0)}")
                .Shown("RTT, smallest and median", $"{Quantity.Duration(subject.Rtt.Min)} and {Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .ShownCounter(direction, LimitState.CongestionWindow)
                .Advise(
                    "Short transfers over long paths: use one connection for many transfers, so that its window stays open.",
                    $"Windows {subject.Sender}: Get-NetTCPSetting shows initial window and congestion provider; CUBIC with the Internet template is right for WANs.",
                    $"Linux {subject.Sender}: ss -ti shows cwnd and ssthresh; bbr or cubic with net.core.default_qdisc=fq serve long paths.")));
    }

    static string Cause(in DirectionSubject subject, bool isUncertain, bool isQueued) => (isUncertain, isQueued) switch
    {
        (true, _) => $"Seen from here, a sender that paces itself or whose send buffer is full looks alike; a capture at the {subject.Sender} tells them apart.",
        (_, true) => $"The RTT rises with what is in flight: a link on the path is full, and the window rightly follows it. This is the path's capacity, {Quantity.BitRate(subject.Direction.GoodputBitsPerSecond)}.",
        _ => $"The {subject.Sender} was still opening its window (slow start, or growth after an earlier cut) when the transfer ended, or the path gives no more.",
    };

    /// <summary>
    /// Time lost to a window kept small: what was sent in it would have taken less at the highest rate the direction itself has shown.
    /// </summary>
    /// <param name="subject">The direction.</param>
    /// <param name="time">Time the window was the limit, nanoseconds.</param>
    /// <returns>Nanoseconds; all of the time when no rate is known.</returns>
    public static long TimeLost(in DirectionSubject subject, long time)
    {
        double? used = subject.Direction.GoodputBitsPerSecond / subject.PeakRate;
        return (long)(time * (1 - Math.Clamp(used ?? 0, 0, 1)));
    }
}
