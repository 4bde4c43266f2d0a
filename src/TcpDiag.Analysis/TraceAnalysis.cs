using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Filtering;
using TcpDiag.Wire;

namespace TcpDiag.Analysis;

/// <summary>The result of an analysis: the TCP connections of a trace and what was found about them.</summary>
public sealed record TraceAnalysis
{
    internal static readonly IReadOnlyDictionary<Connection, ConnectionTimeline> NoTimelines = new Dictionary<Connection, ConnectionTimeline>();

    readonly TraceTime? _from;

    /// <summary>The connections that were asked for, in the order of their first packets or events.</summary>
    public required IReadOnlyList<Connection> Connections { get; init; }

    /// <summary>Connections that were not asked for.</summary>
    public int LeftOut { get; init; }

    /// <summary>What was found: sure ones first, notes behind the others, then most seconds lost.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>The machine that recorded it; null without a snapshot.</summary>
    public MachineSummary? Machine { get; init; }

    /// <summary>Connections over time, those chosen for charts; empty when none were asked for.</summary>
    public IReadOnlyDictionary<Connection, ConnectionTimeline> Timelines { get; init; } = NoTimelines;

    /// <summary>Packets of any kind, each capture point counted.</summary>
    public long Packets { get; init; }

    /// <summary>TCP packets of the connections, each once.</summary>
    public long TcpPackets { get; init; }

    /// <summary>Packets left out because another capture point shows the same packet.</summary>
    public long RepeatedPackets { get; init; }

    /// <summary>Packets that are not IP, or too damaged to parse.</summary>
    public long OtherPackets { get; init; }

    /// <summary>What a file of the simulator says of itself; null for packets that a network carried.</summary>
    public string? Simulation { get; init; }

    /// <summary>Packets reported as dropped, by reason and location, the most frequent first.</summary>
    public IReadOnlyList<DropCount> Drops { get; init; } = [];

    /// <summary>Stack events read.</summary>
    public long StackEvents { get; init; }

    /// <summary>Connections and listening sockets of which the events only say that they exist.</summary>
    public int IdleConnections { get; init; }

    /// <summary>Earliest record of the trace, from which times in reports count; the default in an empty trace.</summary>
    public TraceTime Start { get; init; }

    /// <summary>Earliest record that was analysed: <see cref="Start"/> unless only a part of the trace was.</summary>
    public TraceTime From { get => _from ?? Start; init => _from = value; }

    /// <summary>Latest record that was analysed; that of the trace where none was, the default in an empty trace.</summary>
    public TraceTime End { get; init; }

    /// <summary>Time between the earliest and the latest record that were analysed, nanoseconds.</summary>
    public long Length => End - From;
}

/// <summary>What an analysis is given besides the trace.</summary>
public sealed record AnalysisOptions
{
    /// <summary>The vantage is detected, no charts are recorded.</summary>
    public static AnalysisOptions Default { get; } = new();

    /// <summary>Where the capture was taken, for all connections; null to detect it for each.</summary>
    public Vantage? Vantage { get; init; }

    /// <summary>Snapshot of the machine that recorded the trace; null when there is none.</summary>
    public SystemSnapshot? Snapshot { get; init; }

    /// <summary>How much is kept for charts; null where none are drawn, which costs nothing.</summary>
    public TimelineOptions? Timelines { get; init; }

    /// <summary>Which connections are listed, judged and drawn; null for all.</summary>
    public ConnectionFilter? Connections { get; init; }

    /// <summary>Only records from here on are analysed; null from the beginning.</summary>
    public TimeBound? From { get; init; }

    /// <summary>Only records up to here are analysed; null up to the end.</summary>
    public TimeBound? To { get; init; }

    /// <summary>
    /// Called once, when all records are read, with the number of connections: what is allocated from then on are their results, which stay. Null for nothing.
    /// </summary>
    public Action<int>? AfterReading { get; init; }

    /// <summary>The connections that are followed at all: all of them, unless the trace is read once for each part.</summary>
    internal ConnectionPart Part { get; init; }

    /// <summary>What connections of another part said of the recording clock; null where those of this one are asked.</summary>
    internal ClockAnswers? ClockAnswers { get; init; }

    /// <summary>Another follower of the connections, for programs that verify the analysis; null for none.</summary>
    internal ISegmentObserver? Follower { get; init; }
}
