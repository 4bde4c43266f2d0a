using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Names;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Traces;
using TcpDiag.Traces.Filtering;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// Reads a trace once, record by record, and keeps account of its TCP connections. Memory is proportional to the number
/// of open connections, plus a compact result for each that has ended; never to the number of packets.
/// </summary>
public sealed class TraceAnalyzer
{
    // To recognise packets captured at several points takes time: where no second point has shown, only these of each so many are looked at.
    const int LookedAt = 1024; // both powers of two
    const int LookedAtOf = 1 << 15;

    const int BatchRecords = 4096;
    const int WeightOfEvents = 2; // a connection's events take as much memory as the packets of so many, measured

    readonly SegmentCoalescer _segments;
    readonly StackConnectionTable _events;
    readonly TimelineRecorder? _timelines;
    readonly MachineSummary? _machine;
    readonly ConnectionFilter? _filter;
    readonly TimeWindow? _window;
    readonly Action<int>? _afterReading;
    readonly ConnectionPart _part;
    readonly ClockAnswers? _answers;
    readonly NameTable _names = new();
    readonly ResolverCalls _resolver = new();
    readonly DuplicateFilter _duplicates = new();
    readonly DropCounter _drops = new();
    ParsedPacket _packet;
    readonly RecordingClock _clock = new();
    long _packets;
    long _tcpPackets;
    long _repeatedPackets;
    long _otherPackets;
    long _stackEvents;
    bool _hasSeveralPoints;

    internal NameTable Names => _names;

    internal ResolverCalls Resolver => _resolver;

    internal IReadOnlyList<StackConnection> Stack => _events.All;

    // As Wireshark numbers frames: events stored in the file count too.
    long FrameNumber { get; set; }

    // Whether a packet is compared with those of other capture points.
    bool IsLookedAt
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _hasSeveralPoints || (_packets & (LookedAtOf - LookedAt)) == 0;
    }

    TraceAnalyzer(AnalysisOptions options)
    {
        // Nobody sees it, and no cryptographic library has to be loaded for it.
        ulong seed = unchecked((ulong)Random.Shared.NextInt64(long.MinValue, long.MaxValue));
        _timelines = options.Timelines is { } timelines ? new TimelineRecorder(timelines, options.Connections) : null;
        ISegmentObserver?[] listeners = [_timelines, options.Follower];
        var followers = new SegmentObservers(new LimitTracker(options, _timelines), new PatternTracker(), [.. listeners.OfType<ISegmentObserver>()]);
        _events = new StackConnectionTable(options.Part, _timelines);
        _segments = new SegmentCoalescer(new ConnectionTable(seed, options, followers, _events));
        _filter = options.Connections;
        _window = options is { From: null, To: null } ? null : new TimeWindow(options.From, options.To);
        _afterReading = options.AfterReading;
        (_part, _answers) = (options.Part, options.ClockAnswers);
        _machine = options.Snapshot is { } snapshot ? MachineSummary.Of(snapshot) : null;
    }

    /// <summary>Analyses a trace.</summary>
    /// <param name="reader">The trace, at its beginning.</param>
    /// <param name="options">What is given beside it; <see cref="AnalysisOptions.Default"/> when null.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The connections and counts.</returns>
    /// <exception cref="TraceFormatException">The trace cannot be read at all.</exception>
    /// <exception cref="OperationCanceledException">The work was ended.</exception>
    public static TraceAnalysis Analyze(TraceReader reader, AnalysisOptions? options = null, CancellationToken cancellation = default) =>
        Analyze(reader, options ?? AnalysisOptions.Default, ConnectionLimit.None, cancellation)!;

    /// <summary>Analyses a trace, unless it has too many connections for that at once (<see cref="PartedAnalysis"/>).</summary>
    /// <param name="reader">The trace, at its beginning.</param>
    /// <param name="options">What is given beside it.</param>
    /// <param name="limit">How many connections it may have.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The connections and counts; null where it has more.</returns>
    /// <exception cref="TraceFormatException">The trace cannot be read at all.</exception>
    /// <exception cref="OperationCanceledException">The work was ended.</exception>
    public static TraceAnalysis? Analyze(TraceReader reader, AnalysisOptions options, ConnectionLimit limit, CancellationToken cancellation = default) =>
        Read(reader, options, limit, cancellation)?.Finish(reader);

    // To the end of the trace; null where there are too many connections.
    internal static TraceAnalyzer? Read(TraceReader reader, AnalysisOptions options, ConnectionLimit limit, CancellationToken cancellation)
    {
        var analyzer = new TraceAnalyzer(options);
        var record = default(TraceRecord);
        for (bool isMore = true; isMore;)
        {
            isMore = analyzer.ReadBatch(reader, ref record);
            cancellation.ThrowIfCancellationRequested();
            int count = analyzer._segments.Connections.Count + (WeightOfEvents * analyzer._events.Count);
            limit.Told?.Invoke(count);
            if (count > limit.Connections)
            {
                return null;
            }
        }

        return analyzer;
    }

    /// <summary>
    /// Analyses a live trace: reports what costs time on a connection once it shows, and again if it becomes graver; and everything that was found about each
    /// connection as soon as it has ended and fallen silent. What was told and does not hold for all of a connection is withdrawn.
    /// </summary>
    /// <param name="reader">The trace, at its beginning.</param>
    /// <param name="onFindings">Receives the findings, some connections at a time, and what is told of them.</param>
    /// <param name="options">What is given beside it; <see cref="AnalysisOptions.Default"/> when null.</param>
    /// <param name="cancellation">Ends the reading early; what was read until then counts.</param>
    /// <returns>The connections and counts, findings of connections still open among them.</returns>
    /// <exception cref="TraceFormatException">The trace cannot be read at all.</exception>
    public static TraceAnalysis Follow(
        TraceReader reader, Action<IReadOnlyList<Finding>, FindingNews> onFindings, AnalysisOptions? options = null, CancellationToken cancellation = default)
    {
        var analyzer = new TraceAnalyzer(options ?? AnalysisOptions.Default);
        var watch = new ConnectionWatch(analyzer._segments, analyzer._names, analyzer._filter, onFindings);
        var record = default(TraceRecord);
        while (!cancellation.IsCancellationRequested && reader.TryRead(ref record))
        {
            analyzer.OnRecordInWindow(ref record);
            watch.OnTime(analyzer._clock.Latest);
        }

        TraceAnalysis analysis = analyzer.Finish(reader);
        watch.OnEnd(analysis.Findings);
        return analysis;
    }

    // A method that is called again and again gets the runtime's best code; one loop over the whole trace would not.
    bool ReadBatch(TraceReader reader, ref TraceRecord record)
    {
        if (reader.Interfaces.Count > 1)
        {
            OnSeveralPoints();
        }

        for (int i = 0; i < BatchRecords; i++)
        {
            if (!reader.TryRead(ref record))
            {
                return false;
            }

            OnRecordInWindow(ref record);
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnRecordInWindow(ref TraceRecord record)
    {
        if (_window is null || IsInWindow(record))
        {
            OnRecord(ref record);
        }
    }

    // What lies outside keeps its frame number. Who owns a process is learnt once, often at the beginning.
    bool IsInWindow(in TraceRecord record)
    {
        if (record.Kind is not (TraceRecordKind.Packet or TraceRecordKind.StackEvent) || _window!.Contains(record.Time))
        {
            return true;
        }

        FrameNumber++;
        if (record.Event is { Kind: StackEventKind.ProcessNamed } named && record.Kind == TraceRecordKind.StackEvent)
        {
            _events.OnEvent(named);
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnRecord(ref TraceRecord record)
    {
        if (record.Kind == TraceRecordKind.Packet)
        {
            OnPacket(ref record);
        }
        else if (record.Kind == TraceRecordKind.StackEvent && record.Event is { } stackEvent)
        {
            _stackEvents++;
            FrameNumber++;
            stackEvent.Move(_clock.Offset);
            _clock.OnEvent(record.Time);
            OnStackEvent(stackEvent);
            _resolver.OnEvent(stackEvent, FrameNumber);
        }
    }

    void OnStackEvent(StackEvent stackEvent)
    {
        if (_events.OnEvent(stackEvent) is { IsTold: false, Local: { } local, Remote: { } remote } connection
            && stackEvent.TryGet(StackField.SndWnd, out long window) && window is > 0 and <= int.MaxValue)
        {
            connection.IsTold = _segments.Connections.OnSendWindow(local, remote, (int)window);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnPacket(ref TraceRecord record)
    {
        _packets++;
        FrameNumber++;
        record.Time = _clock.OfPacket(record.Time, record.InterfaceIndex, FrameNumber);
        if (record.HasDetails && IsKnownAlready(record))
        {
            _repeatedPackets++;
        }
        else if (_segments.IsPredicting && IsPredictable(record) && _segments.TryContinue(record, FrameNumber))
        {
            _tcpPackets++;
        }
        else if (!PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref _packet))
        {
            _otherPackets++;
        }
        else if (_packet.IsTcp)
        {
            OnTcp(ref record);
        }
        else
        {
            OnOtherProtocol(record);
        }
    }

    // Counts it where its source says that it was dropped; whether that says as well that it was seen before.
    bool IsKnownAlready(in TraceRecord record)
    {
        if (record.IsDropped)
        {
            _drops.Add(record.Drop);
        }

        return record.IsRepeat;
    }

    // A method of its own: the way of a TCP packet does not clear what a report is read to.
    [MethodImpl(MethodImplOptions.NoInlining)]
    void OnOtherProtocol(in TraceRecord record)
    {
        if (_packet.IsUdp && NameTable.IsNameService(_packet))
        {
            _names.OnMessage(_packet, _packet.CapturedPayload(record.Data), record.Time, FrameNumber);
        }
        else if (PacketTooBig.TryRead(record.Data, _packet, out PacketTooBig report))
        {
            _segments.Connections.OnTooBig(report, new(FrameNumber, record.Time));
        }
    }

    // Whether nothing but its headers has a say in how it is booked.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool IsPredictable(in TraceRecord record) =>
        record.LinkType == LinkType.Ethernet && record.InterfaceIndex == 0 && !record.IsLengthReconstructed && _clock.IsSettled && !IsLookedAt;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void OnTcp(ref TraceRecord record)
    {
        if (record.IsLengthReconstructed)
        {
            _packet.PayloadLength = Math.Max(record.OriginalLength - _packet.PayloadOffset, _packet.PayloadLength);
        }

        if (record.InterfaceIndex > 0)
        {
            OnSeveralPoints();
        }
        else if (record.LinkType is LinkType.LinuxSll or LinkType.LinuxSll2)
        {
            OnSeveralPoints();
        }

        if (IsLookedAt && _duplicates.IsDuplicate(_packet, record.Data, CapturePoint.Of(record, _packet), record.Time))
        {
            OnSeveralPoints();
            _repeatedPackets++;
            return;
        }

        if (!_clock.IsSettled)
        {
            SettleClock(ref record);
        }

        _tcpPackets++;
        _segments.OnSegment(_packet, record, _clock.Latest, FrameNumber);
    }

    void OnSeveralPoints()
    {
        _hasSeveralPoints = true;
        _duplicates.OnSeveralPoints();
    }

    void SettleClock(ref TraceRecord record)
    {
        if (_clock.Silence > 0)
        {
            AskConnections(ref record);
        }

        if (_clock.IsInDoubt && IsBeforeItsData(record.Time))
        {
            record.Time = _clock.OnSetBack(record.Time, FrameNumber);
        }

        if (_clock.TakeSteps())
        {
            _segments.Connections.OnClockStep();
        }
    }

    // Everybody kept silent, or the clock was set forward.
    void AskConnections(ref TraceRecord record)
    {
        bool? answer = _segments.Connections.HasStoodStill(_packet, _clock.BeforeSilence, _clock.Silence);
        switch (_answers is null ? answer : _answers.HasStoodStill(FrameNumber, answer))
        {
            case true:
                record.Time = _clock.OnForward(record.Time, FrameNumber);
                break;
            case false:
                _clock.OnQuiet();
                break;
        }
    }

    bool IsBeforeItsData(TraceTime time)
    {
        bool answer = _segments.Connections.IsBeforeItsData(_packet, time, Thresholds.MinClockDoubtNanos);
        return _answers is null ? answer : _answers.IsBeforeItsData(FrameNumber, answer);
    }

    TraceAnalysis Finish(TraceReader reader)
    {
        _afterReading?.Invoke(_segments.Connections.Count);
        List<Connection> connections = Conclude(reader, out JoinResult joined);
        _names.Attribute(connections);
        _resolver.Attribute(_events.All, connections);
        List<Connection> selected = _filter is { } filter ? connections.FindAll(filter.Selects) : connections;
        IReadOnlyList<Finding> judged = Judge(connections, selected, CompletenessOf(reader));
        IReadOnlyList<Finding> findings = _machine?.Explain(judged) ?? judged;
        return Sum(reader, selected, findings) with
        {
            LeftOut = connections.Count - selected.Count,
            IdleConnections = joined.Idle,
            Timelines = _timelines?.Finish(connections, joined.Numbers, Costly(findings)) ?? TraceAnalysis.NoTimelines,
        };
    }

    // The connections of packets and events, in the order of their numbers.
    internal List<Connection> Conclude(TraceReader reader, out JoinResult joined)
    {
        List<Connection> connections = _segments.Connections.Finish(_clock.Latest);
        if (reader.System.LostEvents > 0 || reader.System.LostBuffers > 0)
        {
            _events.OnLosses(reader.System.LossSpans);
        }

        joined = EventJoiner.Join(connections, _events, _part);
        return connections;
    }

    // What is known of the trace, with what was found.
    internal TraceAnalysis Sum(TraceReader reader, IReadOnlyList<Connection> connections, IReadOnlyList<Finding> findings)
    {
        bool hasRecords = _packets + _stackEvents > 0;
        return new TraceAnalysis
        {
            Connections = connections,
            Findings = findings,
            Machine = _machine,
            Packets = _packets,
            TcpPackets = _tcpPackets,
            RepeatedPackets = _repeatedPackets,
            OtherPackets = _otherPackets,
            Drops = _drops.ToList(reader.System.WindowsBuild),
            Simulation = reader.System.Simulation,
            StackEvents = _stackEvents,
            Start = hasRecords ? Earlier(_clock.Start, _window?.Start) : _window?.Start ?? default,
            From = hasRecords ? _clock.Start : _window?.Start ?? default,
            End = hasRecords ? _clock.Latest : _window?.End ?? default,
        };
    }

    static TraceTime Earlier(TraceTime one, TraceTime? other) => other < one ? other.Value : one;

    // What is found about a connection may rest on others; what concerns the whole trace is asked of those that are wanted alone.
    static IReadOnlyList<Finding> Judge(List<Connection> all, List<Connection> selected, in TraceCompleteness completeness)
    {
        IReadOnlyList<Finding> findings = FindingRules.Judge(all, completeness);
        if (selected.Count == all.Count)
        {
            return findings;
        }

        var wanted = selected.ToHashSet();
        IEnumerable<Finding> ofWanted = findings.Where(finding => finding.Connection is { } connection && wanted.Contains(connection));
        IEnumerable<Finding> ofAll = FindingRules.Judge(selected, completeness).Where(finding => finding.Connection is null);
        return [.. ofAll.Concat(ofWanted).OrderByDescending(finding => finding.SecondsLost ?? 0).ThenByDescending(finding => finding.Severity)];
    }

    // The connections that cost a user time, the costliest first.
    static List<Connection> Costly(IReadOnlyList<Finding> findings)
    {
        var costly = new List<Connection>();
        var known = new HashSet<Connection>();
        foreach (Finding finding in findings)
        {
            if (finding is { SecondsLost: > 0, Connection: { } connection } && known.Add(connection))
            {
                costly.Add(connection);
            }
        }

        return costly;
    }

    internal TraceCompleteness CompletenessOf(TraceReader reader)
    {
        long dropped = 0;
        foreach (TraceInterface capture in reader.Interfaces)
        {
            // In an .etl it is the stack or a filter that dropped them: they are in the trace, marked.
            dropped += reader.Format == TraceFormat.Etl ? 0 : capture.Dropped ?? 0;
        }

        return new TraceCompleteness(reader.System.LostEvents ?? 0, reader.System.LostBuffers ?? 0, dropped, reader.Problems.Count > 0)
        {
            ClockSteps = _clock.Steps,
            LostWhen = reader.System.LossSpans is { } spans ? string.Join(", ", spans.Select(span => Describe(span, _clock.Start))) : null,
        };
    }

    static string Describe(LossSpan span, TraceTime start)
    {
        string from = Quantity.Duration(Math.Max(0, span.From - start));
        return span.To.Nanoseconds == long.MaxValue ? $"from {from} on" : $"between {from} and {Quantity.Duration(Math.Max(0, span.To - start))}";
    }
}
