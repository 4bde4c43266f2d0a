using System;
using System.Collections.Generic;

namespace TcpDiag.Analysis.Results;

/// <summary>What is known to be missing in a trace.</summary>
/// <param name="LostEvents">Events the recorder lost.</param>
/// <param name="LostBuffers">Buffers full of events that the recorder lost.</param>
/// <param name="DroppedPackets">Packets the recorder dropped.</param>
/// <param name="IsDamaged">Whether part of the file could not be read.</param>
readonly record struct TraceCompleteness(long LostEvents, long LostBuffers, long DroppedPackets, bool IsDamaged)
{
    /// <summary>Where the recording clock was set.</summary>
    public IReadOnlyList<ClockStep> ClockSteps { get => field ?? []; init; }

    /// <summary>When buffers were lost, from the start of the trace, for people; null when unknown.</summary>
    public string? LostWhen { get; init; }
}

/// <summary>The recording clock was set: its times before and after cannot be compared.</summary>
/// <param name="Packet">Number of the first packet after it, from 1.</param>
/// <param name="Jump">By how much, nanoseconds; negative when it was set back. Includes the time that passed meanwhile, which is unknown.</param>
public readonly record struct ClockStep(long Packet, long Jump)
{
    /// <summary>Absolute value of the jump, nanoseconds.</summary>
    public long Size => Math.Abs(Math.Max(Jump, -long.MaxValue));
}

/// <summary>Packets that a Windows machine reported as dropped, for one reason at one location (docs/formats/etl-packets.md).</summary>
/// <param name="Reason">PktMon's name of the reason, or its number where it has no name.</param>
/// <param name="Location">PktMon's name of the location, or its number in hexadecimal; null when unknown.</param>
/// <param name="Packets">How many, each report counted.</param>
public sealed record DropCount(string Reason, string? Location, long Packets);
