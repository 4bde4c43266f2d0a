using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Scores.RunSets;

/// <summary>Classes of paths that are alike, as they are measured: like is compared with like.</summary>
public static class PathClasses
{
    /// <summary>A transfer of fewer bytes fits a few windows: it tells the round trip, and no rate.</summary>
    public const long MinBytes = 100_000;

    /// <summary>Lower ends of the classes of round trips, nanoseconds: a machine room, a city, a country, a continent, oceans.</summary>
    public static IReadOnlyList<long> RttBounds { get; } = [2_000_000, 10_000_000, 30_000_000, 80_000_000, 200_000_000];

    /// <summary>Lower ends of the classes of the rate of the slowest link, bit/s.</summary>
    public static IReadOnlyList<long> RateBounds { get; } = [5_000_000, 50_000_000, 500_000_000];

    /// <summary>Lower ends of the classes of sizes of transfers, bytes.</summary>
    public static IReadOnlyList<long> SizeBounds { get; } = [1_000_000, 10_000_000, 100_000_000];

    /// <summary>Names a class.</summary>
    /// <param name="number">Its number, from 0; null where the value is not known.</param>
    /// <param name="bounds">Lower ends of the classes from 1 on.</param>
    /// <param name="write">Writes a bound.</param>
    /// <returns>E.g. <c>10 ms to 30 ms</c>.</returns>
    public static string Name(int? number, IReadOnlyList<long> bounds, Func<long, string> write)
    {
        ArgumentNullException.ThrowIfNull(bounds);
        ArgumentNullException.ThrowIfNull(write);
        return number switch
        {
            null => "unknown",
            0 => $"< {write(bounds[0])}",
            { } last when last == bounds.Count => $"≥ {write(bounds[^1])}",
            { } between => $"{write(bounds[between - 1])} to {write(bounds[between])}",
        };
    }

    /// <summary>Names the class of a value.</summary>
    internal static string NameOf(long? value, IReadOnlyList<long> bounds, Func<long, string> write) =>
        Name(value is { } known ? bounds.Count(bound => known >= bound) : null, bounds, write);

    /// <summary>
    /// The conditions of a transfer that was recorded: what no sender decides. Rate and loss are none: one that is held back never shows how fast the path is,
    /// and one that sends too fast makes its own losses, so that only its good runs would be compared with those of the other.
    /// </summary>
    /// <param name="isSent">Whether the machine that recorded sent it; null where it was seen on the way, or that does not show.</param>
    /// <param name="rttNanos">Smallest round trip of the path; null where it is not known.</param>
    /// <param name="bytes">How much.</param>
    /// <returns>The conditions.</returns>
    public static IReadOnlyList<Setting> ConditionsOf(bool? isSent, long? rttNanos, long bytes) =>
    [
        new("data", isSent switch { true => "sent", false => "received", _ => "seen on the way" }),
        new("rtt", NameOf(rttNanos, RttBounds, Quantity.Duration)),
        new("size", NameOf(bytes, SizeBounds, Quantity.Bytes)),
    ];
}
