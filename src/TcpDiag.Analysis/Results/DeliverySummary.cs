namespace TcpDiag.Analysis.Results;

/// <summary>How fast the path delivered one direction's data.</summary>
public sealed record DeliverySummary
{
    readonly double _best; // 0 for null: there may be a hundred thousand of these
    readonly double _burst;

    /// <summary>The highest rate held for two round trips, bits per second. Null when no two followed each other.</summary>
    public double? BestBitsPerSecond { get => _best > 0 ? _best : null; init => _best = value ?? 0; }

    /// <summary>The rate at which bursts left the slowest link, bits per second: what a sender gets that fills the path. Null without enough of them.</summary>
    public double? BurstBitsPerSecond { get => _burst > 0 ? _burst : null; init => _burst = value ?? 0; }

    /// <summary>Time in which a queue stood on the path, nanoseconds.</summary>
    public long PathFullTime { get; init; }

    /// <summary>Bytes delivered in that time.</summary>
    public long PathFullBytes { get; init; }

    /// <summary>Rate in that time, bits per second: what the slowest link gives. Null when the path was never full.</summary>
    public double? PathFullBitsPerSecond => PathFullTime > 0 ? PathFullBytes * 8e9 / PathFullTime : null;

    /// <summary>The same as seen where the data arrives: a sample there is how late the receiver acknowledges, and shows no queue.</summary>
    public DeliverySummary WithoutQueue() => PathFullTime == 0 ? this : this with { PathFullTime = 0, PathFullBytes = 0 };
}
