using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Queries;

/// <summary>
/// An aggregate that reports ask for again and again, over other weeks and groups. An engine for many rows may keep it for each result beside the rows, and
/// answer from it every query that it covers: the figures are the same.
/// </summary>
/// <param name="Name">Its name.</param>
/// <param name="Table">Rows of this table.</param>
/// <param name="Keys">What they have in common.</param>
/// <param name="Sums">What is added up.</param>
/// <param name="Conditions">Which rows.</param>
sealed record KeptAggregate(
    string Name, StoreTable Table, IReadOnlyList<GroupKey> Keys, IReadOnlyList<StoreColumn> Sums, IReadOnlyList<StoreCondition> Conditions)
{
    /// <summary>The number whose median can be asked for; null for none.</summary>
    public StoreColumn? Median { get; init; }

    /// <summary>Whether a query can be answered from it.</summary>
    public bool Covers(AggregateQuery query) => query.Table == Table && query.Median == Median
        && query.Keys.All(key => Keys.Any(kept => IsSame(kept, key)))
        && query.Sums.All(Sums.Contains)
        && Conditions.All(query.Filter.Conditions.Contains)
        && Rest(query.Filter).Conditions.All(condition => Keys.Any(kept => kept.Bounds.Count == 0 && kept.Column == Table.Find(condition.Column)));

    /// <summary>The conditions of a filter that it does not have itself.</summary>
    public StoreFilter Rest(StoreFilter filter) => new([.. filter.Conditions.Where(condition => !Conditions.Contains(condition))]);

    static bool IsSame(GroupKey one, GroupKey other) => one.Column == other.Column && one.Bounds.SequenceEqual(other.Bounds);
}
