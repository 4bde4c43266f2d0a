using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Queries;

/// <summary>A statement and the values of its parameters <c>@p0</c>, <c>@p1</c> …; names in it are those of the schema, never of a user.</summary>
/// <param name="Text">The statement.</param>
/// <param name="Parameters">The values.</param>
sealed record SqlText(string Text, IReadOnlyList<StoreValue> Parameters);

/// <summary>Writes queries in the SQL that all engines have in common.</summary>
static class SelectSql
{
    // Behind every character that text holds.
    const char BeyondText = '\uffff';

    /// <summary>Writes a query of rows.</summary>
    /// <exception cref="StoreException">The table does not have what is asked for.</exception>
    public static SqlText Of(StoreQuery query)
    {
        SqlText where = Where(query.Table, query.Filter);
        var sql = new StringBuilder("SELECT ").AppendJoin(", ", query.Columns.Select(column => Quoted(column.Name)))
            .Append(CultureInfo.InvariantCulture, $" FROM {Quoted(query.Table.Name)}{where.Text} ORDER BY ");
        if (query.Largest is { } largest)
        {
            sql.Append(CultureInfo.InvariantCulture, $"{Quoted(largest.Name)} DESC, ");
        }

        sql.AppendJoin(", ", query.Table.Key.Select(Quoted));
        if (query.Limit is { } limit)
        {
            sql.Append(CultureInfo.InvariantCulture, $" LIMIT {limit} OFFSET {query.Skipped}");
        }

        return where with { Text = sql.ToString() };
    }

    /// <summary>Writes the condition of a filter, with WHERE in front; empty for all rows.</summary>
    /// <exception cref="StoreException">The table does not have what is asked for.</exception>
    public static SqlText Where(StoreTable table, StoreFilter filter)
    {
        filter.RequireOf(table);
        var parameters = new List<StoreValue>();
        string[] conditions = [.. filter.Conditions.Select(condition => Of(condition, parameters))];
        return new(conditions.Length == 0 ? string.Empty : $" WHERE {string.Join(" AND ", conditions)}", parameters);
    }

    /// <summary>A name as SQL writes it: <c>end</c> and others are words of SQL.</summary>
    public static string Quoted(string name) => $"\"{name}\"";

    static string Of(StoreCondition condition, List<StoreValue> parameters) => condition.Or.Count == 0 ? Of(condition.Column, condition, parameters)
        : $"({string.Join(" OR ", condition.Or.Prepend(condition.Column).Select(column => Of(column, condition, parameters)))})";

    static string Of(string name, StoreCondition condition, List<StoreValue> parameters)
    {
        string column = Quoted(name);
        return condition.Kind switch
        {
            ConditionKind.Min => $"{column} >= {Add(condition.Value)}",
            ConditionKind.Max => $"{column} <= {Add(condition.Value)}",
            ConditionKind.Below => $"{column} < {Add(condition.Value)}",
            ConditionKind.BeginsWith => $"{column} >= {Add(condition.Value)} AND {column} < {Add(StoreValue.Of(condition.Value.Text + BeyondText))}",
            ConditionKind.Contains => $"instr(lower({column}), lower({Add(condition.Value)})) > 0",
            _ => $"{column} = {Add(condition.Value)}",
        };

        string Add(StoreValue value)
        {
            parameters.Add(value);
            return string.Create(CultureInfo.InvariantCulture, $"@p{parameters.Count - 1}");
        }
    }
}
