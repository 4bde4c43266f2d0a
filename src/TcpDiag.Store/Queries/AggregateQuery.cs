using System.Collections.Generic;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Queries;

/// <summary>What rows have in common: a value, or the class that a number falls into.</summary>
/// <param name="Column">The column.</param>
/// <param name="Bounds">Lower ends of the classes 1, 2 …, ascending; empty for the value itself. What is not known is a class of its own, none.</param>
public sealed record GroupKey(StoreColumn Column, IReadOnlyList<long> Bounds);

/// <summary>Counts, sums and a median of rows, by groups.</summary>
/// <param name="Table">The table.</param>
/// <param name="Keys">What the rows of a group have in common; at least one.</param>
/// <param name="Sums">Numbers to add up.</param>
/// <param name="Filter">Which rows.</param>
public sealed record AggregateQuery(StoreTable Table, IReadOnlyList<GroupKey> Keys, IReadOnlyList<StoreColumn> Sums, StoreFilter Filter)
{
    /// <summary>
    /// The number whose median is asked for, to within one percent (<see cref="CoarseNumber"/>); known in every row of the filter, and null for none.
    /// </summary>
    public StoreColumn? Median { get; init; }
}
