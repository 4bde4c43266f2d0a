using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Fleets;

/// <summary>Two builds beside each other: the machines of B beside those of A, on paths of the same class, with one error budget for all questions.</summary>
/// <param name="A">The first build.</param>
/// <param name="B">The second build.</param>
/// <param name="Week">Monday of the latest week with recordings of either; null where there is none.</param>
/// <param name="Since">Monday of the first week that was looked at.</param>
public sealed record BuildPair(string A, string B, string? Week, string? Since)
{
    /// <summary>What was asked, and what follows: ratios of B to A, differences first.</summary>
    public IReadOnlyList<FleetChange> Changes { get; init; } = [];

    /// <summary>What was measured of A; null where the store has no recording of it.</summary>
    public MeasuredBuild? MeasuredA { get; init; }

    /// <summary>What was measured of B; null where the store has no recording of it.</summary>
    public MeasuredBuild? MeasuredB { get; init; }

    /// <summary>Compares two builds.</summary>
    /// <param name="store">The store.</param>
    /// <param name="a">The first build.</param>
    /// <param name="b">The second build.</param>
    /// <param name="weeks">How many weeks are looked at, the latest with recordings the last; 2 or more.</param>
    /// <returns>The comparison; without questions where one of them has no recording, or both are one.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    public static BuildPair Of(IResultStore store, string a, string b, int weeks)
    {
        ArgumentNullException.ThrowIfNull(store);
        StoreFilter[] filters = [Only(a), Only(b)];
        string? latest = filters.SelectMany(filter => FleetBuilder.MachinesOf(store, filter, out _)).Select(one => one.Week).Max(StringComparer.Ordinal);
        if (latest is null)
        {
            return new(a, b, null, null);
        }

        string since = FleetFigures.Before(latest, weeks - 1);
        filters = [.. filters.Select(filter => filter.And("week", ConditionKind.AtLeast, StoreValue.Of(since)))];
        FleetFigures[] figures = [.. filters.Select(filter => new FleetFigures(store, "build", filter))];
        bool areTwo = !string.Equals(a, b, StringComparison.Ordinal);
        return new(a, b, latest, since)
        {
            Changes = areTwo ? Changed(figures, b) : [],
            MeasuredA = new BuildMeasures(store, filters[0]).All().FirstOrDefault(),
            MeasuredB = new BuildMeasures(store, filters[1]).All().FirstOrDefault(),
        };
    }

    static FleetChange[] Changed(FleetFigures[] figures, string b)
    {
        MachineFigure[] goodput = [.. figures.SelectMany(one => one.Goodput())];
        MachineFigure[] lost = [.. figures.SelectMany(one => one.TimeLost())];
        IEnumerable<PathClass> paths = goodput.Select(figure => figure.Path).Distinct().OrderBy(path => path.Rtt).ThenBy(path => path.Rate);
        return FleetBuilder.Judged(
            [.. paths.Select(path => FleetQuestion.OfOthers(FleetMetric.Goodput, b, path, [.. goodput.Where(figure => figure.Path == path)]))],
            [FleetQuestion.OfOthers(FleetMetric.TimeLost, b, null, lost)]);
    }

    static StoreFilter Only(string build) => StoreFilter.All.And("build", ConditionKind.Is, StoreValue.Of(build));
}
