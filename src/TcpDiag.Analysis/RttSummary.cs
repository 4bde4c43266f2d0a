namespace TcpDiag.Analysis;

/// <summary>
/// The RTT samples of one direction: sending of a segment to its acknowledgment, as seen at the capture point. At the
/// receiver this is not the round trip but its own delay.
/// </summary>
/// <param name="Min">Smallest sample, nanoseconds; exact.</param>
/// <param name="Median">Median, nanoseconds; exact up to 8 samples, else within 3.2 %.</param>
/// <param name="P95">95th percentile, nanoseconds; exact up to 8 samples, else within 3.2 %.</param>
/// <param name="Samples">Samples taken; without any the rest is meaningless.</param>
public readonly record struct RttSummary(long Min, long Median, long P95, long Samples);
