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

    // Connections followed and names remembered: bounds against a machine that never ends any.
    const int MostConnections = 1 << 16;
    const int MostNames = 1 << 12;

    readonly Lock _lock = new();
    readonly Dictionary<ulong, EventConnection> _connections = [];
    readonly Dictionary<uint, string?> _names = [];
    readonly ConnectionReading _reading = new();

    /// <inheritdoc/>
    public bool HasEvents => true;

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
                    _reading.Process = connection.ProcessId is { } process ? NameOf(process) : null;
                    take(_reading);
                }
            }
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
            return;
        }

        // A handle is used again: other ends, another connection.
        bool isOther = isKnown && stackEvent.Remote is { } remote && connection!.Remote is { } known && remote != known;
        if (!isKnown || isOther)
        {
            if (!isKnown && _connections.Count == MostConnections)
            {
                return;
            }

            _connections[stackEvent.Tcb] = connection = new EventConnection();
        }

        connection!.OnEvent(stackEvent);
    }

    string? NameOf(uint process)
    {
        if (!_names.TryGetValue(process, out string? name))
        {
            if (_names.Count == MostNames)
            {
                _names.Clear();
            }

            _names[process] = name = nameOf(process);
        }

        return name;
    }
}
