namespace TcpDiag.Analysis;

/// <summary>
/// What the path reordered of one direction's data: at the receiver by RFC 4737 §3, originals only; at the sender by
/// hindsight: a hole below the highest SACK that is filled without a necessary retransmission.
/// </summary>
/// <param name="Packets">Wire segments that came late.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Samples">Wire segments looked at.</param>
public sealed record ReorderingSummary(long Packets, Evidence Evidence, long Samples)
{
    /// <summary>How late they came; null when nothing did.</summary>
    public ReorderingExtents? Extents { get; init; }

    /// <summary>Their part of all, 0 … 1.</summary>
    public double Ratio => (double)Packets / Samples;

    /// <summary>Largest lateness, nanoseconds; null without any.</summary>
    public long? MaxExtent => Extents?.Max;
}
