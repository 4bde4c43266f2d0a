using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Store.Fleets;

/// <summary>A class of paths that are alike: by round trip and by the rate of their slowest link.</summary>
/// <param name="Rtt">Class of the round trip, from 0; null where it is not known.</param>
/// <param name="Rate">Class of the rate, from 0; null where it is not known.</param>
public readonly record struct PathClass(int? Rtt, int? Rate)
{
    /// <summary>Lower ends of the classes of round trips, nanoseconds: a machine room, a city, a country, a continent, oceans.</summary>
    public static IReadOnlyList<long> RttBounds { get; } = [2_000_000, 10_000_000, 30_000_000, 80_000_000, 200_000_000];

    /// <summary>Lower ends of the classes of rates, bit/s.</summary>
    public static IReadOnlyList<long> RateBounds { get; } = [5_000_000, 50_000_000, 500_000_000];

    /// <inheritdoc/>
    public override string ToString() => $"RTT {Range(Rtt, RttBounds, Quantity.Duration)}, rate {Range(Rate, RateBounds, bound => Quantity.BitRate(bound))}";

    static string Range(int? number, IReadOnlyList<long> bounds, Func<long, string> write) => number switch
    {
        null => "unknown",
        0 => $"< {write(bounds[0])}",
        { } last when last == bounds.Count => $"≥ {write(bounds[^1])}",
        { } between => $"{write(bounds[between - 1])} to {write(bounds[between])}",
    };
}
