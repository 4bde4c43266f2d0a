using System;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The window the receiver advertises is full: no more than window / RTT can arrive (story S4).</summary>
static class ReceiveWindowRule
{
    const double LeastShare = 0.1;

    public static Finding? Judge(in DirectionSubject subject)
    {
        long time = TimeOf(subject);
        if (!IsLimited(subject) || subject.Direction is not { MaxReceiveWindowBytes: { } window } direction)
        {
            return null;
        }

        return Word(subject, direction, window, time);
    }

    static Finding Word(DirectionSubject subject, ConnectionDirection direction, int window, long time)
    {
        string size = Quantity.Bytes(window);
        string bound = subject.Rtt is { Samples: > 0, Median: > 0 } rtt ? $" (at most {Quantity.BitRate(window * 8e9 / rtt.Median)})" : string.Empty;
        return subject.Found(new FindingDraft(FindingIds.ReceiveWindowLimited)
            .Costs(time)
            .Worded(() => new FindingText($"The {subject.Receiver}'s receive window of {size} holds the {subject.Transfer} back{bound}.")
                .Because($"A sender may have one receive window in flight per round trip. The {subject.Receiver} never offers more than {size}, however fast the path is.")
                .Shown("time the receive window was the limit", subject.OfActive(time), subject.LimitSamples, subject.PlaceOf(LimitState.ReceiveWindow))
                .Shown("largest receive window", $"{size}")
                .Shown("most bytes in flight", $"{Quantity.Bytes(direction.MaxInFlightBytes ?? 0)}")
                .Shown("median RTT", $"{Quantity.Duration(subject.Rtt.Median)}", subject.Rtt.Samples)
                .Shown("goodput", $"{Quantity.BitRate(direction.GoodputBitsPerSecond)}")
                .ShownCounter(direction, LimitState.ReceiveWindow)
                .Advise(
                    $"Application on the {subject.Receiver}: do not set SO_RCVBUF; it switches the automatic window off. If it must be set, make it at least 2 × bandwidth × RTT.",
                    $"Windows {subject.Receiver}: netsh interface tcp show global must say autotuning level normal; Get-NetTCPSetting shows the template in use.",
                    $"Linux {subject.Receiver}: net.ipv4.tcp_rmem (third value) and net.ipv4.tcp_moderate_rcvbuf=1. Since 6.6 a socket begins with a quarter of SO_RCVBUF as window where it had half before.",
                    "Network: where window scaling is missing in the SYNs, a firewall or proxy may have removed it.")));
    }

    /// <summary>Time a window that was full, but not closed, held a direction back.</summary>
    /// <param name="subject">The direction.</param>
    /// <returns>Nanoseconds.</returns>
    public static long TimeOf(in DirectionSubject subject) =>
        Math.Max(subject.TimeIn(LimitState.ReceiveWindow) - subject.Patterns.ZeroWindowTime, 0);

    /// <summary>Whether the receive window is what held a direction back for a good part of its time.</summary>
    /// <param name="subject">The direction.</param>
    /// <returns>True from a tenth of the active time on.</returns>
    public static bool IsLimited(in DirectionSubject subject) => TimeOf(subject) is > 0 and { } time && time >= LeastShare * subject.BusyTime;
}
