namespace TcpDiag.Report.Json;

/// <summary>The receive window.</summary>
/// <param name="MaxBytes">Largest.</param>
/// <param name="MinBytes">Smallest.</param>
/// <param name="Evidence">packets, events or both.</param>
public sealed record WindowEntry(
    long? MaxBytes,
    long? MinBytes,
    string? Evidence);
