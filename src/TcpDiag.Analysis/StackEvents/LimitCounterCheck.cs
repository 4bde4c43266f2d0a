using System;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// Compares what a stack counted of its limits with what was judged. RFC 4898 §4 tells three limits apart: the receive window; congestion control, with retransmission timers; and the sender, which is
/// all the rest. Counters go from the connection's beginning to its end: before its active time and behind it the sender is the limit, so only the other two are compared, and what
/// they leave of the active time. Counters that do not fit the time seen are those of a longer life, or were not kept all the time: they are told and not compared.
/// </summary>
static class LimitCounterCheck
{
    const double LeastPart = 0.05; // as between packets and events
    const double LeastPartByBytes = 0.2; // bytes only weigh the time between two events
    const double Coverage = 0.95;
    const long Tolerance = 1_000_000_000; // ns; the opening of a connection may lie before its first event
    const long LeastTime = 32_000_000; // ns; two ticks of the clock that Windows counts milliseconds by

    /// <summary>Compares, and keeps counters and result with the direction.</summary>
    /// <param name="direction">The direction, with its limits.</param>
    /// <param name="told">What this machine's events tell of the same sender.</param>
    public static void Tell(ConnectionDirection direction, StackConnection told)
    {
        if (told.Counters is not { } counters)
        {
            return;
        }

        bool isComparable = direction.Limits is { Times.Total: > 0 } limits && counters.Times is { } times
            && limits.Times.In(LimitState.NotJudged) <= LeastPart * limits.Times.Total
            && times.Total >= Coverage * limits.Times.Total
            && times.Total <= ((told.Last - told.Start) / Coverage) + Tolerance;
        direction.LimitCounters = counters with
        {
            IsComparable = isComparable,
            Disagreement = isComparable ? Compare(direction.Limits!.Times, counters) : null,
        };
    }

    static LimitDisagreement? Compare(in LimitTimes judged, LimitCounters counters)
    {
        long total = judged.Total;
        CountedLimits counted = counters.Times.GetValueOrDefault();
        long window = Math.Min(counted.ReceiveWindow, total);
        long congestion = Math.Min(counted.Congestion, total - window);
        CountedLimits ours = GroupsOf(judged);
        CountedLimits more = ours.Since(new(window, congestion, total - window - congestion));

        // Both add up to the active time: what one has more of the other has less of.
        long differing = (Math.Abs(more.ReceiveWindow) + Math.Abs(more.Congestion) + Math.Abs(more.Sender)) / 2;
        double part = (double)differing / total;
        return part < (counters.IsTimeByBytes ? LeastPartByBytes : LeastPart) || differing < LeastTime
            ? null
            : new(Most(more, judged), Most(new(-more.ReceiveWindow, -more.Congestion, -more.Sender), default), part);
    }

    static CountedLimits GroupsOf(in LimitTimes times)
    {
        long window = times.In(LimitState.ReceiveWindow);
        long sender = times.In(LimitState.Application) + times.In(LimitState.Idle) + times.In(LimitState.SendBuffer);
        return new(window, times.Total - window - sender, sender);
    }

    // The sender's state is that of the two which was judged for longer.
    static LimitState Most(in CountedLimits more, in LimitTimes judged) =>
        more.ReceiveWindow >= more.Congestion && more.ReceiveWindow >= more.Sender ? LimitState.ReceiveWindow
        : more.Congestion >= more.Sender ? LimitState.CongestionWindow
        : judged.In(LimitState.SendBuffer) > judged.In(LimitState.Application) + judged.In(LimitState.Idle) ? LimitState.SendBuffer
        : LimitState.Application;
}
