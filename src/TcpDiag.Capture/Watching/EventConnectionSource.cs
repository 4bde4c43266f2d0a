using System;
using System.Collections.Generic;
using System.Threading;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Watching;

/// <summary>
/// The connections of a machine from the events of its stack, by TCB. Events arrive on one thread, readings are taken on another. Memory grows with the
/// number of open connections.
/// </summary>
/// <param name="nameOf">The name of a process, null when it has gone.</param>
/// <param name="clock">The clock that events are stamped with.</param>
sealed class EventConnectionSource(Func<uint, string?> nameOf, TimeProvider clock) : IConnectionSource, IStackEventSink
{
    const long NanosecondsPerTick = 100;
    const long NanosecondsPerMicrosecond = 1000;

    // A bound for a machine whose connections never end. As many TCBs beyond it are remembered, so that each counts once.
    const int MaxConnections = 1 << 16;

    readonly Lock _lock = new();
    readonly Dictionary<ulong, ConnectionCounters> _connections = [];
    readonly HashSet<ulong> _leftOut = [];
    readonly ConnectionReading _reading = new();

    public bool HasEvents => true;

    public long LeftOut { get; private set; }

    public IDisposable? Session { get; set; }

    public void Add(StackEvent stackEvent)
    {
        ArgumentNullException.ThrowIfNull(stackEvent);
        if (stackEvent.Tcb == 0)
        {
            return;
        }

        lock (_lock)
        {
            Take(stackEvent);
        }
    }

    public long Read(Action<ConnectionReading> take, Action<long> begin)
    {
        var now = new TraceTime((clock.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * NanosecondsPerTick);
        long microseconds = now.Nanoseconds / NanosecondsPerMicrosecond;
        begin(microseconds);
        lock (_lock)
        {
            foreach (ConnectionCounters connection in _connections.Values)
            {
                if (connection is { Local: not null, Remote: { Address.IsUnspecified: false } })
                {
                    connection.Fill(_reading, now);
                    take(_reading);
                }
            }

            LeftOut = _leftOut.Count;
        }

        return microseconds;
    }

    public void Dispose() => Session?.Dispose();

    void Take(StackEvent stackEvent)
    {
        bool isKnown = _connections.TryGetValue(stackEvent.Tcb, out ConnectionCounters? connection);
        if (ConnectionCounters.IsEnd(stackEvent))
        {
            _connections.Remove(stackEvent.Tcb);
            _leftOut.Remove(stackEvent.Tcb);
            return;
        }

        // A TCB is reused: other ends, another connection.
        bool isOther = isKnown && stackEvent.Remote is { } remote && connection!.Remote is { } known && remote != known;
        if (!isKnown || isOther)
        {
            if (!isKnown && _connections.Count == MaxConnections)
            {
                LeaveOut(stackEvent.Tcb);
                return;
            }

            _leftOut.Remove(stackEvent.Tcb);
            _connections[stackEvent.Tcb] = connection = new ConnectionCounters();
        }

        uint? before = connection!.ProcessId;
        connection.OnEvent(stackEvent);

        // Looked up now: Windows reuses the id of a process that has ended.
        if (connection.ProcessId is { } process && process != before)
        {
            connection.Process = nameOf(process);
        }
    }

    void LeaveOut(ulong tcb)
    {
        if (_leftOut.Count < MaxConnections)
        {
            _leftOut.Add(tcb);
        }
    }
}

/// <summary>
/// One connection from the events of its stack, kept as the counters and clocks that Linux has in tcp_info: bytes, segments retransmitted, and how
/// long data was in flight or limited by the peer's window. Bytes in flight follow from what was sent and acknowledged.
/// </summary>
sealed class ConnectionCounters
{
    const long NanosecondsPerMicrosecond = 1000;

    long? _srtt;
    long? _cwnd;
    long? _window;
    long _bytesOut;
    long _bytesIn;
    long _retransmissions;
    long _reorderings;
    long _busyNanos;
    long _rwndLimitedNanos;
    long _fastRecoveryNanos;
    long _timeoutNanos;
    SegmentSize _segment;
    SequenceNumber _una;
    SequenceNumber _max;
    bool _hasSent;
    RecoveryState _recoveryState;
    SequenceNumber _recoveryPoint;
    TraceTime? _last;

    /// <summary>This machine's end, null until known.</summary>
    public Endpoint? Local { get; private set; }

    /// <summary>The peer's end, null until known.</summary>
    public Endpoint? Remote { get; private set; }

    /// <summary>Process that owns it, null until known.</summary>
    public uint? ProcessId { get; private set; }

    /// <summary>Its name when the process became known; null where it had already ended.</summary>
    public string? Process { get; set; }

    long InFlight => _hasSent ? Math.Max(_max - _una, 0) : 0;

    /// <summary>Whether an event ends its connection.</summary>
    public static bool IsEnd(StackEvent stackEvent) => stackEvent.Kind switch
    {
        StackEventKind.Closed or StackEventKind.ConnectFailed or StackEventKind.ConnectionSummary => true,
        StackEventKind.StateChanged => stackEvent.TryGet(StackField.State, out long state) && state == 0,
        _ => false,
    };

    /// <summary>Handles an event of the connection.</summary>
    public void OnEvent(StackEvent stackEvent)
    {
        Charge(stackEvent.Time);
        Identify(stackEvent);
        _ = stackEvent.TryGet(StackField.Bytes, out long bytes);
        switch (stackEvent.Kind)
        {
            case StackEventKind.SegmentSent when bytes is > 0 and < int.MaxValue && stackEvent.TryGet(StackField.SeqNo, out long seq):
                Learn(stackEvent);
                OnSent(new(unchecked((uint)seq)), (int)bytes);
                break;
            case StackEventKind.AckReceived when stackEvent.Has(StackField.SndWnd): // congestion controls log the same ACK again, without it
                Learn(stackEvent);
                OnAcknowledged((int)Math.Clamp(bytes, 0, int.MaxValue));
                break;
            case StackEventKind.SegmentReceived:
                _bytesIn += Math.Max(bytes, 0);
                break;
            case StackEventKind.RetransmissionTimeout:
                _recoveryState = RecoveryState.Timeout;
                _recoveryPoint = _max;
                break;
            case StackEventKind.ReorderingDetected:
                _reorderings++;
                break;
            default:
                break;
        }
    }

    public void Fill(ConnectionReading reading, TraceTime now)
    {
        Charge(now);
        reading.Local = Local.GetValueOrDefault();
        reading.Remote = Remote.GetValueOrDefault();
        reading.ProcessId = ProcessId;
        reading.Process = Process;
        reading.SrttUs = _srtt;
        reading.CwndBytes = _cwnd;
        reading.InFlightBytes = _hasSent ? InFlight : null;
        reading.SendWindowBytes = _window;
        reading.BytesOut = _bytesOut;
        reading.BytesIn = _bytesIn;
        reading.Retransmissions = _retransmissions;
        reading.Reorderings = _reorderings;
        reading.BusyUs = _busyNanos / NanosecondsPerMicrosecond;
        reading.ReceiveWindowUs = _rwndLimitedNanos / NanosecondsPerMicrosecond;
        reading.SendBufferUs = null;
        reading.FastRecoveryUs = _fastRecoveryNanos / NanosecondsPerMicrosecond;
        reading.TimeoutUs = _timeoutNanos / NanosecondsPerMicrosecond;
        reading.Recovery = _recoveryState;
    }

    // The time since the previous event counts for the state held then. Events of several processors arrive slightly out of order.
    void Charge(TraceTime now)
    {
        long passed = _last is { } last ? Math.Max(now - last, 0) : 0;
        _last = _last is { } before && before > now ? before : now;
        if (InFlight == 0)
        {
            return;
        }

        _busyNanos += passed;
        bool isWindowFull = _window is { } window && window - InFlight < _segment.Bytes && _recoveryState == RecoveryState.None;
        _rwndLimitedNanos += isWindowFull ? passed : 0;
        _fastRecoveryNanos += _recoveryState == RecoveryState.FastRecovery ? passed : 0;
        _timeoutNanos += _recoveryState == RecoveryState.Timeout ? passed : 0;
    }

    void Identify(StackEvent stackEvent)
    {
        Local = stackEvent.Local ?? Local;
        Remote = stackEvent.Remote ?? Remote;
        bool isOwner = stackEvent.Kind
            is StackEventKind.ConnectionRundown or StackEventKind.Accepted or StackEventKind.Connected or StackEventKind.ConnectRequested;
        ProcessId = isOwner && stackEvent.ProcessId is > 0 ? stackEvent.ProcessId : ProcessId;
    }

    void Learn(StackEvent stackEvent)
    {
        _srtt = stackEvent.TryGet(StackField.Srtt, out long srtt) && srtt > 0 ? srtt : _srtt;
        _cwnd = stackEvent.TryGet(StackField.Cwnd, out long cwnd) ? cwnd : _cwnd;
        _window = stackEvent.TryGet(StackField.SndWnd, out long window) ? window : _window;
    }

    void OnSent(SequenceNumber seq, int bytes)
    {
        if (!_hasSent)
        {
            (_hasSent, _una, _max) = (true, seq, seq);
        }

        _segment.Learn(bytes);
        if (seq < _max)
        {
            _retransmissions += _segment.Count(Math.Min(bytes, _max - seq));
            if (_recoveryState == RecoveryState.None)
            {
                (_recoveryState, _recoveryPoint) = (RecoveryState.FastRecovery, _max);
            }
        }

        SequenceNumber end = seq + bytes;
        if (end > _max)
        {
            _bytesOut += end - _max;
            _max = end;
        }
    }

    void OnAcknowledged(int bytes)
    {
        _una += (int)Math.Min(bytes, InFlight);
        if (_recoveryState != RecoveryState.None && _una >= _recoveryPoint)
        {
            _recoveryState = RecoveryState.None;
        }
    }
}

/// <summary>
/// The segment size of a connection, learnt from its sends. A Windows event describes a send of up to 64 kB, which the adapter cuts (LSO) into
/// segments whose size no event reports.
/// </summary>
struct SegmentSize
{
    const long Usual = 1460; // RFC 9293 §3.7.1 over Ethernet and IPv4

    /// <summary>Payload of a full segment, bytes; 0 until something was sent.</summary>
    public long Bytes { get; private set; }

    /// <summary>Learns from a send.</summary>
    /// <param name="bytes">Its bytes; positive.</param>
    public void Learn(long bytes) => Bytes = Math.Max(Bytes, Math.Min(bytes, Usual));

    /// <summary>Number of segments that a send becomes.</summary>
    /// <param name="bytes">Its bytes, of which it has learnt.</param>
    /// <returns>At least 1.</returns>
    public readonly long Count(long bytes) => (bytes + Bytes - 1) / Bytes;
}
