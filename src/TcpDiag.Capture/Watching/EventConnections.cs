using System;
using System.Collections.Generic;
using System.Threading;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Watching;

/// <summary>
/// The connections of a machine as the events of its stack tell them, by the stack's handle. Events come on one thread, readings are asked for on another. Memory grows with the
/// connections that are open.
/// </summary>
/// <param name="nameOf">The name of a process, null when it has gone.</param>
/// <param name="clock">The clock that events are stamped with.</param>
sealed class EventConnections(Func<uint, string?> nameOf, TimeProvider clock) : IConnectionSource, IStackEventSink
{
    const long NanosecondsPerTick = 100;
    const long NanosecondsPerMicrosecond = 1000;

    // A bound against a machine that never ends any. Of the handles beyond as many are remembered, so that each counts once.
    const int MostConnections = 1 << 16;

    readonly Lock _lock = new();
    readonly Dictionary<ulong, EventConnection> _connections = [];
    readonly HashSet<ulong> _leftOut = [];
    readonly ConnectionReading _reading = new();

    /// <inheritdoc/>
    public bool HasEvents => true;

    /// <inheritdoc/>
    public long LeftOut { get; private set; }

    /// <summary>What ends with this.</summary>
    public IDisposable? Session { get; set; }

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public long Read(Action<ConnectionReading> take, Action<long> begin)
    {
        var now = new TraceTime((clock.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * NanosecondsPerTick);
        long microseconds = now.Nanoseconds / NanosecondsPerMicrosecond;
        begin(microseconds);
        lock (_lock)
        {
            foreach (EventConnection connection in _connections.Values)
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

    /// <inheritdoc/>
    public void Dispose() => Session?.Dispose();

    void Take(StackEvent stackEvent)
    {
        bool isKnown = _connections.TryGetValue(stackEvent.Tcb, out EventConnection? connection);
        if (EventConnection.IsEnd(stackEvent))
        {
            _connections.Remove(stackEvent.Tcb);
            _leftOut.Remove(stackEvent.Tcb);
            return;
        }

        // A handle is used again: other ends, another connection.
        bool isOther = isKnown && stackEvent.Remote is { } remote && connection!.Remote is { } known && remote != known;
        if (!isKnown || isOther)
        {
            if (!isKnown && _connections.Count == MostConnections)
            {
                LeaveOut(stackEvent.Tcb);
                return;
            }

            _leftOut.Remove(stackEvent.Tcb);
            _connections[stackEvent.Tcb] = connection = new EventConnection();
        }

        uint? before = connection!.ProcessId;
        connection.OnEvent(stackEvent);

        // Now: Windows gives the number of a process that has ended to another one.
        if (connection.ProcessId is { } process && process != before)
        {
            connection.Process = nameOf(process);
        }
    }

    void LeaveOut(ulong tcb)
    {
        if (_leftOut.Count < MostConnections)
        {
            _leftOut.Add(tcb);
        }
    }
}
