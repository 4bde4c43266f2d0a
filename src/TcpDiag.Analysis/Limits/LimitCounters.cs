namespace TcpDiag.Analysis.Limits;

/// <summary>
/// What the sender's own stack counted of its limits over the connection's life (Windows, as RFC 4898 §4 has it: tcpEStatsPerfSndLimTime… and SndLimBytes…). They are a cross-check:
/// the times of <see cref="LimitSummary"/> are never taken from them.
/// </summary>
/// <param name="Times">Time in each limit, nanoseconds; null when no event told it, nor bytes often enough.</param>
/// <param name="Bytes">Bytes sent in each limit; null when no event told them.</param>
/// <param name="Samples">Events that told counters.</param>
public sealed record LimitCounters(CountedLimits? Times, CountedLimits? Bytes, int Samples)
{
    /// <summary>Whether the times are not the stack's own, but the time between two events, divided as the bytes counted between them are.</summary>
    public bool IsTimeByBytes { get; init; }

    /// <summary>Whether the times can be compared: they cover the direction's active time, and no more than the trace shows of the connection.</summary>
    public bool IsComparable { get; init; }

    /// <summary>Where they do not agree with <see cref="LimitSummary"/>; null when they do, or cannot be compared.</summary>
    public LimitDisagreement? Disagreement { get; init; }
}
