using System.Collections.Generic;
using System.Text.Json.Serialization;
using TcpDiag.Lab.Flows;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Results;

/// <summary>What came of one run of one side of one cell: <c>result.json</c> in its folder.</summary>
public sealed record IterationResult
{
    const double BitNanosecondsPerByteSecond = 8e9;

    /// <summary>The cell's name.</summary>
    public required string Cell { get; init; }

    /// <summary>The side's name.</summary>
    public required string Side { get; init; }

    /// <summary>Which repetition, from 1.</summary>
    public required int Iteration { get; init; }

    /// <summary>Seed of the emulated path.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Its folder, below the result directory, with forward slashes.</summary>
    public required string Folder { get; init; }

    /// <summary>How often it was run, over all starts of the experiment; more than once when it was void.</summary>
    public int Attempts { get; init; } = 1;

    /// <summary>Whether the run does not count.</summary>
    public bool IsVoid => Fault is not null;

    /// <summary>Why the run is void, as a sentence; null if it counts.</summary>
    public required string? Fault { get; init; }

    /// <summary>From the sender's first write to the receiver's last read, nanoseconds. Null when nothing arrived.</summary>
    public long? DurationNs => Receiver?.LastNs - Sender?.FirstNs is > 0 and { } time ? time : null;

    /// <summary>Bytes the receiver read over that time, bit/s. Null when nothing arrived.</summary>
    public double? GoodputBitsPerSecond => Receiver?.Bytes * BitNanosecondsPerByteSecond / DurationNs;

    /// <summary>How the flow ended: the worse of what both programs saw. Null when a part of the run failed.</summary>
    [JsonIgnore]
    public FlowOutcome? Outcome => Sender?.Outcome > Receiver?.Outcome ? Sender.Outcome : Receiver?.Outcome;

    /// <summary>The sending program's account, of all connections together; null when a part of the run failed.</summary>
    public required FlowReport? Sender { get; init; }

    /// <summary>The receiving program's account, of all connections together; null when a part of the run failed.</summary>
    public required FlowReport? Receiver { get; init; }

    /// <summary>Each connection by itself, where there are several; else empty.</summary>
    public IReadOnlyList<FlowPair> Flows { get; init; } = [];

    /// <summary>What the analysis says of the sender's capture; null when it holds no connection, or a part of the run failed.</summary>
    public required AnalysisFigures? Analysis { get; init; }

    /// <summary>The capture at the sender; null when a part of the run failed.</summary>
    public required CaptureFigures? SenderCapture { get; init; }

    /// <summary>The capture at the receiver; null where none was asked for, and when a part of the run failed.</summary>
    public required CaptureFigures? ReceiverCapture { get; init; }

    /// <summary>The emulated path's account; null where none was asked for, and when a part of the run failed.</summary>
    public required ShimReport? Link { get; init; }
}
