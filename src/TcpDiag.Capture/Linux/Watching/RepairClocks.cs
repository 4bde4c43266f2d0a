using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Capture.Watching;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Watching;

/// <summary>
/// The <see cref="RepairClock"/>s of all connections, kept by one tracepoint that fires when a sender's congestion state changes and at no other time: its cost goes with
/// losses, not with traffic. Tracepoints know no network namespaces; what two of them call the same ends is put right by every reading.
/// </summary>
sealed class RepairClocks : IStackEventSink, IDisposable
{
    // Beyond those of recordings of this process, which count from 0.
    const int FirstNumber = 1000;

    // For all processors together, each of which gets no less than the least there is; a state change takes some 100 bytes.
    const long BufferBytes = 1 << 20;

    // Beyond, readings tell the state at their moment, as without events.
    const int MostConnections = 1 << 16;

    // As many as the buffers hold, several times.
    const int MostChanges = 1 << 16;

    static readonly Tracepoint StateSet =
        new("tcp", "tcp_cong_state_set", StackEventKind.CongestionStateChanged, new TracepointField("cong_state", StackField.CongestionState));

    static int _count;

    readonly Dictionary<(Endpoint Local, Endpoint Remote), RepairClock> _clocks = [];
    readonly HashSet<(Endpoint Local, Endpoint Remote)> _met = [];
    readonly List<StateChange> _changes = [];
    readonly ClockPair _pair = new();
    readonly TcpEventSource? _source;
    TraceTime _now;

    /// <summary>Keeps clocks by events that somebody adds.</summary>
    internal RepairClocks()
    {
    }

    RepairClocks(TcpEventSource source)
    {
        _source = source;
        _pair.Pair();
    }

    /// <summary>Begins to listen.</summary>
    /// <param name="match">Which connections.</param>
    /// <returns>The clocks; null where rights are missing or the kernel has no such tracepoint.</returns>
    public static RepairClocks? TryOpen(MatchRule match)
    {
        try
        {
            var source = TcpEventSource.Open([StateSet], new(match.ForAnyProcess(), []), BufferBytes, FirstNumber + Interlocked.Increment(ref _count), owners: null);
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

    /// <summary>Tells how long a connection has been repaired, as of <see cref="BeginReading"/>.</summary>
    /// <param name="reading">A reading with its ends and its state of just now, which counts from now on if events told another.</param>
    public void Fill(ConnectionReading reading)
    {
        (Endpoint, Endpoint) ends = (reading.Local, reading.Remote);
        _met.Add(ends);

        // A connection without a loss has none, which costs nothing.
        if (reading.Repair == SenderRepair.None && _clocks.Count < MostConnections && !_clocks.ContainsKey(ends))
        {
            (reading.RecoveryUs, reading.TimeoutUs) = (0, 0);
            return;
        }

        if (ClockOf(ends) is not { } clock)
        {
            return;
        }

        const long NanosecondsPerMicrosecond = 1000;
        clock.Enter(reading.Repair, _now);
        reading.RecoveryUs = clock.RecoveryNs(_now) / NanosecondsPerMicrosecond;
        reading.TimeoutUs = clock.TimeoutNs(_now) / NanosecondsPerMicrosecond;
    }

    /// <summary>Forgets connections that were not among the readings.</summary>
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

    /// <inheritdoc/>
    public void Add(StackEvent stackEvent)
    {
        ArgumentNullException.ThrowIfNull(stackEvent);
        if (stackEvent is { Local: { } local, Remote: { } remote } && stackEvent.TryGet(StackField.CongestionState, out long state))
        {
            _changes.Add(new(local, remote, CongestionStates.Repair(state), stackEvent.Time));
        }

        if (_changes.Count == MostChanges)
        {
            Enter();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _source?.Dispose();

    // Each processor has a buffer of its own, and they are read one after the other: what began on one may have ended on another.
    void Enter()
    {
        _changes.Sort(static (left, right) => left.Time.CompareTo(right.Time));
        foreach (StateChange change in _changes)
        {
            ClockOf((change.Local, change.Remote))?.Enter(change.State, change.Time);
        }

        _changes.Clear();
    }

    // Null for a new one beyond the most that are kept.
    RepairClock? ClockOf((Endpoint Local, Endpoint Remote) ends)
    {
        if (!_clocks.TryGetValue(ends, out RepairClock? clock) && _clocks.Count < MostConnections)
        {
            _clocks.Add(ends, clock = new());
        }

        return clock;
    }

    readonly record struct StateChange(Endpoint Local, Endpoint Remote, SenderRepair State, TraceTime Time);
}
