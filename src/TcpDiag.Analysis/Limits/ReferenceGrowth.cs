using System;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// How long the slowest of common senders takes to show that its congestion window grows, when nothing else holds it back. Reno grows by a segment each
/// round trip (RFC 5681 §3.1). CUBIC grows no slower than a Reno that leaves <see cref="Cubic.Beta"/> of its window: by <see cref="Cubic.Alpha"/> segments
/// (RFC 9438 §4.3), which Linux counts to whole segments before it follows them. Only around W_max its curve is flat, while that Reno is far below.
/// </summary>
static class ReferenceGrowth
{
    const int Margin = 3; // rounds for each segment: 1 / Alpha is 1.9, and half as many more for one that begins late, or was not acknowledged whole

    /// <summary>Round trips after which it has grown by some segments.</summary>
    /// <param name="segments">So many.</param>
    public static int RoundsOf(int segments) => Margin * segments;

    /// <summary>
    /// For how long its curve stays within some segments of W_max on both sides: C·(t − K)³ (RFC 9438 §4.2) is as much at 2·cbrt(segments / C).
    /// </summary>
    /// <param name="segments">So many.</param>
    /// <returns>Nanoseconds.</returns>
    public static long PlateauNanos(int segments) => (long)(2e9 * Math.Cbrt(segments / Cubic.C));
}
