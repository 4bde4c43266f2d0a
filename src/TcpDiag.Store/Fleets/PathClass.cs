using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Store.Fleets;

/// <summary>A class of paths that are alike: by round trip and by the rate of their slowest link.</summary>
/// <param name="Rtt">Class of the round trip, from 0; null where it is not known.</param>
/// <param name="Rate">Class of the rate, from 0; null where it is not known.</param>
public readonly record struct PathClass(int? Rtt, int? Rate)
{
    /// <summary>Lower ends of the classes of round trips, nanoseconds.</summary>
    public static IReadOnlyList<long> RttBounds => PathClasses.RttBounds;

    /// <summary>Lower ends of the classes of rates, bit/s.</summary>
    public static IReadOnlyList<long> RateBounds => PathClasses.RateBounds;

    /// <inheritdoc/>
    public override string ToString() =>
        $"RTT {PathClasses.Name(Rtt, RttBounds, Quantity.Duration)}, rate {PathClasses.Name(Rate, RateBounds, bound => Quantity.BitRate(bound))}";
}
