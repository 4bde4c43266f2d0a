using System.Collections.Generic;

namespace TcpDiag.Analysis.Findings;

/// <summary>What a trace says it lacks.</summary>
/// <param name="LostEvents">Events the recorder lost.</param>
/// <param name="LostBuffers">Buffers full of events that the recorder lost.</param>
/// <param name="DroppedPackets">Packets the recorder dropped.</param>
/// <param name="IsDamaged">Whether part of the file could not be read.</param>
readonly record struct TraceCompleteness(long LostEvents, long LostBuffers, long DroppedPackets, bool IsDamaged)
{
    /// <summary>Where the recording clock was set.</summary>
    public IReadOnlyList<ClockStep> ClockSteps { get => field ?? []; init; }

    /// <summary>When buffers were lost, from the start of the trace, for people; null when that is not known.</summary>
    public string? LostWhen { get; init; }
}
