using System;
using System.Collections.Generic;
using System.Threading;
using TcpDiag.Analysis.Limits;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// The open connections of a machine from the events of its stack, by TCB, with what has limited their senders so far. Events are judged as those of a
/// recorded trace are. Memory grows with the number of open connections, never with their events.
/// </summary>
/// <remarks>
/// Threads: events come on one thread, readings are taken on another. <see cref="OnEvent"/> and <see cref="Read"/> each hold the lock of this object from
/// begin to end, also while they call out: what they call must be brief, and must not wait for the other thread.
/// </remarks>
/// <param name="nameOf">
/// The name of a process, null when it has gone. Asked as soon as a connection's owner is known: Windows reuses the id of a process that has ended.
/// </param>
public sealed class LiveConnections(Func<uint, string?> nameOf)
{
    // A bound for a machine whose connections never end. As many TCBs beyond it are remembered, so that each counts once.
    const int MaxConnections = 1 << 16;

    // The year 2116: no difference of two instants between 1970 and then overflows.
    const long MaxNanos = 1L << 62;

    readonly Lock _lock = new();
    readonly Dictionary<ulong, StackConnection> _open = [];
    readonly HashSet<ulong> _leftOut = [];
    readonly LiveConnection _reading = new();
    readonly SenderExtras _extras = new();

    /// <summary>Takes in an event; one without TCB, or of an instant that no clock shows, is ignored.</summary>
    /// <param name="stackEvent">The event; not kept.</param>
    public void OnEvent(StackEvent stackEvent)
    {
        ArgumentNullException.ThrowIfNull(stackEvent);
        if (stackEvent.Tcb == 0 || stackEvent.Time.Nanoseconds is < 0 or > MaxNanos)
        {
            return;
        }

        lock (_lock)
        {
            if (ConnectionIdentity.Ends(stackEvent))
            {
                Drop(stackEvent.Tcb);
                _leftOut.Remove(stackEvent.Tcb);
            }
            else if (Find(stackEvent) is { } connection)
            {
                Take(connection, stackEvent);
            }
        }
    }

    /// <summary>
    /// Reads every open connection whose ends are known, in no order, and changes nothing. A later reading may correct what this one says of the time so far.
    /// </summary>
    /// <param name="now">Up to when: an instant of the clock that events are stamped with, up to which all of them have been taken in.</param>
    /// <param name="take">Receives each connection; the object is reused for the next one.</param>
    /// <returns>Connections left out because there are too many.</returns>
    public int Read(TraceTime now, Action<LiveConnection> take)
    {
        ArgumentNullException.ThrowIfNull(take);
        lock (_lock)
        {
            foreach (StackConnection connection in _open.Values)
            {
                if (connection is { Local: not null, Remote: { Address.IsUnspecified: false } })
                {
                    _reading.Fill(connection, now);
                    take(_reading);
                }
            }

            return _leftOut.Count;
        }
    }

    // A connection begins with an event that names its ends: of others, and after the end, nothing could be reported.
    StackConnection? Find(StackEvent stackEvent)
    {
        if (_open.TryGetValue(stackEvent.Tcb, out StackConnection? known) && !ConnectionIdentity.IsAnother(known, stackEvent))
        {
            return known;
        }

        if (known is null && (stackEvent is not { Local: not null, Remote: not null } || IsLeftOut(stackEvent.Tcb)))
        {
            return null;
        }

        Drop(stackEvent.Tcb);
        return _open[stackEvent.Tcb] = new StackConnection(_extras) { Start = stackEvent.Time, Tcb = stackEvent.Tcb };
    }

    void Drop(ulong tcb)
    {
        if (_open.Remove(tcb, out StackConnection? known))
        {
            known.Sender?.Release();
        }
    }

    bool IsLeftOut(ulong tcb)
    {
        if (_open.Count < MaxConnections)
        {
            _leftOut.Remove(tcb);
            return false;
        }

        if (_leftOut.Count < MaxConnections)
        {
            _leftOut.Add(tcb);
        }

        return true;
    }

    void Take(StackConnection connection, StackEvent stackEvent)
    {
        uint? before = connection.ProcessId;
        EventCounts.Count(connection, stackEvent);
        if (before is null && connection.ProcessId is { } process)
        {
            connection.ProcessName = nameOf(process);
        }
    }
}
