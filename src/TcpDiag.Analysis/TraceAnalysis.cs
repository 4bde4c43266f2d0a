using System.Collections.Generic;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Machines;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Wire;

namespace TcpDiag.Analysis;

/// <summary>What a trace tells about its TCP connections.</summary>
public sealed class TraceAnalysis
{
    internal static readonly IReadOnlyDictionary<Connection, ConnectionTimeline> NoTimelines = new Dictionary<Connection, ConnectionTimeline>();

    /// <summary>The connections, in the order of their first packets or events.</summary>
    public required IReadOnlyList<Connection> Connections { get; init; }

    /// <summary>What was found, most seconds lost first.</summary>
    public IReadOnlyList<Finding> Findings { get; init; } = [];

    /// <summary>The machine that recorded it; null without a snapshot.</summary>
    public MachineAccount? Machine { get; init; }

    /// <summary>Connections over time, those chosen for charts; empty when none were asked for.</summary>
    public IReadOnlyDictionary<Connection, ConnectionTimeline> Timelines { get; init; } = NoTimelines;

    /// <summary>Packets of any kind, each capture point counted.</summary>
    public long Packets { get; init; }

    /// <summary>TCP packets booked to a connection, each once.</summary>
    public long TcpPackets { get; init; }

    /// <summary>Packets left out because another capture point shows the same packet.</summary>
    public long RepeatedPackets { get; init; }

    /// <summary>Packets that are not IP, or too damaged to tell.</summary>
    public long OtherPackets { get; init; }

    /// <summary>Packets reported as dropped, by reason and place, the most frequent first.</summary>
    public IReadOnlyList<DropCount> Drops { get; init; } = [];

    /// <summary>Stack events.</summary>
    public long StackEvents { get; init; }

    /// <summary>Connections and listening sockets of which the events only say that they exist.</summary>
    public int IdleConnections { get; init; }

    /// <summary>Earliest record; the default in an empty trace.</summary>
    public TraceTime Start { get; init; }

    /// <summary>Latest record; the default in an empty trace.</summary>
    public TraceTime End { get; init; }
}
