using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Inspection;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Sessions;

/// <summary>What a recording has left behind for its user.</summary>
/// <param name="Output">The result; null when there was nothing to keep.</param>
/// <param name="Trace">What the trace holds; null when it does not open.</param>
/// <param name="Session">What the session told last; null when it had ended.</param>
/// <param name="Bytes">Size of the result.</param>
/// <param name="IsWhole">Whether the trace opens and holds what the engine promises.</param>
/// <param name="Remarks">What went wrong or is missing, one sentence each.</param>
sealed record CaptureOutcome(string? Output, TraceInspection? Trace, EtwSession? Session, long Bytes, bool IsWhole, IReadOnlyList<string> Remarks)
{
    /// <summary>The outcome as recorders of every kind tell it.</summary>
    /// <param name="engine">What recorded.</param>
    /// <param name="started">When it began.</param>
    /// <param name="duration">How long it took.</param>
    /// <param name="reason">Why it ended.</param>
    /// <returns>The summary.</returns>
    public CaptureSummary ToSummary(string engine, TraceTime started, TimeSpan duration, StopReason reason) => new()
    {
        Engine = engine,
        Started = started,
        Duration = duration,
        StopReason = reason,
        Bytes = Bytes,
        Interfaces = [.. (Trace?.Interfaces ?? []).Select(place => new InterfaceSummary(place.Name ?? place.Description ?? string.Empty, place.Packets, place.Dropped ?? 0))],
        Events = TraceCheck.TcpEvents(Trace),
        Samples = 0,
        LostEvents = Math.Max(Trace?.System.LostEvents ?? 0, Session?.EventsLost ?? 0),
        LostBuffers = Math.Max(Trace?.System.LostBuffers ?? 0, Session?.BuffersLost ?? 0),
        OutOfOrder = 0,
        IsWhole = IsWhole,
        Remarks = Remarks,
    };
}
