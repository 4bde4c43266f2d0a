using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Tests;

/// <summary>What ails a made-up fleet.</summary>
/// <param name="Seed">Of all chances.</param>
/// <param name="Machines">How many; each is of one build and has one adapter.</param>
/// <param name="Weeks">How many weeks.</param>
/// <param name="Transfers">Transfers of a machine in a week.</param>
sealed record FleetPlan(int Seed, int Machines, int Weeks, int Transfers)
{
    /// <summary>Factor on the goodput of the last build at the longest round trips; 1 for none.</summary>
    public double Regression { get; init; } = 1;

    /// <summary>Whether the last adapter reorders: its machines lose time to it.</summary>
    public bool HasBadNic { get; init; }

    /// <summary>Factor on the goodput of the first build in the last week.</summary>
    public double LastWeek { get; init; } = 1;
}

/// <summary>
/// Made-up fleets: machines, each with a speed of its own, over weeks. Transfers of a machine have in common what it is, and differ by chance; so do weeks of
/// one machine.
/// </summary>
static class MadeFleet
{
    static readonly string[] Builds = ["19045", "22000", "22621", "22631", "26100", "26200"];
    static readonly string[] Nics = ["nic-a", "nic-b", "nic-c"];
    static readonly long[] RoundTrips = [1_000_000, 20_000_000, 120_000_000];

    static readonly DateTimeOffset FirstMonday = new(2026, 8, 31, 6, 0, 0, TimeSpan.Zero);

    /// <summary>The results of a fleet: one recording for each machine and week.</summary>
    public static IEnumerable<ResultRows> Results(FleetPlan plan)
    {
        for (int machine = 0; machine < plan.Machines; machine++)
        {
            var random = new Random((plan.Seed * 1_000_003) + machine);
            double own = Math.Exp(0.2 * Normal(random));
            for (int week = 0; week < plan.Weeks; week++)
            {
                yield return Recording(plan, machine, week, own * Math.Exp(0.05 * Normal(random)), random);
            }
        }
    }

    static ResultRows Recording(FleetPlan plan, int machine, int week, double speed, Random random)
    {
        string build = Builds[machine % Builds.Length];
        string nic = Nics[machine / Builds.Length % Nics.Length];
        long began = (FirstMonday.AddDays(7 * week) - DateTimeOffset.UnixEpoch).Ticks * 100;
        var head = new RowHead(FormattableString.Invariant($"{plan.Seed:x8}{machine:x28}{week:x28}"), began, FormattableString.Invariant($"m-{machine:d4}"),
            null, "windows", build, nic);
        double factor = string.Equals(build, Builds[0], StringComparison.Ordinal) && week == plan.Weeks - 1 ? plan.LastWeek : 1;
        StoreValue[][] directions = [.. Enumerable.Range(0, plan.Transfers).Select(i => Direction(plan, head, i, speed * factor, random))];
        bool isBad = plan.HasBadNic && string.Equals(nic, Nics[^1], StringComparison.Ordinal);
        long lost = (long)(1e9 * plan.Transfers * (isBad ? 0.5 : 0.1) * Math.Exp(0.3 * Normal(random)));
        StoreValue[] finding = Row(StoreSchema.Findings, head, ("position", 0), ("finding", isBad ? "path-reordering" : "path-loss"), ("lost_ns", lost),
            ("is_description", 0));
        StoreValue[] recording = Row(StoreSchema.Recordings, head, ("is_simulated", 0), ("connections", plan.Transfers));
        return new(ResultKind.Analysis, head, new Version(1, 0),
            [new(StoreSchema.Recordings, [recording]), new(StoreSchema.Directions, directions), new(StoreSchema.Findings, [finding])]);
    }

    static StoreValue[] Direction(FleetPlan plan, RowHead head, int number, double speed, Random random)
    {
        int path = number % RoundTrips.Length;
        bool isSlower = string.Equals(head.Build, Builds[^1], StringComparison.Ordinal) && path == RoundTrips.Length - 1;
        double goodput = 40e6 * speed * Math.Exp(0.3 * Normal(random)) * (isSlower ? plan.Regression : 1);
        return Row(
            StoreSchema.Directions, head, ("connection", number), ("sender", "client"), ("round_trip_min_ns", RoundTrips[path]), ("unique_bytes", 10_000_000),
            ("goodput_bps", (long)goodput), ("active_ns", 2_000_000_000), ("delivery_burst_bps", 100_000_000));
    }

    static StoreValue[] Row(StoreTable table, RowHead head, params (string Column, object Value)[] values)
    {
        Dictionary<string, object> known = values.ToDictionary(value => value.Column, value => value.Value, StringComparer.Ordinal);
        Dictionary<string, StoreValue> ofHead = RowHead.Columns.ToDictionary(entry => entry.Column.Name, entry => entry.Value(head), StringComparer.Ordinal);
        return
        [
            .. table.Columns.Select(column => ofHead.TryGetValue(column.Name, out StoreValue value) ? value
                : !known.TryGetValue(column.Name, out object? given) ? StoreValue.None
                : given is string text ? StoreValue.Of(text) : StoreValue.Of(Convert.ToInt64(given, System.Globalization.CultureInfo.InvariantCulture))),
        ];
    }

    // Box and Muller 1958.
    static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
