using System;
using System.Collections.Generic;
using TcpDiag.Capture.Triggers;
using TcpDiag.Wire;

namespace TcpDiag.Capture;

/// <summary>What a recording holds.</summary>
public sealed record CaptureSummary
{
    /// <summary>What recorded: <c>linux</c>, or an engine of Windows.</summary>
    public required string Engine { get; init; }

    /// <summary>When it began.</summary>
    public required TraceTime Started { get; init; }

    /// <summary>How long it took.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>Why it ended.</summary>
    public required StopReason StopReason { get; init; }

    /// <summary>Which condition came true; null when none did, or none was waited for.</summary>
    public TriggerFiring? Trigger { get; init; }

    /// <summary>Size of the file, bytes.</summary>
    public required long Bytes { get; init; }

    /// <summary>The interfaces that had traffic.</summary>
    public required IReadOnlyList<InterfaceSummary> Interfaces { get; init; }

    /// <summary>Events of the stack, samples not counted.</summary>
    public required long Events { get; init; }

    /// <summary>Samples of connections.</summary>
    public required long Samples { get; init; }

    /// <summary>Events lost between kernel and recorder.</summary>
    public required long LostEvents { get; init; }

    /// <summary>Buffers lost while they were to be written (Windows), each with all the packets and events in it.</summary>
    public long LostBuffers { get; init; }

    /// <summary>Records that stand behind a later one, because they came too late to be sorted.</summary>
    public required long OutOfOrder { get; init; }

    /// <summary>Whether the file opens and holds what was asked for.</summary>
    public bool IsWhole { get; init; } = true;

    /// <summary>What could not be recorded, one sentence each.</summary>
    public required IReadOnlyList<string> Remarks { get; init; }
}
