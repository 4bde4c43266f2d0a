using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>
/// The sending kernel over time, as its events and samples in the capture tell (docs/capture-linux.md): its congestion state, and whether data waits in it.
/// </summary>
sealed class KernelStates
{
    /// <summary>The retransmission timer sent something again (<see cref="CauseAt"/>).</summary>
    public const int ByTimer = 2;

    const int WindowReduced = 2, Recovery = 3, Loss = 4; // enum tcp_ca_state

    const long NanosecondsPerMicrosecond = 1000;
    const long Near = 20_000_000; // ns: between two samples of the lab

    readonly List<(TraceTime Time, long State)> _changes = [];
    readonly List<(TraceTime Time, long Unsent, long WindowUs)> _samples = [];
    readonly List<(TraceTime Time, long InFlight, long CwndSegments, long Window)> _probes = [];

    /// <summary>Reads one connection.</summary>
    /// <param name="path">The capture.</param>
    /// <param name="sender">The sending end.</param>
    /// <returns>Its states.</returns>
    public static KernelStates Read(string path, Endpoint sender)
    {
        var states = new KernelStates();
        using TraceReader reader = TraceFile.Open([path]);
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            if (record.Kind != TraceRecordKind.StackEvent || record.Event is not { } told || told.Local != sender)
            {
                continue;
            }

            if (told.Kind == StackEventKind.CongestionStateChanged && told.TryGet(StackField.CongestionState, out long state))
            {
                states._changes.Add((record.Time, state));
            }
            else if (told.TryGet(StackField.SendAvailable, out long unsent))
            {
                _ = told.TryGet(StackField.RcvWndLimitedUs, out long window);
                states._samples.Add((record.Time, unsent, window));
            }
            else if (told.TryGet(StackField.SndNxt, out long next) && told.TryGet(StackField.SndUna, out long una)
                && told.TryGet(StackField.CwndSegments, out long cwnd))
            {
                _ = told.TryGet(StackField.SndWnd, out long window);
                states._probes.Add((record.Time, unchecked((uint)(next - una)), cwnd, window));
            }
        }

        return states;
    }

    /// <summary>Why the kernel sent something again.</summary>
    /// <param name="time">When the segment passed the capture point, right behind the kernel.</param>
    /// <returns>0 in recovery: by evidence; 1 outside: a probe; 2 in loss: by the timer.</returns>
    public int CauseAt(TraceTime time) => StateAt(time) switch
    {
        Recovery => 0,
        Loss => ByTimer,
        _ => 1,
    };

    /// <summary>Whether the congestion window is being cut, or was and the recovery point is not acknowledged yet.</summary>
    /// <param name="time">When.</param>
    /// <returns>True in CWR, recovery and loss.</returns>
    public bool IsRepairing(TraceTime time) => StateAt(time) >= WindowReduced;

    /// <summary>Whether the socket held data that was not sent yet, by the sample nearest in time.</summary>
    /// <param name="time">When.</param>
    /// <param name="isQuiet">Whether nothing was sent or heard between two instants: only then a sample of the one holds at the other for certain.</param>
    /// <returns>Null when no sample is near; whether it is certain.</returns>
    public (bool IsUnsent, bool IsCertain)? HasUnsent(TraceTime time, Func<TraceTime, TraceTime, bool> isQuiet)
    {
        (TraceTime Time, long Unsent, long WindowUs) nearest = _samples.DefaultIfEmpty().MinBy(sample => long.Abs(sample.Time - time));
        bool isCertain = nearest.Time < time ? isQuiet(nearest.Time, time) : isQuiet(time, nearest.Time);
        return long.Abs(nearest.Time - time) <= Near ? (nearest.Unsent > 0, isCertain) : null;
    }

    /// <summary>
    /// Whether one of the windows was full: tcp_probe tells it before an acknowledgment is processed, as it had been since the one before, and what was in
    /// flight by then but for what was sent meanwhile.
    /// </summary>
    /// <param name="time">When.</param>
    /// <param name="sentBetween">Bytes that were sent between two instants.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <returns>False as well when no acknowledgment came any more.</returns>
    public bool IsHeld(TraceTime time, Func<TraceTime, TraceTime, long> sentBetween, int mss) =>
        At(time, sentBetween, mss) is { } told && told.InFlight + mss > long.Min(told.Cwnd, told.Window);

    /// <summary>Whether both windows were full.</summary>
    /// <param name="time">When.</param>
    /// <param name="sentBetween">Bytes that were sent between two instants.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <returns>False as well when no acknowledgment came any more.</returns>
    public bool AreBothFull(TraceTime time, Func<TraceTime, TraceTime, long> sentBetween, int mss) =>
        At(time, sentBetween, mss) is { } told && told.InFlight + mss > long.Max(told.Cwnd, told.Window);

    /// <summary>
    /// Whether both windows had more room than a stack leaves unused to make larger segments of what waits: a third (tcp_tso_win_divisor). Then nothing waited,
    /// unless the sender is paced.
    /// </summary>
    /// <param name="time">When.</param>
    /// <param name="sentBetween">Bytes that were sent between two instants.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <returns>False as well when no acknowledgment came any more.</returns>
    public bool IsFree(TraceTime time, Func<TraceTime, TraceTime, long> sentBetween, int mss) =>
        At(time, sentBetween, mss) is { } told && told.InFlight + mss < long.Min(told.Cwnd, told.Window) * 2 / 3;

    // What was in flight, and the windows, bytes.
    (long InFlight, long Cwnd, long Window)? At(TraceTime time, Func<TraceTime, TraceTime, long> sentBetween, int mss)
    {
        int next = _probes.FindIndex(probe => probe.Time > time);
        if (next < 0)
        {
            return null;
        }

        (TraceTime heard, long inFlight, long cwnd, long window) = _probes[next];
        return (inFlight - sentBetween(time, heard), cwnd * mss, window);
    }

    /// <summary>Which share of the time between two samples the clock of the receive window ran.</summary>
    /// <param name="time">Between which.</param>
    /// <returns>0 … 1.</returns>
    public double WindowShare(TraceTime time)
    {
        int after = _samples.FindIndex(sample => sample.Time > time);
        return after < 1 ? 0 : double.Min((double)(_samples[after].WindowUs - _samples[after - 1].WindowUs) * NanosecondsPerMicrosecond / (
            _samples[after].Time - _samples[after - 1].Time), 1);
    }

    /// <summary>Whether the clock of the receive window ran for most of a time.</summary>
    /// <param name="from">Its begin.</param>
    /// <param name="to">Its end.</param>
    /// <returns>False as well when no samples tell.</returns>
    public bool IsWindowFull(TraceTime from, TraceTime to)
    {
        long before = _samples.LastOrDefault(sample => sample.Time <= from).WindowUs;
        long after = _samples.FirstOrDefault(sample => sample.Time >= to).WindowUs;
        return (after - before) * NanosecondsPerMicrosecond * 2 > to - from;
    }

    long StateAt(TraceTime time)
    {
        int last = _changes.FindLastIndex(change => change.Time <= time);
        return last < 0 ? 0 : _changes[last].State;
    }
}
