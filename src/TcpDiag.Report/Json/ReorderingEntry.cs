namespace TcpDiag.Report.Json;

/// <summary>What was reordered.</summary>
/// <param name="Packets">Wire segments.</param>
/// <param name="Ratio">Part of all.</param>
/// <param name="MaxExtentMicroseconds">Largest extent.</param>
/// <param name="MedianExtentMicroseconds">Median extent.</param>
/// <param name="Evidence">packets, events or both.</param>
/// <param name="Samples">Segments looked at.</param>
public sealed record ReorderingEntry(
    long Packets,
    double Ratio,
    double? MaxExtentMicroseconds,
    double? MedianExtentMicroseconds,
    string? Evidence,
    long Samples);
