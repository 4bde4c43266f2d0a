namespace TcpDiag.Analysis.Limits;

/// <summary>The largest difference between the limits that packets tell and those that stack events tell.</summary>
/// <param name="FromPackets">State the packets tell.</param>
/// <param name="FromEvents">State the events tell for the same time.</param>
/// <param name="Part">Part of the active time that differs, all states together, 0 … 1.</param>
public sealed record LimitDisagreement(LimitState FromPackets, LimitState FromEvents, double Part);
