namespace TcpDiag.Analysis;

/// <summary>
/// What the path reordered of one direction's data: at the receiver by RFC 4737 §3, originals only; at the sender by
/// hindsight: a hole below the highest SACK that is filled without a necessary retransmission.
/// </summary>
/// <param name="Packets">Wire segments that came late.</param>
/// <param name="Ratio">Their part of all, 0 … 1.</param>
/// <param name="MaxExtent">Largest lateness, nanoseconds; null without any.</param>
/// <param name="MedianExtent">Median lateness, nanoseconds; null without any.</param>
/// <param name="MaxExtentPackets">Most wire segments that overtook one; null without any.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Samples">Wire segments looked at.</param>
public sealed record ReorderingSummary(
    long Packets,
    double Ratio,
    long? MaxExtent,
    long? MedianExtent,
    long? MaxExtentPackets,
    Evidence Evidence,
    long Samples)
{
    /// <summary>Most bytes that overtook one; null without any, and at the sender.</summary>
    public long? MaxExtentBytes { get; init; }

    /// <summary>Those that at least three later ones came right before: enough to look lost (RFC 4737 §5). Null without any, and at the sender.</summary>
    public long? ThreeReordered { get; init; }
}
