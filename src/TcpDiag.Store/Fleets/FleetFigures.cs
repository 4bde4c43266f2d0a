using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Fleets;

/// <summary>One figure of a machine in a week.</summary>
/// <param name="Group">The group.</param>
/// <param name="Machine">The machine.</param>
/// <param name="Week">The week.</param>
/// <param name="Path">The class of paths; the same for all where the figure is of all paths.</param>
/// <param name="Log">Natural logarithm of the figure.</param>
sealed record MachineFigure(string Group, string Machine, string Week, PathClass Path, double Log);

/// <summary>The figures of a fleet, as the store adds them up: one for each machine, week and class of paths.</summary>
/// <param name="store">The store.</param>
/// <param name="by">The column of the groups.</param>
/// <param name="filter">Which recordings.</param>
sealed class FleetFigures(IResultStore store, string by, StoreFilter filter)
{
    // Added to shares of time, so that nothing has a ratio: 3.6 s of an hour.
    const double LittleTime = 1e-3;

    static readonly StoreTable Directions = StoreSchema.Directions;

    /// <summary>Transfers behind the figures of goodput.</summary>
    public long Transfers { get; private set; }

    /// <summary>Goodput: the median of a machine's transfers over paths of a class.</summary>
    public List<MachineFigure> Goodput()
    {
        var query = new AggregateQuery(
            Directions,
            [.. Keys(Directions), .. FleetAggregates.PathKeys],
            [],
            new([.. filter.Conditions, .. FleetAggregates.IsTransfer]))
        {
            Median = FleetAggregates.Goodput.Median,
        };
        var figures = new List<MachineFigure>();
        foreach (StoreValue[] row in store.Aggregate(query).Where(IsKnown))
        {
            Transfers += row[5].Number ?? 0;
            figures.Add(new(NameOf(row[0]), row[1].Text!, row[2].Text!, new((int?)row[3].Number, (int?)row[4].Number), Math.Log(row[6].Number ?? 1)));
        }

        return figures;
    }

    /// <summary>Time lost: that of a machine's findings in a week, over the time its transfers took.</summary>
    public List<MachineFigure> TimeLost()
    {
        Dictionary<(string, string, string), double> lost = Sums(StoreSchema.Findings, "lost_ns", filter.And("is_description", ConditionKind.Is,
            StoreValue.Of(0)));
        Dictionary<(string, string, string), double> active = Sums(Directions, "active_ns", filter);
        return
        [
            .. from entry in active
               where entry.Value > 0
               let key = entry.Key
               select new MachineFigure(key.Item1, key.Item2, key.Item3, default, Math.Log((lost.GetValueOrDefault(key) / entry.Value) + LittleTime)),
        ];
    }

    /// <summary>Time lost by finding, machine and week, nanoseconds.</summary>
    public IEnumerable<MachineFinding> Findings()
    {
        StoreTable table = StoreSchema.Findings;
        var query = new AggregateQuery(
            table,
            [new(table.Require("finding"), []), new(table.Require("machine"), []), new(table.Require("week"), [])],
            [table.Require("lost_ns")],
            filter.And("is_description", ConditionKind.Is, StoreValue.Of(0)));
        return store.Aggregate(query).Where(row => row[1].Text is not null && row[2].Text is not null)
            .Select(row => new MachineFinding(row[0].Text!, row[1].Text!, row[2].Text!, row[4].Number ?? 0));
    }

    Dictionary<(string, string, string), double> Sums(StoreTable table, string column, StoreFilter which) => store
        .Aggregate(new AggregateQuery(table, Keys(table), [table.Require(column)], which))
        .Where(IsKnown)
        .ToDictionary(row => (NameOf(row[0]), row[1].Text!, row[2].Text!), row => (double)(row[4].Number ?? 0));

    GroupKey[] Keys(StoreTable table) => [new(table.Require(by), []), new(table.Require("machine"), []), new(table.Require("week"), [])];

    static bool IsKnown(StoreValue[] row) => row[1].Text is not null && row[2].Text is not null;

    static string NameOf(StoreValue group) => group.IsNone ? "unknown" : group.ToString();

    /// <summary>The Monday a number of weeks before another one.</summary>
    public static string Before(string week, int weeks) =>
        DateOnly.ParseExact(week, "yyyy-MM-dd", CultureInfo.InvariantCulture).AddDays(-7 * weeks).ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
}

/// <summary>
/// What the reports of a fleet and of builds ask about directions, of which a store has the most rows. Who changes one of these changes the schema
/// (<see cref="StoreSchema.Version"/>): engines keep them.
/// </summary>
static class FleetAggregates
{
    // A transfer that fits a few windows tells the round trip, and no rate.
    const long FewestBytes = 100_000;

    static readonly StoreTable Directions = StoreSchema.Directions;

    // Of the result: what rows are grouped by, chosen by and removed by. The source is left out: an engine knows it by other means.
    static readonly GroupKey[] Heads =
        [.. RowHead.Columns.Select(head => Directions.Require(head.Column.Name)).Where(column => column.Name is not RowHead.SourceName)
            .Select(column => new GroupKey(column, []))];

    /// <summary>The class of a path.</summary>
    public static IReadOnlyList<GroupKey> PathKeys { get; } =
        [new(Directions.Require("round_trip_min_ns"), PathClass.RttBounds), new(Directions.Require("delivery_burst_bps"), PathClass.RateBounds)];

    /// <summary>Which end of a connection was recorded.</summary>
    public static GroupKey RecordedAt { get; } = new(Directions.Require("recorded_at"), []);

    /// <summary>Which directions tell a rate.</summary>
    public static IReadOnlyList<StoreCondition> IsTransfer { get; } =
        [new("unique_bytes", ConditionKind.Min, StoreValue.Of(FewestBytes)), new("goodput_bps", ConditionKind.Min, StoreValue.Of(1))];

    /// <summary>Goodput by class of paths.</summary>
    public static KeptAggregate Goodput { get; } = new("direction_goodput", Directions, [.. Heads, .. PathKeys], [], IsTransfer)
    {
        Median = Directions.Require("goodput_bps"),
    };

    /// <summary>Counts and times.</summary>
    public static KeptAggregate Sums { get; } = new("direction_sum", Directions, [.. Heads, RecordedAt], BuildShares.Columns, []);

    /// <summary>All of them.</summary>
    public static IReadOnlyList<KeptAggregate> All { get; } = [Goodput, Sums];
}
