using System;
using TcpDiag.Analysis.Limits;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// What limits a sender by the clocks of its Linux kernel (tcp_info: busy, rwnd_limited, sndbuf_limited), as samples tell
/// them. Time that is not busy is the application's; busy time that is neither the receive window's nor the send buffer's belongs to
/// recovery while the congestion state says so, else to the congestion window (pacing is part of it: the kernel does not tell).
/// The clocks stay behind by a tick: what one sample did not account for, the next does.
/// </summary>
struct KernelClocks
{
    const long LeastIdle = 1_000_000_000; // ns
    const int CoveredParts = 20; // all but one of so many parts
    const int CongestionWindowReduced = 2; // enum tcp_ca_state of linux/tcp.h
    const int Loss = 4;

    LimitTimes _times;
    Clocks _before;
    Clocks _owed;
    TraceTime _first;
    TraceTime _last;
    TraceTime _lastSegment;
    long _quiet;
    int _state;
    int _samples;

    /// <summary>Whether samples cover the time.</summary>
    /// <param name="activeTime">Time they have to cover nearly all of, nanoseconds; null for any.</param>
    /// <returns>True when they do.</returns>
    public readonly bool Covers(long? activeTime) => _samples > 1 && (_last - _first) * CoveredParts >= activeTime.GetValueOrDefault() * (CoveredParts - 1);

    /// <summary>Takes in an event of the connection.</summary>
    /// <param name="told">The event.</param>
    public void OnEvent(StackEvent told)
    {
        if (told.Kind == StackEventKind.CongestionStateChanged && told.TryGet(StackField.CongestionState, out long state))
        {
            OnState((int)state, told.Time);
        }
        else if (told.TryGet(StackField.BusyTimeUs, out long busy))
        {
            _ = told.TryGet(StackField.RcvWndLimitedUs, out long window);
            _ = told.TryGet(StackField.SndBufLimitedUs, out long buffer);
            OnSample(new(busy * 1000, window * 1000, buffer * 1000), told.Time);
        }
        else if (told.Kind == StackEventKind.CwndSample)
        {
            _lastSegment = told.Time;
        }
    }

    /// <summary>Sums up.</summary>
    /// <param name="activeTime">The active time, nanoseconds; null for the time between the first sample and the last.</param>
    /// <returns>What limited the sender.</returns>
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
            _quiet += span - busy;
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
        _times.Add(_quiet > LeastIdle ? LimitState.Idle : LimitState.Application, _quiet);
        _quiet = 0;
    }

    static LimitState StateOf(int state) => state >= CongestionWindowReduced ? LimitState.Recovery : LimitState.CongestionWindow;

    readonly record struct Clocks(long Busy, long Window, long Buffer)
    {
        public Clocks Plus(in Clocks other) => new(Busy + other.Busy, Window + other.Window, Buffer + other.Buffer);

        public Clocks Minus(in Clocks other) => new(Busy - other.Busy, Window - other.Window, Buffer - other.Buffer);
    }
}
