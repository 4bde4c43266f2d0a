using System.Collections.Generic;
using System.Linq;
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

/// <summary>
/// Numbers to within one percent: steps of 2, 4 and 10 in their first three digits. Of many numbers few differ then, so that an engine can keep how often each
/// is there; and the middle of numbers so rounded is the middle of the numbers, rounded.
/// </summary>
static class CoarseNumber
{
    /// <summary>Numbers below this one stay as they are.</summary>
    public const long Min = 100;

    /// <summary>Numbers from this one on stay as they are: no path has such a rate.</summary>
    public const long Max = 10_000_000_000_000;

    /// <summary>Where each step begins to hold, ascending.</summary>
    public static IEnumerable<(long From, long Step)> Steps
    {
        get
        {
            for (long unit = 1; Min * unit < Max; unit *= 10)
            {
                yield return (Min * unit, 2 * unit);
                yield return (2 * Min * unit, 4 * unit);
                yield return (5 * Min * unit, 10 * unit);
            }
        }
    }

    /// <summary>Rounds a number, halves up.</summary>
    public static long Of(long value)
    {
        long step = 1;
        foreach ((long from, long next) in value < Max ? Steps : [])
        {
            step = value >= from ? next : step;
        }

        return (value + (step / 2)) / step * step;
    }
}
