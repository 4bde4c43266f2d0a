namespace TcpDiag.Report.Json;

/// <summary>What limited the sender.</summary>
/// <param name="Evidence">packets, events or both.</param>
/// <param name="Samples">Samples.</param>
/// <param name="Shares">Parts of the active time; they add up to 1.</param>
/// <param name="Microseconds">Time in each state; adds up to the active time.</param>
public sealed record LimitsEntry(
    string? Evidence,
    long Samples,
    LimitStatesEntry Shares,
    LimitStatesEntry Microseconds);
