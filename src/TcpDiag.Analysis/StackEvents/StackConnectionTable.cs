using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
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

    // Values of StackField.State.
    const int SynSent = 2;
    const int Established = 4;

    readonly Dictionary<ulong, StackConnection> _byTcb = [];
    readonly Dictionary<(Endpoint Local, Endpoint Remote), StackConnection> _byEndpoints = []; // both ends may be on this machine
    readonly Dictionary<uint, string> _processes = [];
    readonly List<StackConnection> _all = [];
    int _losses;
    bool _hasReasons;

    /// <summary>Holds the RTT samples of all connections.</summary>
    public DurationSets Rtt { get; } = new();

    /// <summary>All connections, in the order of their first events.</summary>
    public IReadOnlyList<StackConnection> All => _all;

    public void OnEvent(StackEvent stackEvent)
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
            return;
        }

        connection.HasLostEvents |= connection.LossesBefore != _losses;
        connection.Last = stackEvent.Time;
        connection.Local ??= stackEvent.Local;
        connection.Remote ??= stackEvent.Remote;
        connection.ProcessId ??= stackEvent.ProcessId;
        connection.System = connection.System == EndSystem.Unknown ? SystemOf(stackEvent.Source) : connection.System;
        Count(connection, stackEvent);
        timelines?.OnEvent(connection, stackEvent);
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

        if (connection is null || IsAnother(connection, stackEvent))
        {
            if (stackEvent.Tcb == 0 && key is null)
            {
                return null;
            }

            connection = new StackConnection { Start = stackEvent.Time, LossesBefore = Opens(stackEvent) ? _losses : 0 };
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

    // Connections already open at their first event may lack some that were lost before it.
    static bool Opens(StackEvent stackEvent) => stackEvent.Kind == StackEventKind.StateChanged
        ? stackEvent.TryGet(StackField.State, out long state) && state is >= SynSent and <= Established
        : stackEvent.Kind is StackEventKind.ConnectRequested or StackEventKind.SynSent or StackEventKind.Connected or StackEventKind.Accepted;

    static bool IsAnother(StackConnection known, StackEvent stackEvent)
    {
        bool isOpening = stackEvent.Kind is StackEventKind.ConnectRequested or StackEventKind.Accepted;
        bool hasEnded = known.End != ConnectionEnd.Open;
        return (isOpening && (hasEnded || known.IsEstablished))
            || Differ(known.Local, stackEvent.Local)
            || Differ(known.Remote, stackEvent.Remote);
    }

    // The local end may not be bound yet when a connection is requested.
    static bool Differ(Endpoint? known, Endpoint? seen) =>
        known is { } one && seen is { } other && one != other && one.Port != 0 && other.Port != 0
        && !one.Address.IsUnspecified && !other.Address.IsUnspecified;

    void Count(StackConnection connection, StackEvent stackEvent)
    {
        connection.Local = Better(connection.Local, stackEvent.Local);
        connection.Remote = Better(connection.Remote, stackEvent.Remote);
        connection.IsActive |= stackEvent.Kind is not (StackEventKind.ConnectionRundown or StackEventKind.TemplateParameters or StackEventKind.ProcessNamed);
        switch (stackEvent.Kind)
        {
            case StackEventKind.ConnectRequested or StackEventKind.SynSent:
                connection.IsOpenedHere = true;
                break;
            case StackEventKind.Connected:
                connection.IsOpenedHere ??= true;
                connection.IsEstablished = true;
                break;
            case StackEventKind.Accepted:
                connection.IsOpenedHere = false;
                connection.IsEstablished = true;
                break;
            case StackEventKind.Closed:
                connection.End = connection.End == ConnectionEnd.Open ? ConnectionEnd.Fin : connection.End;
                break;
            case StackEventKind.Reset:
                connection.End = ConnectionEnd.Rst;
                break;
            default:
                CountTraffic(connection, stackEvent);
                break;
        }
    }

    void CountTraffic(StackConnection connection, StackEvent stackEvent)
    {
        connection.FollowLimits(stackEvent);
        _hasReasons |= ReasonReader.TryRead(stackEvent, ref connection.Reasons);

        // Where two sources log one connection only the stack's own events count, or bytes would count twice.
        if (connection.HasTcb && stackEvent.Tcb == 0)
        {
            return;
        }

        _ = stackEvent.TryGet(StackField.Bytes, out long bytes);
        switch (stackEvent.Kind)
        {
            case StackEventKind.SegmentSent:
                connection.FirstSend ??= stackEvent.Time;
                connection.LastSend = stackEvent.Time;
                connection.BytesSent += bytes;
                connection.SegmentsSent++;
                AddMicroseconds(ref connection.Srtt, stackEvent, StackField.Srtt);
                break;
            case StackEventKind.SendCompleted:
                connection.BytesCompleted += bytes;
                break;
            case StackEventKind.SegmentReceived:
                connection.BytesReceived += bytes;
                break;
            case StackEventKind.AckReceived:
                connection.LastSend = stackEvent.Time;
                break;
            case StackEventKind.SegmentRetransmitted:
                connection.Retransmissions++;
                connection.BytesRetransmitted += bytes;
                break;
            case StackEventKind.SackReceived when stackEvent.TryGet(StackField.DsackCount, out long dsacks):
                connection.SacksWithDsackCount++;
                connection.DsacksCounted += dsacks > 0 ? 1 : 0;
                break;
            case StackEventKind.CwndRestarted when IsTakenBack(stackEvent):
                connection.CwndRestarts = connection.CwndRestarts.GetValueOrDefault() + 1;
                break;
            case StackEventKind.RttSample:
                AddMicroseconds(ref connection.Rtt, stackEvent, StackField.Rtt);
                break;
            case StackEventKind.ConnectionSummary:
                connection.SummaryBytesOut = Get(stackEvent, StackField.DataBytesOut);
                connection.SummaryBytesIn = Get(stackEvent, StackField.DataBytesIn);
                connection.SummaryRetransmissions = Get(stackEvent, StackField.SegmentsRetransmitted);
                break;
        }
    }

    // A connection's initial window comes with the same event, but is no smaller than before.
    static bool IsTakenBack(StackEvent stackEvent) =>
        stackEvent.TryGet(StackField.OldCwnd, out long before) && stackEvent.TryGet(StackField.Cwnd, out long after) && after < before;

    static EndSystem SystemOf(string source) =>
        source.StartsWith("Microsoft-Windows-", StringComparison.Ordinal) ? EndSystem.Windows
        : source.StartsWith("tcp:", StringComparison.Ordinal) || source.StartsWith("sock", StringComparison.Ordinal) ? EndSystem.Linux
        : EndSystem.Unknown;

    void AddMicroseconds(ref DurationSet samples, StackEvent stackEvent, StackField field)
    {
        if (stackEvent.TryGet(field, out long microseconds) && microseconds is > 0 and <= uint.MaxValue)
        {
            Rtt.Add(ref samples, microseconds * NanosecondsPerMicrosecond);
        }
    }

    static Endpoint? Better(Endpoint? known, Endpoint? seen) =>
        known is { } one && one.Port != 0 && !one.Address.IsUnspecified ? known : seen ?? known;

    static long? Get(StackEvent stackEvent, StackField field) => stackEvent.TryGet(field, out long value) ? value : null;
}
