using System.Linq;

namespace TcpDiag.Analysis.Results;

/// <summary>How a sender's first slow start ended, and how often its window was reduced; captured at the sender.</summary>
public sealed record SlowStartSummary
{
    // Most connections have one of these: none is allocated for them.
    static readonly SlowStartSummary[][] Common =
    [
        .. new[] { SlowStartCause.Unknown, SlowStartCause.Reduction }.Select(cause =>
            Enumerable.Range(0, 16).Select(reductions => new SlowStartSummary { Cause = cause, Reductions = reductions }).ToArray()),
    ];

    /// <summary>Why.</summary>
    public SlowStartCause Cause { get; init; }

    /// <summary>Most in flight in the first round trip that no longer grew, bytes. Null while slow start goes on, and where a reduction ended it.</summary>
    public int? ExitBytes { get; init; }

    /// <summary>The acknowledgment with which that round trip began.</summary>
    public TracePosition? Exit { get; init; }

    /// <summary>SRTT then, nanoseconds.</summary>
    public long? ExitRtt { get; init; }

    /// <summary>The sample of the first packet that overtook others and lay below SRTT by what HyStart looks for, nanoseconds.</summary>
    public long? EarlyRtt { get; init; }

    /// <summary>The acknowledgment that gave it.</summary>
    public TracePosition? Early { get; init; }

    /// <summary>From the exit until twice as much was in flight, nanoseconds, which takes slow start one round trip; null when it never was.</summary>
    public long? DoublingTime { get; init; }

    /// <summary>Recoveries and marks of congestion that left less in flight for the round trip after them; those that were undone leave as much.</summary>
    public int Reductions { get; init; }

    /// <summary>What is known where slow start goes on, or a reduction ended it.</summary>
    internal static SlowStartSummary WithoutExit(SlowStartCause cause, int reductions) =>
        reductions < Common[0].Length ? Common[(int)cause][reductions] : new() { Cause = cause, Reductions = reductions };
}

/// <summary>Why a slow start ended.</summary>
public enum SlowStartCause
{
    /// <summary>It goes on, or nothing that is known explains it.</summary>
    Unknown = 0,

    /// <summary>Loss, what was taken for it, or a mark of congestion.</summary>
    Reduction = 1,

    /// <summary>One packet overtook others and made the smallest round trip smaller than the path is long: all later ones seem delayed.</summary>
    EarlyPacket = 2,

    /// <summary>The round trips of a whole round were longer than the smallest before.</summary>
    Delay = 3,

    /// <summary>Acknowledgments came close together for half a round trip.</summary>
    AckTrain = 4,
}
