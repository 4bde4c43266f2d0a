
namespace TcpDiag.Analysis.Results;

/// <summary>
/// The RTT samples of one direction: from a segment to its acknowledgment, as seen at the capture point. At the receiver this is not the round trip but
/// the receiver's own delay.
/// </summary>
/// <param name="Min">Smallest sample, nanoseconds; exact.</param>
/// <param name="Median">Median, nanoseconds; exact up to 8 samples, else within 3.2 %.</param>
/// <param name="P95">95th percentile, nanoseconds; exact up to 8 samples, else within 3.2 %.</param>
/// <param name="Samples">Number of samples; without any the rest is meaningless.</param>
public readonly record struct RttSummary(long Min, long Median, long P95, long Samples);

/// <summary>What the path lost of one direction's data.</summary>
/// <param name="Packets">Wire segments lost.</param>
/// <param name="Evidence">What the count is based on.</param>
/// <param name="Samples">Wire segments looked at.</param>
public sealed record LossSummary(long Packets, Evidence Evidence, long Samples)
{
    /// <summary>Besides, those that passed a capture at the receiver and did not reach its TCP: its own machine dropped them.</summary>
    public long Behind { get; init; }

    /// <summary>
    /// Away from the sender, from a gap to what was sent again for it, nanoseconds, of nine in ten at least: a round trip when packets were lost, with
    /// what stood in queues on the way. 0 where that was not seen.
    /// </summary>
    public long RepairNanos { get; init; }
}

/// <summary>
/// What the path reordered of one direction's data: at the receiver by RFC 4737 §3, originals only; at the sender in hindsight, as holes below the highest
/// SACK that are filled without a necessary retransmission.
/// </summary>
/// <param name="Packets">Wire segments that came late.</param>
/// <param name="Evidence">What it is based on.</param>
/// <param name="Samples">Wire segments looked at.</param>
public sealed record ReorderingSummary(long Packets, Evidence Evidence, long Samples)
{
    /// <summary>How late they came; null when nothing did.</summary>
    public ReorderingExtents? Extents { get; init; }

    /// <summary>Their share of all, 0 … 1.</summary>
    public double Ratio => (double)Packets / Samples;

    /// <summary>Largest lateness, nanoseconds; null without any.</summary>
    public long? MaxExtent => Extents?.Max;
}

/// <summary>How late reordered packets came (RFC 4737 §4).</summary>
/// <param name="Max">Largest lateness, nanoseconds; null when not known.</param>
/// <param name="Median">Median lateness, nanoseconds; null when not known.</param>
/// <param name="MaxPackets">Maximum number of wire segments that overtook one; null when not known.</param>
/// <param name="MaxBytes">Maximum number of bytes that overtook one; null when not known, and at the sender.</param>
/// <param name="ThreeReordered">Those preceded immediately by at least three later ones, enough to look lost (RFC 4737 §5). Null when not known, and at the
/// sender.</param>
public sealed record ReorderingExtents(long? Max, long? Median, long? MaxPackets, long? MaxBytes, long? ThreeReordered);

/// <summary>Explicit congestion notification (RFC 3168): what queues on the path marked instead of dropping it, and what became of it.</summary>
/// <param name="Use">What both ends agreed upon.</param>
/// <param name="Marked">Packets of this direction that carried the mark (CE) at the capture point; one taken at the sender shows none.</param>
/// <param name="Echoes">Packets that came back with ECE: the receiver repeats it until it hears of a reduction. Null where the bits count (RFC 9768).</param>
/// <param name="Reductions">Packets with CWR: the sender has reduced its congestion window for an echo. Null where the bits count (RFC 9768).</param>
public sealed record EcnSummary(EcnUse Use, long Marked, long? Echoes, long? Reductions)
{
    /// <summary>Whether a mark shows anywhere.</summary>
    public bool IsMarked => Marked > 0 || Echoes > 0;
}

/// <summary>What both ends of a connection agreed upon for congestion notification.</summary>
public enum EcnUse : byte
{
    /// <summary>Not both SYNs were captured.</summary>
    Unknown = 0,

    /// <summary>None.</summary>
    Off = 1,

    /// <summary>Echo and reduction (RFC 3168).</summary>
    Classic = 2,

    /// <summary>A count of marks in every segment (RFC 9768).</summary>
    Accurate = 3,
}

/// <summary>The congestion window of a sender: reported by its stack, or estimated from the envelope of what was in flight.</summary>
/// <param name="MaxBytes">Largest, bytes.</param>
/// <param name="MinBytes">Smallest, bytes.</param>
/// <param name="Evidence">What it is based on.</param>
/// <param name="Samples">Samples taken.</param>
public sealed record CwndSummary(long MaxBytes, long MinBytes, Evidence Evidence, long Samples);

/// <summary>How long one end took to answer: from the last byte of what the other end sent to the first byte of the answer, without the round trip.</summary>
/// <param name="Time">All waits together, nanoseconds.</param>
/// <param name="BriefTime">Those of them no longer than a second, nanoseconds: longer ones are <see cref="LimitState.Idle"/>.</param>
/// <param name="Count">Answers.</param>
/// <param name="Longest">The longest wait.</param>
public sealed record AnswerSummary(long Time, long BriefTime, int Count, LimitSpan Longest);
