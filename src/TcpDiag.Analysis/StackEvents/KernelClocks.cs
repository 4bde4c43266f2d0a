using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// What limits a sender by the clocks of its Linux kernel (tcp_info: busy, rwnd_limited, sndbuf_limited) in its samples. Time that is not busy is the
/// application's; busy time that is neither the receive window's nor the send buffer's belongs to recovery while the congestion state says so, else to
/// the congestion window, with pacing, which the kernel does not separate. The clocks lag by a tick: what one sample lacks, the next has.
/// </summary>
struct KernelClocks
{
    const int CongestionWindowReduced = 2; // enum tcp_ca_state of linux/tcp.h
    const int Loss = 4;

    LimitTimes _times;
    Clocks _before;
    Clocks _owed;
    TraceTime _first;
    TraceTime _last;
    TraceTime _lastSegment;
    long _quietNanos;
    int _state;
    int _samples;

    /// <summary>Whether samples cover nearly all of the active time, nanoseconds, or any time at all where it is null.</summary>
    public readonly bool Covers(long? activeTime) =>
        _samples > 1 && (_last - _first) * Thresholds.CoveredParts >= activeTime.GetValueOrDefault() * (Thresholds.CoveredParts - 1);

    public void OnEvent(StackEvent stackEvent)
    {
        if (stackEvent.Kind == StackEventKind.CongestionStateChanged && stackEvent.TryGet(StackField.CongestionState, out long state))
        {
            OnState((int)state, stackEvent.Time);
        }
        else if (stackEvent.TryGet(StackField.BusyTimeUs, out long busy))
        {
            _ = stackEvent.TryGet(StackField.RcvWndLimitedUs, out long window);
            _ = stackEvent.TryGet(StackField.SndBufLimitedUs, out long buffer);
            OnSample(new(busy * 1000, window * 1000, buffer * 1000), stackEvent.Time);
        }
        else if (stackEvent.Kind == StackEventKind.CwndSample)
        {
            _lastSegment = stackEvent.Time;
        }
    }

    /// <summary>What limited the sender in the active time, nanoseconds; between the first and the last sample where it is null.</summary>
    public LimitSummary Summarise(long? activeTime)
    {
        EndQuiet();
        LimitTimes times = _times;
        times.FitTo(activeTime ?? times.Total, LimitState.Application);
        return new(times, Evidence.Events, _samples);
    }

    // The timer had run since the last segment arrived.
    void OnState(int state, TraceTime now)
    {
        if (state == Loss && _state != Loss && _lastSegment.Nanoseconds > 0)
        {
            LimitState before = StateOf(_state);
            long silent = Math.Clamp(now - _lastSegment, 0, _times.In(before));
            _times.Move(before, LimitState.Timeout, silent);
        }

        _state = state;
    }

    void OnSample(in Clocks clocks, TraceTime now)
    {
        _first = _samples == 0 ? now : _first;
        if (_samples++ > 0)
        {
            _owed = _owed.Plus(clocks.Minus(_before));
            long span = Math.Max(now - _last, 0);
            long busy = Math.Min(_owed.Busy, span);
            long window = Math.Min(_owed.Window, busy);
            long buffer = Math.Min(_owed.Buffer, busy - window);
            _owed = _owed.Minus(new(busy, window, buffer));
            _times.Add(LimitState.ReceiveWindow, window);
            _times.Add(LimitState.SendBuffer, buffer);
            _times.Add(StateOf(_state), busy - window - buffer);
            _quietNanos += span - busy;
            if (busy > 0)
            {
                EndQuiet();
            }
        }

        _before = clocks;
        _last = now;
    }

    void EndQuiet()
    {
        _times.Add(_quietNanos > Thresholds.MinIdleNanos ? LimitState.Idle : LimitState.Application, _quietNanos);
        _quietNanos = 0;
    }

    static LimitState StateOf(int state) => state >= CongestionWindowReduced ? LimitState.Recovery : LimitState.CongestionWindow;

    readonly record struct Clocks(long Busy, long Window, long Buffer)
    {
        public Clocks Plus(in Clocks other) => new(Busy + other.Busy, Window + other.Window, Buffer + other.Buffer);

        public Clocks Minus(in Clocks other) => new(Busy - other.Busy, Window - other.Window, Buffer - other.Buffer);
    }
}
