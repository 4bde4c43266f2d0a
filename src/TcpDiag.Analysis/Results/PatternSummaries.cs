namespace TcpDiag.Analysis.Results;

/// <summary>A full-sized segment that was lost each time it was sent, beside smaller ones that arrived.</summary>
/// <param name="LostBytes">Payload of the segment, bytes.</param>
/// <param name="Retransmissions">How often it was sent again in full size; none of them was acknowledged.</param>
/// <param name="PassedBytes">Payload of the smaller segments that were acknowledged in its place, bytes; null when none was.</param>
/// <param name="HadPassed">Whether segments of full size had arrived before: the path has changed.</param>
/// <param name="First">Its first retransmission.</param>
/// <param name="Last">Its last retransmission.</param>
/// <param name="Time">From the last progress before it to the acknowledgment of the smaller ones, or to the end of what was seen, nanoseconds.</param>
public sealed record BlackHole(int LostBytes, int Retransmissions, int? PassedBytes, bool HadPassed, TracePosition First, TracePosition Last, long Time);
