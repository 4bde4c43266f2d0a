namespace TcpDiag.Analysis;

/// <summary>The congestion window of a sender: told by its stack, or estimated from the envelope of what was in flight.</summary>
/// <param name="MaxBytes">Largest, bytes.</param>
/// <param name="MinBytes">Smallest, bytes.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Samples">Samples taken.</param>
public sealed record CwndSummary(long MaxBytes, long MinBytes, Evidence Evidence, long Samples);
