using System.Collections.Generic;
using System.Linq;
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
/// <param name="timelines">Records the events over time; null where no charts are drawn.</param>
sealed class StackConnectionTable(TimelineRecorder? timelines) : ISenderEvidence
{
    const long NanosecondsPerMicrosecond = 1000;

    readonly Dictionary<ulong, StackConnection> _byTcb = [];
    readonly Dictionary<(Endpoint Local, Endpoint Remote), StackConnection> _byEndpoints = []; // both ends may be on this machine
    readonly Dictionary<uint, string> _processes = [];
    readonly List<StackConnection> _all = [];
    readonly SenderExtras _extras = new();
    int _losses;
    bool _hasReasons;

    /// <summary>Holds the RTT samples of all connections.</summary>
    public DurationSets Rtt { get; } = new();

    /// <summary>All connections, in the order of their first events.</summary>
    public IReadOnlyList<StackConnection> All => _all;

    /// <summary>Takes in an event.</summary>
    /// <returns>The connection that it is of; null for none.</returns>
    public StackConnection? OnEvent(StackEvent stackEvent)
    {
        if (stackEvent is { Kind: StackEventKind.ProcessNamed, ProcessId: { } process, Text: { } name })
        {
            _processes[process] = name;
        }

        if (stackEvent.Kind == StackEventKind.EventsLost)
        {
            _losses++;
        }

        if (Find(stackEvent) is not { } connection)
        {
            return null;
        }

        connection.HasLostEvents |= connection.LossesBefore != _losses;
        EventCounts.Count(connection, stackEvent);
        AddSamples(connection, stackEvent);
        timelines?.OnEvent(connection, stackEvent);
        return connection;
    }

    /// <summary>Events were lost. An .etl counts them and seldom says when: without spans any connection may lack some.</summary>
    public void OnLosses(IReadOnlyList<LossSpan>? spans)
    {
        foreach (StackConnection connection in _losses == 0 ? _all : [])
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
    StackConnection? Find(StackEvent stackEvent)
    {
        (Endpoint, Endpoint)? key = stackEvent is { Local: { } local, Remote: { } remote } ? (local, remote) : null;
        StackConnection? connection = stackEvent.Tcb != 0 ? _byTcb.GetValueOrDefault(stackEvent.Tcb) : null;
        if (connection is null && key is { } named && _byEndpoints.TryGetValue(named, out StackConnection? same))
        {
            // Under another TCB the same addresses are another connection.
            connection = stackEvent.Tcb == 0 || !same.HasTcb ? same : null;
        }

        if (connection is null || ConnectionIdentity.IsAnother(connection, stackEvent))
        {
            if (stackEvent.Tcb == 0 && key is null)
            {
                return null;
            }

            connection = new StackConnection(_extras) { Start = stackEvent.Time, LossesBefore = ConnectionIdentity.Opens(stackEvent) ? _losses : 0 };
            _all.Add(connection);
        }

        Remember(connection, stackEvent.Tcb, key);
        return connection;
    }

    void Remember(StackConnection connection, ulong tcb, (Endpoint, Endpoint)? key)
    {
        if (tcb != 0)
        {
            connection.HasTcb = true;
            _byTcb[tcb] = connection;
        }

        if (key is { } named)
        {
            _byEndpoints[named] = connection;
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

        if (stackEvent.Kind == StackEventKind.SegmentSent)
        {
            AddMicroseconds(ref connection.Srtt, stackEvent, StackField.Srtt);
        }
        else if (stackEvent.Kind == StackEventKind.RttSample)
        {
            AddMicroseconds(ref connection.Rtt, stackEvent, StackField.Rtt);
        }
    }

    void AddMicroseconds(ref DurationSet samples, StackEvent stackEvent, StackField field)
    {
        if (stackEvent.TryGet(field, out long microseconds) && microseconds is > 0 and <= uint.MaxValue)
        {
            Rtt.Add(ref samples, microseconds * NanosecondsPerMicrosecond);
        }
    }
}
