using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Scores.Comparisons;

/// <summary>
/// What the Windows TCP team published in 2021 of goodput, a later build over an earlier one ("Algorithmic improvements boost TCP performance on the
/// Internet"): 100 Mbit/s, a bottleneck buffer of one BDP, 1 % of the packets with 5 ms in place of the delay, or none. For those conditions only, so that
/// nobody reads it as a bound of others.
/// </summary>
public static class PublishedRatios
{
    /// <summary>Where the figures are from, as a sentence.</summary>
    public const string Source = "Published: goodput of a later build over an earlier one, Windows TCP team 2021, flows of full length.";

    const string EarlyPackets = "out:1pct:replace:5ms";

    /// <summary>The published ratio for some conditions.</summary>
    /// <param name="metric">What is compared.</param>
    /// <param name="cell">The conditions.</param>
    /// <returns>E.g. <c>≥ 5</c>, <c>40</c>, <c>≤ 1.6</c>; null where nothing was published.</returns>
    public static string? Of(Metric metric, RunCell cell)
    {
        ArgumentNullException.ThrowIfNull(metric);
        ArgumentNullException.ThrowIfNull(cell);
        Dictionary<string, string> conditions = cell.Conditions.DistinctBy(setting => setting.Name, StringComparer.Ordinal).ToDictionary(
            setting => setting.Name, setting => setting.Value, StringComparer.Ordinal);
        bool isPublished = metric.Name is "goodput" && Is("rate", "100mbit") && Is("buffer", "1bdp") && !conditions.ContainsKey("loss")
            && conditions.GetValueOrDefault("bytes") is "32mb" or "128mb" && conditions.GetValueOrDefault("rtt") is "25ms" or "50ms" or "100ms" or "200ms";
        return !isPublished ? null
            : Is("reorder", EarlyPackets) ? Is("rtt", "200ms") && Is("bytes", "128mb") ? "40" : "≥ 5"
            : !conditions.ContainsKey("reorder") && Is("rtt", "200ms") ? "≤ 1.6"
            : null;

        bool Is(string name, string value) => string.Equals(conditions.GetValueOrDefault(name), value, StringComparison.Ordinal);
    }
}
