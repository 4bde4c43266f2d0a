namespace TcpDiag.Report.Json;

/// <summary>What was lost.</summary>
/// <param name="Packets">Wire segments.</param>
/// <param name="Evidence">packets, events or both.</param>
/// <param name="Samples">Segments looked at.</param>
public sealed record LossEntry(
    long Packets,
    string? Evidence,
    long Samples);
