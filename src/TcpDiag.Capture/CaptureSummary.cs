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

    /// <summary>Records written after a later one, because they arrived too late to be sorted.</summary>
    public required long OutOfOrder { get; init; }

    /// <summary>Whether the file opens and holds what was requested.</summary>
    public bool IsWhole { get; init; } = true;

    /// <summary>What could not be recorded, one sentence each.</summary>
    public required IReadOnlyList<string> Remarks { get; init; }
}

/// <summary>What was recorded at one interface.</summary>
/// <param name="Name">Its name, with its network namespace where that is not the recorder's.</param>
/// <param name="Packets">Packets written.</param>
/// <param name="Dropped">Packets lost between kernel and recorder. With all interfaces, the kernel counts them together: they are given with the
/// first.</param>
public sealed record InterfaceSummary(string Name, long Packets, long Dropped);

/// <summary>Why a recording ended.</summary>
public enum StopReason
{
    /// <summary>Its time was up.</summary>
    Duration,

    /// <summary>The file had reached its size.</summary>
    Size,

    /// <summary>It was stopped by the user.</summary>
    Stopped,

    /// <summary>The disk was nearly full.</summary>
    Disk,

    /// <summary>A condition that was waited for came true.</summary>
    Trigger,

    /// <summary>Someone else ended its session.</summary>
    Ended,
}

/// <summary>Why a recording ended, in words that its result keeps (docs/formats/bundle.md).</summary>
public static class StopReasonText
{
    /// <summary>What is said of a recording that was found after a crash.</summary>
    public const string Found = "found after its process had gone";

    /// <summary>Describes why it ended.</summary>
    /// <param name="reason">The reason.</param>
    /// <param name="trigger">What had come true; null for nothing.</param>
    /// <returns>A clause.</returns>
    public static string Of(StopReason reason, Triggers.TriggerFiring? trigger) => reason switch
    {
        StopReason.Trigger => trigger!.What,
        StopReason.Duration => "time is up",
        StopReason.Size => "the trace has its size",
        StopReason.Disk => "the disk is nearly full",
        StopReason.Ended => "the session was ended by somebody else",
        _ => "told to stop",
    };
}
