using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Sender;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// The connections in the stack's events, by TCB, or by 4-tuple where the source has none (the kernel's TcpIp events). Either identifies a connection
/// only until it ends; an opening event, or other endpoints under the same TCB, start another one.
/// </summary>
/// <remarks>
/// Memory: connections of another part are an entry under their TCB until they end, and some that have ended: most events name a TCB alone.
/// </remarks>
/// <param name="part">The connections that are analysed.</param>
/// <param name="timelines">Records the events over time; null where no charts are drawn.</param>
sealed class StackConnectionTable(ConnectionPart part, TimelineRecorder? timelines) : ISenderEvidence
{
    const long NanosecondsPerMicrosecond = 1000;
    const int MaxProcesses = 1 << 16; // a bound against a trace of made-up events
    const int MaxUnnamed = 1 << 14; // nor do so many connections stay without ends, unless most events were lost

    // A connection has events after its end: the last segments, its summary. So many later ones have ended before these are another's.
    const int EndsRemembered = 1 << 15;

    readonly Dictionary<ulong, StackConnection> _byTcb = [];
    readonly Dictionary<(Endpoint Local, Endpoint Remote), StackConnection> _byEndpoints = []; // bound ones; both may be on this machine
    readonly Dictionary<uint, string> _processes = [];
    readonly List<StackConnection> _all = [];
    readonly Dictionary<ulong, OtherConnection> _others = [];
    readonly Queue<Ended> _ended = new();
    readonly SenderExtras _extras = new();
    long _events;
    int _unnamed; // connections that began with an event that names no peer
    int _left; // of those in the list, how many are of another part
    int _losses;
    bool _hasReasons;

    /// <summary>Holds the RTT samples of all connections.</summary>
    public DurationSets Rtt { get; } = new();

    /// <summary>How many of the connections are known to be analysed.</summary>
    public int Count { get; private set; }

    /// <summary>All connections but those of another part, in the order of their first events.</summary>
    public IReadOnlyList<StackConnection> All
    {
        get
        {
            RemoveLeft();
            return _all;
        }
    }

    /// <summary>Takes in an event.</summary>
    /// <returns>The connection that it is of; null for none, and for one of another part.</returns>
    public StackConnection? OnEvent(StackEvent stackEvent)
    {
        if (stackEvent is { Kind: StackEventKind.ProcessNamed, ProcessId: { } process, Text: { } name }
            && (_processes.Count < MaxProcesses || _processes.ContainsKey(process)))
        {
            _processes[process] = name;
        }

        if (stackEvent.Kind == StackEventKind.EventsLost)
        {
            _losses++;
        }

        _events++;
        if (IsOfOther(stackEvent, out bool isAnother) || Find(stackEvent, isAnother) is not { } connection)
        {
            return null;
        }

        connection.HasLostEvents |= connection.LossesBefore != _losses;
        EventCounts.Count(connection, stackEvent);
        if (ConnectionIdentity.IsLast(stackEvent))
        {
            OnEnd(connection);
        }

        if (!IsAnalysed(connection))
        {
            return null;
        }

        AddSamples(connection, stackEvent);
        timelines?.OnEvent(connection, stackEvent);
        return connection;
    }

    /// <summary>Events were lost. An .etl counts them and seldom says when: without spans any connection may lack some.</summary>
    public void OnLosses(IReadOnlyList<LossSpan>? spans)
    {
        foreach (StackConnection connection in _losses == 0 ? All : [])
        {
            connection.HasLostEvents |= spans?.Any(span => connection.Start <= span.To && connection.Last >= span.From) ?? true;
        }
    }

    public string? NameOf(uint? process) => process is { } id ? _processes.GetValueOrDefault(id) : null;

    /// <inheritdoc/>
    public RetransmissionReasons? ReasonsOf(in ParsedPacket packet) =>
        _hasReasons
        && _byEndpoints.TryGetValue((new(packet.Source, packet.SourcePort), new(packet.Destination, packet.DestinationPort)), out StackConnection? sender)
            ? sender.Reasons
            : null;

    // Null for an event that concerns no connection.
    StackConnection? Find(StackEvent stackEvent, bool isAnother)
    {
        (Endpoint, Endpoint)? key = KeyOf(stackEvent);
        StackConnection? connection = stackEvent.Tcb != 0 ? _byTcb.GetValueOrDefault(stackEvent.Tcb) : null;
        if (connection is null && !isAnother && key is { } named && _byEndpoints.TryGetValue(named, out StackConnection? same))
        {
            // Under another TCB the same addresses are another connection.
            connection = stackEvent.Tcb == 0 || !same.HasTcb ? same : null;
            if (connection is null)
            {
                OnEnd(same);
            }
        }

        if (connection is null || ConnectionIdentity.IsAnother(connection, stackEvent))
        {
            bool isUnnamed = stackEvent.Remote is null;
            if ((stackEvent is { Tcb: 0 } && key is null) || (isUnnamed && _unnamed == MaxUnnamed))
            {
                return null;
            }

            _unnamed += isUnnamed ? 1 : 0;
            if (connection is not null)
            {
                OnEnd(connection);
            }

            connection = new StackConnection(_extras)
            {
                Number = _events,
                Start = stackEvent.Time,
                LossesBefore = ConnectionIdentity.Opens(stackEvent) ? _losses : 0,
                HasLostEvents = _unnamed == MaxUnnamed && !ConnectionIdentity.Opens(stackEvent), // what came before may have been left out
            };
            _all.Add(connection);
        }

        Remember(connection, stackEvent.Tcb, key);
        return connection;
    }

    // What has no TCB names bound ends.
    static (Endpoint, Endpoint)? KeyOf(StackEvent stackEvent) =>
        ConnectionIdentity.IsBound(stackEvent.Local) && ConnectionIdentity.IsBound(stackEvent.Remote)
            ? (stackEvent.Local!.Value, stackEvent.Remote!.Value)
            : null;

    void Remember(StackConnection connection, ulong tcb, (Endpoint, Endpoint)? key)
    {
        if (tcb != 0)
        {
            connection.Tcb = tcb;
            _byTcb[tcb] = connection;
        }

        if (key is { } named)
        {
            _byEndpoints[named] = connection;
        }
    }

    // Whether an event is of a connection of another part, as far as that can be told before it is looked at.
    bool IsOfOther(StackEvent stackEvent, out bool isAnother)
    {
        isAnother = false;
        if (part.Bits == 0)
        {
            return false;
        }

        if (stackEvent.Tcb == 0)
        {
            return KeyOf(stackEvent) is var (local, remote) && !part.Has(FlowKey.Of(local, remote, out _));
        }

        if (!_others.TryGetValue(stackEvent.Tcb, out OtherConnection known))
        {
            return false;
        }

        isAnother = known.IsAnother(stackEvent);
        OtherConnection now = isAnother ? known with { HasEnded = true } : known.With(stackEvent);
        if (now.HasEnded && !known.HasEnded)
        {
            Enqueue(new(stackEvent.Tcb, known.Number));
        }

        if (isAnother)
        {
            _others.Remove(stackEvent.Tcb);
        }
        else
        {
            _others[stackEvent.Tcb] = now;
        }

        return !isAnother;
    }

    // One of another part is told apart from the others, but what it does is not counted.
    bool IsAnalysed(StackConnection connection)
    {
        bool isNew = connection.IsOfPart is null;
        connection.FindPart(part);
        if (isNew && connection.IsOfPart == true)
        {
            Count++;
        }

        if (connection.IsOfPart == false)
        {
            Leave(connection);
        }

        return connection.IsOfPart != false;
    }

    void Leave(StackConnection connection)
    {
        _byTcb.Remove(connection.Tcb);
        _byEndpoints.Remove((connection.Local!.Value, connection.Remote!.Value));
        _others[connection.Tcb] = OtherConnection.Of(connection);
        connection.Close();
        Rtt.Release(ref connection.Rtt);
        _left++;
        if (_left > _all.Count / 2)
        {
            RemoveLeft();
        }
    }

    void RemoveLeft()
    {
        if (_left > 0)
        {
            _all.RemoveAll(static connection => connection.IsOfPart == false);
            _left = 0;
        }
    }

    void OnEnd(StackConnection connection)
    {
        if (!connection.HasEnded && connection.HasTcb)
        {
            connection.HasEnded = true;
            Enqueue(new(connection.Tcb, connection.Number));
        }
    }

    void Enqueue(Ended ended)
    {
        _ended.Enqueue(ended);
        if (_ended.Count > EndsRemembered)
        {
            Forget(_ended.Dequeue());
        }
    }

    // Later events under its TCB or between its ends are another's.
    void Forget(Ended ended)
    {
        if (_others.TryGetValue(ended.Tcb, out OtherConnection other) && other.Number == ended.Number)
        {
            _others.Remove(ended.Tcb);
        }

        if (!_byTcb.TryGetValue(ended.Tcb, out StackConnection? connection) || connection.Number != ended.Number)
        {
            return;
        }

        _byTcb.Remove(ended.Tcb);
        if (connection is { Local: { } local, Remote: { } remote }
            && _byEndpoints.TryGetValue((local, remote), out StackConnection? ofEnds) && ofEnds == connection)
        {
            _byEndpoints.Remove((local, remote));
        }
    }

    // What takes room with every sample.
    void AddSamples(StackConnection connection, StackEvent stackEvent)
    {
        _hasReasons |= ReasonReader.TryRead(stackEvent, ref connection.Reasons);
        if (!EventCounts.IsCounted(connection, stackEvent))
        {
            return;
        }

        bool isSample = stackEvent.Kind == StackEventKind.RttSample;
        bool isWanted = isSample || (stackEvent.Kind == StackEventKind.SegmentSent && !connection.HasRttSamples);
        if (!isWanted || !stackEvent.TryGet(isSample ? StackField.Rtt : StackField.Srtt, out long microseconds) || microseconds is <= 0 or > uint.MaxValue)
        {
            return;
        }

        if (isSample && !connection.HasRttSamples)
        {
            Rtt.Release(ref connection.Rtt);
            connection.HasRttSamples = true;
        }

        Rtt.Add(ref connection.Rtt, microseconds * NanosecondsPerMicrosecond);
    }

    // A connection that has ended.
    readonly record struct Ended(ulong Tcb, long Number);
}
