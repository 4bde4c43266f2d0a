using System;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>Joins what packets and stack events tell of a sender's limits, and keeps where they disagree.</summary>
static class LimitJoiner
{
    // Both judge the same intervals: less is rounding at their edges.
    const double LeastDifference = 0.05;

    /// <summary>Joins.</summary>
    /// <param name="direction">The direction, with what its packets tell.</param>
    /// <param name="told">What this machine's events tell of the same sender.</param>
    public static void Join(ConnectionDirection direction, StackConnection told)
    {
        direction.Cwnd = Join(direction.Cwnd, told.Sender?.Cwnd());
        if (direction.ActiveTime is null || told.LimitsOver(direction.ActiveTime) is not { } events)
        {
            return;
        }

        bool isWindowKnown = direction.MaxReceiveWindowBytes is not null || told.Sender?.First is null;
        if (direction.Limits is not { } packets || !isWindowKnown || packets.Times.In(LimitState.NotJudged) > LeastDifference * packets.Times.Total)
        {
            direction.Limits = events;
            return;
        }

        direction.Limits = packets with { Evidence = Evidence.Both };
        direction.LimitDisagreement = told.Sender?.First is null
            ? CompareWindow(packets.Times, events.Times)
            : Compare(packets.Times, events.Times);
    }

    // The stack knows its window; packets only show what it let through.
    static CwndSummary? Join(CwndSummary? packets, CwndSummary? events) =>
        events is null ? packets : packets is null ? events : events with { Evidence = Evidence.Both };

    static LimitDisagreement? Compare(in LimitTimes packets, in LimitTimes events)
    {
        LimitState more = default;
        LimitState less = default;
        double part = 0;
        for (LimitState state = 0; (int)state < LimitTimes.States; state++)
        {
            double difference = Difference(packets, events, state);
            part += Math.Abs(difference) / 2;
            more = difference > Difference(packets, events, more) ? state : more;
            less = difference < Difference(packets, events, less) ? state : less;
        }

        return part < LeastDifference ? null : new(more, less, part);
    }

    // The clocks of Linux count what is in flight as busy, whatever the application does, and miss small send buffers
    // (measures 3): only the receive window's can be compared.
    static LimitDisagreement? CompareWindow(in LimitTimes packets, in LimitTimes events)
    {
        double difference = Difference(packets, events, LimitState.ReceiveWindow);
        return Math.Abs(difference) < LeastDifference ? null
            : difference > 0 ? new(LimitState.ReceiveWindow, LimitState.CongestionWindow, difference)
            : new(LimitState.CongestionWindow, LimitState.ReceiveWindow, -difference);
    }

    static double Difference(in LimitTimes packets, in LimitTimes events, LimitState state) =>
        ((double)packets.In(state) / Math.Max(packets.Total, 1)) - ((double)events.In(state) / Math.Max(events.Total, 1));
}
