namespace TcpDiag.Analysis.Timelines;

/// <summary>A record over time of a connection or of what a stack logged about one.</summary>
public abstract class Timeline
{
    /// <summary>Memory of an empty timeline, counted in items of its series.</summary>
    internal const int OwnItems = 32;

    /// <summary>How much it deserves charts when not all can have them.</summary>
    internal long Weight { get; set; }

    /// <summary>Capacity of its series, in items.</summary>
    internal abstract long Length { get; }

    /// <summary>Merges each series until it has no more items than allowed.</summary>
    internal abstract void Reduce(int maximum);
}

/// <summary>How much all timelines of a trace may hold together.</summary>
sealed class TimelineBudget
{
    /// <summary>Maximum number of items of one series.</summary>
    public int ItemsPerSeries { get; set; }

    /// <summary>Capacity of all series together, in items.</summary>
    public long Held { get; set; }
}

/// <summary>How much of a trace is kept for charts.</summary>
public sealed record TimelineOptions
{
    /// <summary>Lower bound of <see cref="ItemsPerSeries"/>: more than there are kinds of marks, so that a series can always be reduced to it.</summary>
    public const int MinItemsPerSeries = 128;

    /// <summary>Maximum number of connections with charts: those with findings first, then those with the most bytes and retransmissions.</summary>
    public int Connections { get; init; } = 200;

    /// <summary>
    /// Maximum number of items of one series, at least <see cref="MinItemsPerSeries"/>; the default is some twenty for each pixel of a wide screen.
    /// </summary>
    public int ItemsPerSeries { get; init; } = 1 << 16;

    /// <summary>Maximum number of items held while the trace is read; an item takes 48 bytes.</summary>
    public long ItemsHeld { get; init; } = 4 << 20;

    /// <summary>
    /// Maximum number of items in the result, all series together; at some 14 bytes each before compression, the default makes a page below 10 MB.
    /// </summary>
    public long ItemsKept { get; init; } = 1 << 19;
}
