using System.Collections.Generic;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.Sessions;

/// <summary>Everything a recording will do to the machine, and what that costs.</summary>
public sealed record CapturePlan
{
    /// <summary>What records, e.g. <c>netsh</c>.</summary>
    public required string Engine { get; init; }

    /// <summary>Full path of the trace while it is recorded.</summary>
    public required string TraceFile { get; init; }

    /// <summary>The session to begin, for an engine that needs no program; null for the others.</summary>
    public EtwSessionPlan? Session { get; init; }

    /// <summary>Commands, or calls of Windows, that start it, in order.</summary>
    public required IReadOnlyList<PlannedCommand> Start { get; init; }

    /// <summary>Commands that stop it and undo what the first ones changed, in order; each does no harm when there is nothing to do.</summary>
    public required IReadOnlyList<PlannedCommand> Stop { get; init; }

    /// <summary>Whether the commands that start it make filters.</summary>
    public bool HasFilters { get; init; }

    /// <summary>What it will cost: disk, processor, privacy, each one sentence.</summary>
    public required CaptureCosts Costs { get; init; }

    /// <summary>Where it records more or less than was asked for, one sentence each; the result tells them too.</summary>
    public IReadOnlyList<string> Departures { get; init; } = [];

    /// <summary>What else there is to know of such recordings, one sentence each.</summary>
    public required IReadOnlyList<string> Remarks { get; init; }
}
