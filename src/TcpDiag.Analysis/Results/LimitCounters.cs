
namespace TcpDiag.Analysis.Results;

/// <summary>
/// What the sender's own stack counted of its limits over the connection's life (Windows, as RFC 4898 §4 has it: tcpEStatsPerfSndLimTime… and SndLimBytes…).
/// They are a cross-check: the times of <see cref="LimitSummary"/> are never taken from them.
/// </summary>
/// <param name="Times">Time in each limit, nanoseconds; null when no event has it, nor bytes often enough.</param>
/// <param name="Bytes">Bytes sent in each limit; null when no event has them.</param>
/// <param name="Samples">Events with counters.</param>
public sealed record LimitCounters(CountedLimits? Times, CountedLimits? Bytes, int Samples)
{
    /// <summary>Whether the times are not the stack's own, but the time between two events, divided as the bytes counted between them are.</summary>
    public bool IsTimeByBytes { get; init; }

    /// <summary>Whether the times can be compared: they cover the direction's active time, and no more than the trace shows of the connection.</summary>
    public bool IsComparable { get; init; }

    /// <summary>Where they do not agree with <see cref="LimitSummary"/>; null when they do, or cannot be compared.</summary>
    public LimitDisagreement? Disagreement { get; init; }
}

/// <summary>One amount for each limit that a stack tells apart itself, in bytes or nanoseconds.</summary>
/// <param name="ReceiveWindow">Limited by the receive window.</param>
/// <param name="Congestion">Limited by the congestion window, or by what else is there to control traffic: pacing, recovery, retransmission timers.</param>
/// <param name="Sender">Limited by the sender: its application had no data, or its send buffer was full.</param>
public readonly record struct CountedLimits(long ReceiveWindow, long Congestion, long Sender)
{
    /// <summary>All of them together.</summary>
    public long Total => ReceiveWindow + Congestion + Sender;

    /// <summary>What has come since.</summary>
    /// <param name="before">What was there before.</param>
    /// <returns>The difference.</returns>
    internal CountedLimits Since(in CountedLimits before) =>
        new(ReceiveWindow - before.ReceiveWindow, Congestion - before.Congestion, Sender - before.Sender);

    /// <summary>Adds time, divided as an amount is.</summary>
    /// <param name="nanoseconds">The time.</param>
    /// <param name="amount">The amount; its total is not 0.</param>
    /// <returns>The sum.</returns>
    internal CountedLimits Plus(long nanoseconds, in CountedLimits amount)
    {
        long window = Part(nanoseconds, amount.ReceiveWindow, amount.Total);
        long congestion = Part(nanoseconds, amount.Congestion, amount.Total);
        return new(ReceiveWindow + window, Congestion + congestion, Sender + nanoseconds - window - congestion);
    }

    static long Part(long nanoseconds, long part, long total) => (long)((double)nanoseconds * part / total);
}

/// <summary>The largest difference between the limits by packets and those by stack events.</summary>
/// <param name="FromPackets">State by packets.</param>
/// <param name="FromEvents">State by events for the same time.</param>
/// <param name="Part">Part of the active time that differs, all states together, 0 … 1.</param>
public sealed record LimitDisagreement(LimitState FromPackets, LimitState FromEvents, double Part);
