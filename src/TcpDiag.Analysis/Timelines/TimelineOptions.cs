namespace TcpDiag.Analysis.Timelines;

/// <summary>How much of a trace is kept for charts.</summary>
public sealed record TimelineOptions
{
    /// <summary>Fewest items of a series: more than there are kinds of marks, so that a series can always be reduced to it.</summary>
    public const int LeastItemsPerSeries = 128;

    /// <summary>Most connections that get charts: those with findings first, then those with the most bytes and repairs.</summary>
    public int Connections { get; init; } = 200;

    /// <summary>Most items of one series, at least <see cref="LeastItemsPerSeries"/>: some twenty for each pixel of a wide screen.</summary>
    public int ItemsPerSeries { get; init; } = 1 << 16;

    /// <summary>Most items held while the trace is read; an item takes 48 bytes.</summary>
    public long ItemsHeld { get; init; } = 4 << 20;

    /// <summary>Most items of all series together in the result: at some 14 bytes each before compression, a page below 10 MB.</summary>
    public long ItemsKept { get; init; } = 1 << 19;
}
