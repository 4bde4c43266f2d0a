using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// Reads a Windows stack's counters of what limited the sender: times and bytes in the summary at the connection's end (1352, 1477), bytes in between
/// (1159 v2, 1626, 1637). All count from the connection's start. Where there are only bytes, but often, the time between two events is divided as the
/// bytes between them are.
/// </summary>
struct LimitCounterReader
{
    const long NanosecondsPerMillisecond = 1_000_000;

    CountedLimits? _times;
    CountedLimits? _bytes;
    CountedLimits _byBytes;
    CountedLimits _latestStep;
    TraceTime _since;
    TraceTime _latest;
    int _samples;
    int _steps;

    public void OnEvent(StackEvent stackEvent)
    {
        if (stackEvent.Has(StackField.LimitedBytesReceiver))
        {
            OnBytes(Read(stackEvent, StackField.LimitedBytesReceiver, StackField.LimitedBytesCwnd, StackField.LimitedBytesSender, 1), stackEvent.Time);
        }

        if (stackEvent.Has(StackField.LimitedTimeReceiver))
        {
            _times = Read(stackEvent, StackField.LimitedTimeReceiver, StackField.LimitedTimeCwnd, StackField.LimitedTimeSender, NanosecondsPerMillisecond);
        }
    }

    /// <summary>The counters; null when there are none, or all are 0.</summary>
    public readonly LimitCounters? Summarise()
    {
        CountedLimits? times = _times is { Total: > 0 } ? _times : null;
        CountedLimits? bytes = _bytes is { Total: > 0 } ? _bytes : null;
        bool isByBytes = times is null && _steps >= Thresholds.MinCounterSamples;
        return times is null && bytes is null ? null : new(isByBytes ? ByBytes() : times, bytes, _samples) { IsTimeByBytes = isByBytes };
    }

    // After the last segment, up to the last event, its limits go on.
    readonly CountedLimits ByBytes() => _byBytes.Plus(long.Max(_latest - _since, 0), _latestStep);

    void OnBytes(in CountedLimits bytes, TraceTime now)
    {
        _samples++;
        if (_bytes is not { } before)
        {
            _since = now;
        }
        else if (bytes.Since(before) is { ReceiveWindow: >= 0, Congestion: >= 0, Sender: >= 0, Total: > 0 } more)
        {
            _steps++;
            _byBytes = _byBytes.Plus(long.Max(now - _since, 0), more);
            _latestStep = more;
            _since = now;
        }

        _bytes = bytes;
        _latest = now;
    }

    static CountedLimits Read(StackEvent stackEvent, StackField window, StackField congestion, StackField sender, long unit) =>
        new(Read(stackEvent, window) * unit, Read(stackEvent, congestion) * unit, Read(stackEvent, sender) * unit);

    // Far above a year in milliseconds, or an exabyte: a larger value comes from a damaged event.
    static long Read(StackEvent stackEvent, StackField field) => stackEvent.TryGet(field, out long value) && value is > 0 and < 1L << 60 ? value : 0;
}

/// <summary>
/// Compares a stack's counters with the limits that were judged. RFC 4898 §4 has three limits: the receive window; congestion control, with retransmission
/// timers; and the sender, which is all the rest. Counters run from the connection's start to its end; before and after its active time the sender is the
/// limit, so only the other two are compared, and what they leave of the active time. Counters that do not fit the time seen belong to a longer life, or
/// were not kept all the time: they are reported and not compared.
/// </summary>
static class LimitCounterCheck
{
    /// <summary>Compares.</summary>
    /// <returns>The direction with the counters and how they compare.</returns>
    public static ConnectionDirection Compare(ConnectionDirection direction, StackConnection stack)
    {
        if (stack.Counters is not { } counters)
        {
            return direction;
        }

        bool isComparable = direction.Limits is { Times.Total: > 0 } limits && counters.Times is { } times
            && limits.Times.In(LimitState.NotJudged) <= Thresholds.MinLimitDifference * limits.Times.Total
            && times.Total >= Thresholds.MinCounterCoverage * limits.Times.Total
            && times.Total <= ((stack.Last - stack.Start) / Thresholds.MinCounterCoverage) + Thresholds.EventToleranceNanos;
        return direction with
        {
            LimitCounters = counters with
            {
                IsComparable = isComparable,
                Disagreement = isComparable ? Compare(direction.Limits!.Times, counters) : null,
            },
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

        // Both add up to the active time: where one has more, the other has less elsewhere.
        long differing = (Math.Abs(more.ReceiveWindow) + Math.Abs(more.Congestion) + Math.Abs(more.Sender)) / 2;
        double share = (double)differing / total;
        return share < (counters.IsTimeByBytes ? Thresholds.MinLimitDifferenceByBytes : Thresholds.MinLimitDifference) || differing < Thresholds.MinCounterNanos
            ? null
            : new(Largest(more, judged), Largest(new(-more.ReceiveWindow, -more.Congestion, -more.Sender), default), share);
    }

    static CountedLimits GroupsOf(in LimitTimes times)
    {
        long window = times.In(LimitState.ReceiveWindow);
        long sender = times.In(LimitState.Application) + times.In(LimitState.Idle) + times.In(LimitState.SendBuffer);
        return new(window, times.Total - window - sender, sender);
    }

    // Of the sender's two states the one that was judged for longer.
    static LimitState Largest(in CountedLimits more, in LimitTimes judged) =>
        more.ReceiveWindow >= more.Congestion && more.ReceiveWindow >= more.Sender ? LimitState.ReceiveWindow
        : more.Congestion >= more.Sender ? LimitState.CongestionWindow
        : judged.In(LimitState.SendBuffer) > judged.In(LimitState.Application) + judged.In(LimitState.Idle) ? LimitState.SendBuffer
        : LimitState.Application;
}
