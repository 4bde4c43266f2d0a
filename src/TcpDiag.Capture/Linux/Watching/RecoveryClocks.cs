using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Capture.Watching;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Watching;

/// <summary>
/// The <see cref="RecoveryClock"/>s of all connections, kept by one tracepoint that fires when a sender's congestion state changes and at no other
/// time: its cost grows with losses, not with traffic. Tracepoints know no network namespaces; addresses used in two of them are corrected by every
/// reading.
/// </summary>
sealed class RecoveryClocks : IStackEventSink, IDisposable
{
    // Above those of this process's recordings, which count from 0.
    const int FirstNumber = 1000;

    // For all processors together, each of which gets at least the minimum; a state change takes about 100 bytes.
    const long BufferBytes = 1 << 20;

    // Beyond that, readings have only the state at their moment, as without events.
    const int MaxConnections = 1 << 16;

    // Several times what the buffers hold.
    const int MaxChanges = 1 << 16;

    static readonly Tracepoint StateSet =
        new("tcp", "tcp_cong_state_set", StackEventKind.CongestionStateChanged, new TracepointField("cong_state", StackField.CongestionState));

    static int _count;

    readonly Dictionary<(Endpoint Local, Endpoint Remote), RecoveryClock> _clocks = [];
    readonly HashSet<(Endpoint Local, Endpoint Remote)> _met = [];
    readonly List<StateChange> _changes = [];
    readonly ClockPair _pair = new();
    readonly TcpEventSource? _source;
    TraceTime _now;

    /// <summary>For events added by the caller.</summary>
    internal RecoveryClocks()
    {
    }

    RecoveryClocks(TcpEventSource source)
    {
        _source = source;
        _pair.Pair();
    }

    /// <summary>Begins to listen.</summary>
    /// <returns>The clocks; null where rights are missing or the kernel has no such tracepoint.</returns>
    public static RecoveryClocks? TryOpen(MatchRule match)
    {
        try
        {
            var source = TcpEventSource.Open(
                [StateSet], new(match.ForAnyProcess(), []), BufferBytes, FirstNumber + Interlocked.Increment(ref _count), owners: null);
            if (source.Missing.Count == 0)
            {
                return new(source);
            }

            source.Dispose();
            return null;
        }
        catch (Exception refused) when (refused is CaptureException or IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Reads what has happened until now.</summary>
    public void BeginReading()
    {
        _met.Clear();
        _source?.Drain(_pair, this);
        Enter();
        _now = _pair.ToRealtime(Libc.Now(Libc.ClockMonotonic));
    }

    /// <summary>Sets how long a connection has been in loss recovery, as of <see cref="BeginReading"/>.</summary>
    public void Fill(ConnectionReading reading)
    {
        (Endpoint, Endpoint) ends = (reading.Local, reading.Remote);
        _met.Add(ends);

        // A connection without a loss needs no clock.
        if (reading.Recovery == RecoveryState.None && _clocks.Count < MaxConnections && !_clocks.ContainsKey(ends))
        {
            (reading.FastRecoveryUs, reading.TimeoutUs) = (0, 0);
            return;
        }

        if (ClockOf(ends) is not { } clock)
        {
            return;
        }

        const long NanosecondsPerMicrosecond = 1000;
        clock.Enter(reading.Recovery, _now);
        reading.FastRecoveryUs = clock.FastRecoveryNanos(_now) / NanosecondsPerMicrosecond;
        reading.TimeoutUs = clock.TimeoutNanos(_now) / NanosecondsPerMicrosecond;
    }

    /// <summary>Removes connections that were not among the readings.</summary>
    public void EndReading()
    {
        foreach (((Endpoint, Endpoint) ends, _) in _clocks)
        {
            if (!_met.Contains(ends))
            {
                _clocks.Remove(ends);
            }
        }
    }

    public void Add(StackEvent stackEvent)
    {
        ArgumentNullException.ThrowIfNull(stackEvent);
        if (stackEvent is { Local: { } local, Remote: { } remote } && stackEvent.TryGet(StackField.CongestionState, out long state))
        {
            _changes.Add(new(local, remote, CongestionStates.RecoveryOf(state), stackEvent.Time));
        }

        if (_changes.Count == MaxChanges)
        {
            Enter();
        }
    }

    public void Dispose() => _source?.Dispose();

    // Each processor has its own buffer, and they are read one after the other: a state may have begun on one and ended on another.
    void Enter()
    {
        _changes.Sort(static (left, right) => left.Time.CompareTo(right.Time));
        foreach (StateChange change in _changes)
        {
            ClockOf((change.Local, change.Remote))?.Enter(change.State, change.Time);
        }

        _changes.Clear();
    }

    // Null for a new one beyond the maximum.
    RecoveryClock? ClockOf((Endpoint Local, Endpoint Remote) ends)
    {
        if (!_clocks.TryGetValue(ends, out RecoveryClock? clock) && _clocks.Count < MaxConnections)
        {
            _clocks.Add(ends, clock = new());
        }

        return clock;
    }

    readonly record struct StateChange(Endpoint Local, Endpoint Remote, RecoveryState State, TraceTime Time);
}

/// <summary>How long one sender has been in loss recovery: the kernel reports each change of its congestion state.</summary>
sealed class RecoveryClock
{
    RecoveryState _state;
    TraceTime _since;
    long _fastRecoveryNanos;
    long _timeoutNanos;

    /// <summary>Applies a change of state; a late one counts from the latest before it: time does not run back.</summary>
    /// <param name="state">What it repairs from now on.</param>
    /// <param name="at">When.</param>
    public void Enter(RecoveryState state, TraceTime at)
    {
        Advance(at);
        _state = state;
    }

    /// <summary>Time spent in fast recovery up to an instant, nanoseconds.</summary>
    public long FastRecoveryNanos(TraceTime now) => _fastRecoveryNanos + (_state == RecoveryState.FastRecovery ? Since(now) : 0);

    /// <summary>Time spent in recovery after a timeout up to an instant, nanoseconds.</summary>
    public long TimeoutNanos(TraceTime now) => _timeoutNanos + (_state == RecoveryState.Timeout ? Since(now) : 0);

    void Advance(TraceTime at)
    {
        (_fastRecoveryNanos, _timeoutNanos) = (FastRecoveryNanos(at), TimeoutNanos(at));
        _since = at > _since ? at : _since;
    }

    long Since(TraceTime now) => now > _since ? now - _since : 0;
}

/// <summary>The kernel's congestion states (enum tcp_ca_state, linux/tcp.h).</summary>
static class CongestionStates
{
    const long Recovery = 3;
    const long Loss = 4;

    /// <summary>The kind of loss recovery in a state.</summary>
    /// <returns>None in the states Open, Disorder and CWR.</returns>
    public static RecoveryState RecoveryOf(long? state) => state switch
    {
        Recovery => RecoveryState.FastRecovery,
        Loss => RecoveryState.Timeout,
        _ => RecoveryState.None,
    };
}
