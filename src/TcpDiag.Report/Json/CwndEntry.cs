namespace TcpDiag.Report.Json;

/// <summary>The congestion window.</summary>
/// <param name="MaxBytes">Largest.</param>
/// <param name="MinBytes">Smallest.</param>
/// <param name="Evidence">packets, events or both.</param>
/// <param name="Samples">Samples.</param>
public sealed record CwndEntry(
    long? MaxBytes,
    long? MinBytes,
    string? Evidence,
    long Samples);
