using System;
using System.Collections.Generic;
using System.Globalization;
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
    /// <summary>The number whose median is asked for, known in every row of the filter; null for none.</summary>
    public StoreColumn? Median { get; init; }
}

/// <summary>Writes aggregates in the SQL that all engines have in common: whole numbers, and windows for the median.</summary>
static class AggregateSql
{
    /// <summary>Writes an aggregate.</summary>
    /// <exception cref="StoreException">The table does not have what is asked for.</exception>
    public static SqlText Of(AggregateQuery query)
    {
        SqlText where = SelectSql.Where(query.Table, query.Filter);
        string[] keys = [.. query.Keys.Select(Expression)];
        string named = string.Join(", ", keys.Select((key, i) => Invariant($"{key} AS \"k{i}\"")));
        string sums = string.Concat(query.Sums.Select((column, i) => Invariant($", {SelectSql.Quoted(column.Name)} AS \"s{i}\"")));
        string inner = $"SELECT {named}{sums}{Ranked(query.Median, keys)} FROM {SelectSql.Quoted(query.Table.Name)}{where.Text}";
        string[] groups = [.. keys.Select((_, i) => Invariant($"\"k{i}\""))];
        string added = string.Concat(query.Sums.Select((_, i) => Invariant($", SUM(\"s{i}\")")));
        string middle = query.Median is null ? string.Empty : ", MAX(CASE WHEN 2 * \"r\" = \"n\" OR 2 * \"r\" = \"n\" + 1 THEN \"m\" END)";
        string all = string.Join(", ", groups);
        return where with { Text = $"SELECT {all}, COUNT(*){added}{middle} FROM ({inner}) AS \"x\" GROUP BY {all} ORDER BY {all}" };
    }

    // The place of a row in its group, and how many there are: the middle one is the median.
    static string Ranked(StoreColumn? median, string[] keys)
    {
        string partition = string.Join(", ", keys);
        return median is null
            ? string.Empty
            : $", {SelectSql.Quoted(median.Name)} AS \"m\", ROW_NUMBER() OVER (PARTITION BY {partition} ORDER BY {SelectSql.Quoted(median.Name)}) AS \"r\", "
                + $"COUNT(*) OVER (PARTITION BY {partition}) AS \"n\"";
    }

    static string Expression(GroupKey key)
    {
        string column = SelectSql.Quoted(key.Column.Name);
        if (key.Bounds.Count == 0)
        {
            return column;
        }

        IEnumerable<string> classes = key.Bounds.Select((bound, i) => Invariant($"WHEN {column} < {bound} THEN {i}"));
        return Invariant($"CASE WHEN {column} IS NULL THEN NULL {string.Join(' ', classes)} ELSE {key.Bounds.Count} END");
    }

    static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
