namespace TcpDiag.Analysis;

/// <summary>How late came what the path reordered.</summary>
/// <param name="Max">Largest lateness, nanoseconds; null when not known.</param>
/// <param name="Median">Median lateness, nanoseconds; null when not known.</param>
/// <param name="MaxPackets">Most wire segments that overtook one; null when not known.</param>
/// <param name="MaxBytes">Most bytes that overtook one; null when not known, and at the sender.</param>
/// <param name="ThreeReordered">Those that at least three later ones came right before: enough to look lost (RFC 4737 §5). Null when not known, and at the sender.</param>
public sealed record ReorderingExtents(long? Max, long? Median, long? MaxPackets, long? MaxBytes, long? ThreeReordered);
