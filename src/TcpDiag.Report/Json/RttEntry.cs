namespace TcpDiag.Report.Json;

/// <summary>Round-trip times: sending of a segment to its acknowledgment, at the capture point.</summary>
/// <param name="MinMicroseconds">Smallest.</param>
/// <param name="MedianMicroseconds">Median, within 3.2 %.</param>
/// <param name="P95Microseconds">95th percentile, within 3.2 %.</param>
/// <param name="Evidence">packets, events or both.</param>
/// <param name="Samples">Samples.</param>
public sealed record RttEntry(
    double? MinMicroseconds,
    double? MedianMicroseconds,
    double? P95Microseconds,
    string? Evidence,
    long Samples);
