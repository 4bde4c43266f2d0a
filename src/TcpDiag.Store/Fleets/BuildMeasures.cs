using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Fleets;

/// <summary>Measures builds: what the store adds up by build and machine, as medians over machines.</summary>
/// <param name="store">The store.</param>
/// <param name="filter">Which recordings, by columns that every table has.</param>
public sealed class BuildMeasures(IResultStore store, StoreFilter filter)
{
    // A component that every scored sender has a row of, so that senders are counted by it.
    const string OfEachSender = "late-within-window";

    static readonly StoreColumn[] None = [];

    /// <summary>Measures all builds of which a machine and a time are known.</summary>
    /// <returns>A build each, by platform and name.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    public IReadOnlyList<MeasuredBuild> All()
    {
        ILookup<BuildKey, Sums> directions = Lookup(StoreSchema.Directions, BuildShares.Columns, filter, FleetAggregates.RecordedAt.Column.Name);
        ILookup<BuildKey, Sums> findings = Lookup(
            StoreSchema.Findings, [StoreSchema.Findings.Require(BuildShares.Lost)], filter.And("is_description", ConditionKind.Is, StoreValue.Of(0)), "week");
        ILookup<BuildKey, (string, Proportion)> scores = Scores();
        ILookup<BuildKey, (string, long)> fingerprints = Fingerprints();
        return
        [
            .. Recordings().Select(build => build with
            {
                Shares = Shares(directions[KeyOf(build)], findings[KeyOf(build)].ToLookup(one => one.Machine, StringComparer.Ordinal)),
                Scores = [.. scores[KeyOf(build)]],
                Fingerprints = [.. fingerprints[KeyOf(build)].OrderByDescending(one => one.Item2)],
            }),
        ];
    }

    IEnumerable<MeasuredBuild> Recordings()
    {
        StoreTable table = StoreSchema.Recordings;
        StoreFilter real = filter.And("is_simulated", ConditionKind.Is, StoreValue.Of(0));
        return store.Aggregate(new AggregateQuery(table, Keys(table, "week"), None, real))
            .Where(row => IsKnown(row) && !row[3].IsNone)
            .GroupBy(KeyOf)
            .Select(build => new MeasuredBuild(build.Key.Platform, build.Key.Build)
            {
                Recordings = build.Sum(row => row[4].Number ?? 0),
                Machines = build.Select(row => row[2].Text).Distinct(StringComparer.Ordinal).Count(),
                FirstWeek = build.Min(row => row[3].Text)!,
                LastWeek = build.Max(row => row[3].Text)!,
            });
    }

    ILookup<BuildKey, Sums> Lookup(StoreTable table, IReadOnlyList<StoreColumn> columns, StoreFilter which, string parted) => store
        .Aggregate(new AggregateQuery(table, Keys(table, parted), columns, which))
        .Where(IsKnown)
        .ToLookup(KeyOf, row => new Sums(row[2].Text!, row[3].Text, columns.Zip(row.Skip(5))
            .ToDictionary(pair => pair.First.Name, pair => pair.Second.Number, StringComparer.Ordinal)));

    ILookup<BuildKey, (string, Proportion)> Scores()
    {
        StoreTable table = StoreSchema.Find("score")!;
        var query = new AggregateQuery(table, Keys(table, "component"), [table.Require("hits"), table.Require("trials")], filter);
        return store.Aggregate(query).Where(IsKnown)
            .GroupBy(row => (Key: KeyOf(row), Component: row[3].Text!))
            .Select(group => (group.Key.Key, group.Key.Component, new Proportion(group.Sum(row => row[5].Number ?? 0), group.Sum(row => row[6].Number ?? 0))))
            .Where(one => one.Item3.Trials > 0)
            .ToLookup(one => one.Key, one => (one.Component, one.Item3));
    }

    ILookup<BuildKey, (string, long)> Fingerprints()
    {
        StoreTable table = StoreSchema.Find("score")!;
        StoreFilter one = filter.And("component", ConditionKind.Is, StoreValue.Of(OfEachSender));
        return store.Aggregate(new AggregateQuery(table, Keys(table, "fingerprint"), None, one)).Where(row => IsKnown(row) && !row[3].IsNone)
            .GroupBy(row => (Key: KeyOf(row), Fingerprint: row[3].Text!))
            .ToLookup(group => group.Key.Key, group => (group.Key.Fingerprint, group.Sum(row => row[4].Number ?? 0)));
    }

    static MachineShare[] Shares(IEnumerable<Sums> directions, ILookup<string, Sums> findings)
    {
        ILookup<string, Sums> machines = directions.ToLookup(one => one.Machine, StringComparer.Ordinal);
        return
        [
            .. BuildShares.All.Select(share => MachineShare.Of(
            [
                .. from machine in machines
                   let counted = machine.Where(one => share.Counts(one.Parted))
                   let whole = counted.Sum(one => one.Of(share.Whole))
                   where whole > 0
                   select (share.Parts is [BuildShares.Lost] ? findings[machine.Key] : counted).Sum(one => one.Of(share.Parts)) / whole,
            ])),
        ];
    }

    static GroupKey[] Keys(StoreTable table, params string[] more) =>
        [.. ((string[])["platform", "build", "machine", .. more]).Select(name => new GroupKey(table.Require(name), []))];

    static bool IsKnown(StoreValue[] row) => !row[1].IsNone && !row[2].IsNone;

    static BuildKey KeyOf(StoreValue[] row) => new(row[0].Text, row[1].Text!);

    static BuildKey KeyOf(MeasuredBuild build) => new(build.Platform, build.Build);

    sealed record BuildKey(string? Platform, string Build);

    /// <summary>What a machine's rows add up to, parted by which end was recorded, or by week.</summary>
    sealed record Sums(string Machine, string? Parted, Dictionary<string, long?> Columns)
    {
        public double Of(IReadOnlyList<string> names) => names.Sum(name => (double)(Columns[name] ?? 0));
    }
}
