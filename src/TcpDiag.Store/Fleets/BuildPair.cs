using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Fleets;

/// <summary>Two builds beside each other: the machines of B beside those of A, asked as a fleet's report asks about a build beside the others.</summary>
/// <param name="A">The first build.</param>
/// <param name="B">The second build.</param>
/// <param name="Week">Monday of the latest week with recordings; null where there is none.</param>
/// <param name="Since">Monday of the first week that was looked at.</param>
public sealed record BuildPair(string A, string B, string? Week, string? Since)
{
    /// <summary>What was asked, and what follows: ratios of B to A, differences first. None where one has no recording, or both are one.</summary>
    public IReadOnlyList<FleetChange> Changes { get; init; } = [];

    /// <summary>What was measured of A; null where there is no recording of it.</summary>
    public MeasuredBuild? MeasuredA { get; init; }

    /// <summary>What was measured of B; null where there is no recording of it.</summary>
    public MeasuredBuild? MeasuredB { get; init; }
}

/// <summary>
/// The figures of all builds, so that any two can be set beside each other: the store is asked once, and two are compared in milliseconds.
/// </summary>
public sealed class BuildPairs
{
    readonly string? _week;
    readonly string? _since;
    readonly ILookup<string, MachineFigure> _goodput;
    readonly ILookup<string, MachineFigure> _lost;
    readonly IReadOnlyList<MeasuredBuild> _measured;

    BuildPairs(string? week, string? since, FleetFigures? figures, IReadOnlyList<MeasuredBuild> measured)
    {
        (_week, _since, _measured) = (week, since, measured);
        _goodput = (figures?.Goodput() ?? []).ToLookup(figure => figure.Group, StringComparer.Ordinal);
        _lost = (figures?.TimeLost() ?? []).ToLookup(figure => figure.Group, StringComparer.Ordinal);
    }

    /// <summary>Reads the figures.</summary>
    /// <param name="store">The store.</param>
    /// <param name="weeks">How many weeks are looked at, the latest with recordings the last; 2 or more.</param>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    public static BuildPairs Of(IResultStore store, int weeks)
    {
        ArgumentNullException.ThrowIfNull(store);
        string? latest = FleetBuilder.MachinesOf(store, StoreFilter.All, out _).Select(one => one.Week).Max(StringComparer.Ordinal);
        if (latest is null)
        {
            return new(null, null, null, []);
        }

        string since = FleetFigures.Before(latest, weeks - 1);
        StoreFilter recent = StoreFilter.All.And("week", ConditionKind.Min, StoreValue.Of(since));
        return new(latest, since, new FleetFigures(store, "build", recent), new BuildMeasures(store, recent).All());
    }

    /// <summary>Sets two beside each other.</summary>
    /// <param name="a">The first build.</param>
    /// <param name="b">The second build.</param>
    public BuildPair Between(string a, string b) => new(a, b, _week, _since)
    {
        Changes = string.Equals(a, b, StringComparison.Ordinal) || !_lost.Contains(a) || !_lost.Contains(b) ? [] : Changed(a, b),
        MeasuredA = Measured(a),
        MeasuredB = Measured(b),
    };

    // The questions of the fleet's report about B, where A is all the others there are.
    FleetChange[] Changed(string a, string b)
    {
        List<MachineFigure> goodput = [.. _goodput[a], .. _goodput[b]];
        List<MachineFigure> lost = [.. _lost[a], .. _lost[b]];
        return FleetBuilder.Judged(
            [.. FleetBuilder.BesideOthers(FleetMetric.Goodput, b, goodput, new PathDifferences(goodput))],
            [.. FleetBuilder.BesideOthers(FleetMetric.TimeLost, b, lost, new PathDifferences(lost))]);
    }

    MeasuredBuild? Measured(string build) => _measured.FirstOrDefault(one => string.Equals(one.Build, build, StringComparison.Ordinal));
}
