using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Queries;

/// <summary>Which rows: each condition must hold.</summary>
/// <param name="Conditions">The conditions; none for all rows.</param>
public sealed record StoreFilter(IReadOnlyList<StoreCondition> Conditions)
{
    /// <summary>All rows.</summary>
    public static StoreFilter All { get; } = new([]);

    /// <summary>The same with one more condition.</summary>
    public StoreFilter And(string column, ConditionKind kind, StoreValue value) => new([.. Conditions, new(column, kind, value)]);

    /// <summary>Sees that a table has all columns asked about, of the kind asked about.</summary>
    /// <param name="table">The table.</param>
    /// <exception cref="StoreException">It does not.</exception>
    public void RequireOf(StoreTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        foreach ((StoreCondition condition, string name) in Conditions.SelectMany(condition =>
            condition.Or.Prepend(condition.Column).Select(name => (condition, name))))
        {
            StoreColumn column = table.Require(name);
            bool isNumber = column.Kind is ColumnKind.Number or ColumnKind.Flag;
            if (isNumber != (condition.Value.Number is not null))
            {
                throw new StoreException($"{column.Name}: expected {(isNumber ? "a number" : "a word")}, found '{condition.Value}'. {column.About}.");
            }
        }
    }
}

/// <summary>One condition; a row in which the column is not known does not fulfil it.</summary>
/// <param name="Column">The column.</param>
/// <param name="Kind">How it is compared.</param>
/// <param name="Value">With what.</param>
public sealed record StoreCondition(string Column, ConditionKind Kind, StoreValue Value)
{
    /// <summary>Columns of which any may fulfil it in place of the first.</summary>
    public IReadOnlyList<string> Or { get; init; } = [];
}

/// <summary>How a column is compared with a value.</summary>
public enum ConditionKind
{
    /// <summary>It is the value.</summary>
    Is,

    /// <summary>It is the value or more.</summary>
    Min,

    /// <summary>It is the value or less.</summary>
    Max,

    /// <summary>It is less than the value.</summary>
    Below,

    /// <summary>It begins with the text.</summary>
    BeginsWith,

    /// <summary>The text is a part of it; letters of ASCII small or large.</summary>
    Contains,
}

/// <summary>Which rows of a table, and which columns of them.</summary>
/// <param name="Table">The table.</param>
/// <param name="Columns">The columns in the order wished; empty for all.</param>
/// <param name="Filter">Which rows.</param>
public sealed record StoreQuery(StoreTable Table, IReadOnlyList<StoreColumn> Columns, StoreFilter Filter)
{
    /// <summary>All columns of some rows.</summary>
    public StoreQuery(StoreTable table, StoreFilter filter)
        : this(table, table.Columns, filter)
    {
    }

    /// <summary>The column by which rows are sorted before the key, the largest first; null for the key alone.</summary>
    public StoreColumn? Largest { get; init; }

    /// <summary>At most so many rows; null for all.</summary>
    public long? Limit { get; init; }

    /// <summary>Rows that are left out in front; of consequence with <see cref="Limit"/> alone.</summary>
    public long Skipped { get; init; }
}
