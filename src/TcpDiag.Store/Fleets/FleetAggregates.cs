using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Fleets;

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
