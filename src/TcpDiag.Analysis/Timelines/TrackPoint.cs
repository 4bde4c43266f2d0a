namespace TcpDiag.Analysis.Timelines;

/// <summary>
/// What a value did in a stretch of time. A single sample has all four values equal, or <see cref="First"/> and
/// <see cref="Last"/> as the two ends of a range; merged samples keep first, lowest, highest and last, so that a chart
/// drawn from them shows every outlier (the M4 aggregation of Jugel et al., VLDB 2014).
/// </summary>
/// <param name="Time">Instant of the first sample, ns since the Unix epoch.</param>
/// <param name="Span">From the first sample to the last, ns.</param>
/// <param name="First">First value.</param>
/// <param name="Min">Lowest value.</param>
/// <param name="Max">Highest value.</param>
/// <param name="Last">Last value.</param>
public readonly record struct TrackPoint(long Time, long Span, long First, long Min, long Max, long Last) : IMergeable<TrackPoint>
{
    /// <summary>A single sample.</summary>
    /// <param name="time">When, ns since the Unix epoch.</param>
    /// <param name="value">The value.</param>
    /// <returns>The point.</returns>
    public static TrackPoint At(long time, long value) => new(time, 0, value, value, value, value);

    /// <inheritdoc/>
    public bool IsLike(in TrackPoint other) => true;

    /// <inheritdoc/>
    public TrackPoint With(in TrackPoint later) => new(
        Time,
        long.Max(later.Time + later.Span - Time, Span),
        First,
        long.Min(Min, later.Min),
        long.Max(Max, later.Max),
        later.Last);
}
