namespace TcpDiag.Analysis.Timelines;

/// <summary>What is recorded over time of one thing.</summary>
public abstract class Timeline
{
    /// <summary>Memory of an empty timeline, in items of its series.</summary>
    internal const int OwnItems = 32;

    /// <summary>How much the thing deserves charts, when not all can have them.</summary>
    internal long Weight { get; set; }

    /// <summary>Places for items held.</summary>
    internal abstract long Length { get; }

    /// <summary>Merges each series until it has no more items than allowed.</summary>
    /// <param name="maximum">Most items of a series.</param>
    internal abstract void Reduce(int maximum);
}
