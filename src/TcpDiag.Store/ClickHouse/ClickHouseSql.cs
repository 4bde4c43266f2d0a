using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// Writes queries in the SQL of ClickHouse, with nothing that version 18 did not know: what is not known comes first in order as it does in SQLite, and the
/// median is an exact one.
/// </summary>
static class ClickHouseSql
{
    const char BeyondText = '\uffff';

    /// <summary>The attempts that count: of each result the one of the highest rank, unless it was removed.</summary>
    public const string Current =
        "\"attempt\" GLOBAL IN (SELECT argMax(\"attempt\", \"rank\") FROM \"result\" WHERE \"attempt\" GLOBAL NOT IN (SELECT \"attempt\" FROM \"removed\") "
            + "GROUP BY \"source\", \"kind\")";

    /// <summary>Writes a query of rows.</summary>
    /// <exception cref="StoreException">The table does not have what is asked for.</exception>
    public static ClickHouseQuestion Of(StoreQuery query)
    {
        (string where, GivenRows? given) = Where(query.Table, query.Filter);
        string table = SelectSql.Quoted(query.Table.Name);
        string largest = query.Largest is { } first ? $"{SelectSql.Quoted(first.Name)} DESC NULLS LAST, " : string.Empty;
        string order = $" ORDER BY {largest}{string.Join(", ", query.Table.Key.Select(SelectSql.Quoted))}";
        string limit = query.Limit is { } count ? Invariant($" LIMIT {count} OFFSET {query.Skipped}") : string.Empty;
        string chosen = query is { Largest: not null, Limit: not null } ? ByKeys(query, table, $"{where}{order}{limit}") + order : where + order + limit;
        return new($"SELECT {string.Join(", ", query.Columns.Select(Selected))} FROM {table}{chosen}", [.. query.Columns.Select(KindOf)]) { Given = given };
    }

    // Which rows of many are the largest their keys say, which are read of all; the other columns are read of those alone.
    static string ByKeys(StoreQuery query, string table, string chosen)
    {
        string keys = string.Join(", ", query.Table.Key.Where(name => name is not RowHead.SourceName).Prepend("attempt").Select(SelectSql.Quoted));
        var values = new List<StoreValue>();
        string[] conditions = [.. query.Filter.Conditions.Where(condition => !IsSearch(condition))
            .Select(condition => Of(query.Table, condition, values))]; // as numbered there
        string where = conditions.Length > 0 ? $" WHERE {string.Join(" AND ", conditions)}" : string.Empty; // the parts of the table that are looked at
        return $" PREWHERE ({keys}) GLOBAL IN (SELECT {keys} FROM {table}{chosen}){where}";
    }

    /// <summary>Writes a query of rows whose answer carries the names of its columns, for a format in which others read it.</summary>
    /// <exception cref="StoreException">The table does not have what is asked for.</exception>
    public static ClickHouseQuestion Named(StoreQuery query)
    {
        (string where, GivenRows? given) = Where(query.Table, query.Filter);
        string inner = string.Join(", ", query.Columns.Select((column, i) => Invariant($"{Selected(column)} AS \"c{i}\"")));
        IEnumerable<string> shown = query.Columns.Select((column, i) =>
            Invariant($"CAST(\"c{i}\" AS Nullable({(IsNumber(column) ? "Int64" : "String")})) AS {SelectSql.Quoted(column.Name)}"));
        string order = string.Join(", ", query.Table.Key.Select(SelectSql.Quoted));
        string text = $"SELECT {string.Join(", ", shown)} FROM (SELECT {inner} FROM {SelectSql.Quoted(query.Table.Name)}{where} ORDER BY {order})";
        return new(text, [.. query.Columns.Select(KindOf)]) { Given = given };
    }

    /// <summary>Writes a count of rows.</summary>
    /// <exception cref="StoreException">The table does not have what is asked for.</exception>
    public static ClickHouseQuestion Count(StoreTable table, StoreFilter filter)
    {
        (string where, GivenRows? given) = Where(table, filter);
        return new($"SELECT toInt64(count()) FROM {SelectSql.Quoted(table.Name)}{where}", [BinaryKind.Number]) { Given = given };
    }

    /// <summary>Writes an aggregate.</summary>
    /// <exception cref="StoreException">The table does not have what is asked for.</exception>
    public static ClickHouseQuestion Of(AggregateQuery query)
    {
        query.Filter.RequireOf(query.Table);
        return ClickHouseSummary.Of(query) is { } summary
            ? Of(query, summary.Name, summary.Rest(query.Filter), ClickHouseSummary.Expression, ClickHouseSummary.Count, ClickHouseSummary.Sum,
                ClickHouseSummary.Median)
            : Of(query, query.Table.Name, query.Filter, Expression, "toInt64(count())", column => $"sum({SelectSql.Quoted(column.Name)})", LowerMedian);
    }

    static ClickHouseQuestion Of(
        AggregateQuery query, string from, StoreFilter filter, Func<GroupKey, string> expression, string count, Func<StoreColumn, string> sum, Func<StoreColumn,
        string> middle)
    {
        (string where, GivenRows? given) = Where(query.Table, filter);
        string keys = string.Join(", ", query.Keys.Select((key, i) => Invariant($"{expression(key)} AS \"k{i}\"")));
        string sums = string.Concat(query.Sums.Select((column, i) => Invariant($", {sum(column)} AS \"s{i}\"")));
        string median = query.Median is { } asked ? $", {middle(asked)} AS \"m\"" : string.Empty;
        string groups = string.Join(", ", query.Keys.Select((_, i) => Invariant($"\"k{i}\"")));
        string order = string.Join(", ", query.Keys.Select((_, i) => Invariant($"\"k{i}\" ASC NULLS FIRST")));
        string inner = $"SELECT {keys}, {count} AS \"n\"{sums}{median} FROM {SelectSql.Quoted(from)}{where} GROUP BY {groups} ORDER BY {order}";
        IEnumerable<string> shown = query.Keys.Select(Shown)
            .Append("\"n\"")
            .Concat(query.Sums.Select((_, i) => Invariant($"CAST(\"s{i}\" AS Nullable(Int64))")))
            .Concat(query.Median is null ? [] : ["CAST(\"m\" AS Nullable(Int64))"]);
        BinaryKind[] kinds =
        [
            .. query.Keys.Select(key => IsNumber(key.Column) ? BinaryKind.OptionalNumber : BinaryKind.OptionalText),
            BinaryKind.Number, .. query.Sums.Select(_ => BinaryKind.OptionalNumber), .. query.Median is null ? (BinaryKind[])[] : [BinaryKind.OptionalNumber],
        ];
        return new($"SELECT {string.Join(", ", shown)} FROM ({inner})", kinds) { Given = given };
    }

    /// <summary>Writes which attempts of results count and are chosen by a filter.</summary>
    /// <exception cref="StoreException">The table of results does not have what is asked for.</exception>
    public static ClickHouseQuestion Attempts(StoreFilter filter)
    {
        (string where, GivenRows? given) = Where(StoreSchema.Results, filter);
        return new($"SELECT DISTINCT \"attempt\" FROM \"result\"{where}", [BinaryKind.Number]) { Given = given };
    }

    /// <summary>Writes which attempts count and have no row in a table.</summary>
    public static ClickHouseQuestion AttemptsWithout(string table) =>
        new($"SELECT DISTINCT \"attempt\" FROM \"result\" WHERE {Current} AND \"attempt\" GLOBAL NOT IN (SELECT \"attempt\" FROM {SelectSql.Quoted(table)})",
            [BinaryKind.Number]);

    /// <summary>Writes which results of sources are there: source, kind and version.</summary>
    public static ClickHouseQuestion Versions(IEnumerable<string> sources) => new(
        "SELECT \"source\", CAST(\"kind\" AS String), argMax(CAST(\"version\" AS Nullable(String)), \"rank\") FROM \"result\" WHERE \"source\" GLOBAL IN "
            + "(SELECT \"p0\" FROM \"given\") "
        + "AND \"attempt\" GLOBAL NOT IN (SELECT \"attempt\" FROM \"removed\") GROUP BY \"source\", \"kind\"",
        [BinaryKind.Text, BinaryKind.Text, BinaryKind.OptionalText])
    {
        Given = new([GivenColumn.Text("p0")], [.. sources.Select(source => (StoreValue[])[StoreValue.Of(source)])]),
    };

    /// <summary>Writes the condition that rows count and a filter holds, with WHERE in front.</summary>
    static (string Text, GivenRows? Given) Where(StoreTable table, StoreFilter filter)
    {
        filter.RequireOf(table);
        var values = new List<StoreValue>();
        string[] conditions = [.. filter.Conditions.OrderBy(IsSearch).Select(condition => Of(table, condition, values))];

        // A search is made before other columns are read: few rows are left then.
        string where = filter.Conditions.Any(IsSearch) ? $" PREWHERE {string.Join(" AND ", conditions)} WHERE {Current}"
            : $" WHERE {string.Join(" AND ", [.. conditions, Current])}";
        GivenColumn[] columns = [.. values.Select((value, i) =>
            value.Number is null ? GivenColumn.Text(Invariant($"p{i}")) : GivenColumn.Number(Invariant($"p{i}")))];
        return (where, columns.Length == 0 ? null : new(columns, [[.. values]]));
    }

    static bool IsSearch(StoreCondition condition) => condition.Kind == ConditionKind.Contains;

    static string Of(StoreTable table, StoreCondition condition, List<StoreValue> values) =>
        $"({string.Join(" OR ", condition.Or.Prepend(condition.Column).Select(name => Of(table.Require(name), condition, values)))})";

    static string Of(StoreColumn column, StoreCondition condition, List<StoreValue> values)
    {
        string name = SelectSql.Quoted(column.Name);
        string value = Add(condition.Value);
        string known = column.Kind == ColumnKind.Day ? $"{name} != '' AND " : string.Empty;
        return condition.Kind switch
        {
            ConditionKind.Min => $"{name} >= {value}",
            ConditionKind.Max => $"{known}{name} <= {value}",
            ConditionKind.Below => $"{known}{name} < {value}",
            ConditionKind.BeginsWith => $"{name} >= {value} AND {name} < {Add(StoreValue.Of(condition.Value.Text + BeyondText))}",

            ConditionKind.Contains => $"positionCaseInsensitive({name}, {value}) > 0",

            // The second form is what rows are sorted by.
            _ when column is { Kind: ColumnKind.Word, IsRequired: false } => $"{name} = {value} AND ifNull({name}, '') = {value}",
            _ => $"{known}{name} = {value}",
        };

        string Add(StoreValue added)
        {
            values.Add(added);
            return Invariant($"(SELECT \"p{values.Count - 1}\" FROM \"given\")");
        }
    }

    static string Selected(StoreColumn column) => column.Kind == ColumnKind.Day ? $"nullIf(toString({SelectSql.Quoted(column.Name)}), '')"
        : SelectSql.Quoted(column.Name);

    static BinaryKind KindOf(StoreColumn column) => column.Kind == ColumnKind.Day ? BinaryKind.OptionalText : ClickHouseSchema.KindOf(column);

    /// <summary>What a key is of a row: of a number with lower ends, how many of them it has reached.</summary>
    internal static string Expression(GroupKey key)
    {
        string column = SelectSql.Quoted(key.Column.Name);
        return key.Bounds.Count == 0 ? column
            : $"if(isNull({column}), NULL, toInt64({string.Join(" + ", key.Bounds.Select(bound => Invariant($"(assumeNotNull({column}) >= {bound})")))}))";
    }

    static string Shown(GroupKey key, int number)
    {
        string name = Invariant($"\"k{number}\"");
        return key.Column.Kind == ColumnKind.Day ? $"nullIf(toString({name}), '')" : $"CAST({name} AS Nullable({(IsNumber(key.Column) ? "Int64" : "String")}))";
    }

    // quantileExact takes the upper of the two in the middle: of the numbers turned round it is the lower one.
    static string LowerMedian(StoreColumn column) =>
        ClickHouseSummary.Rounded($"bitNot(quantileExact(0.5)(bitNot(assumeNotNull({SelectSql.Quoted(column.Name)}))))");

    static bool IsNumber(StoreColumn column) => column.Kind is ColumnKind.Number or ColumnKind.Flag;

    static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>A statement that asks for rows.</summary>
/// <param name="Text">The statement; names in it are those of the schema, never of a user.</param>
/// <param name="Kinds">What its columns are.</param>
sealed record ClickHouseQuestion(string Text, BinaryKind[] Kinds)
{
    /// <summary>The external table <c>given</c> that goes with it; null for none.</summary>
    public GivenRows? Given { get; init; }
}

/// <summary>Rows that a statement reads beside those of the server.</summary>
/// <param name="Columns">Their columns.</param>
/// <param name="Rows">The rows.</param>
sealed record GivenRows(IReadOnlyList<GivenColumn> Columns, IReadOnlyList<StoreValue[]> Rows);

/// <summary>A column of rows that are given.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type">Its type.</param>
/// <param name="Kind">How it is written.</param>
sealed record GivenColumn(string Name, string Type, BinaryKind Kind)
{
    /// <summary>A column of numbers.</summary>
    public static GivenColumn Number(string name) => new(name, "Int64", BinaryKind.Number);

    /// <summary>A column of texts.</summary>
    public static GivenColumn Text(string name) => new(name, "String", BinaryKind.Text);
}
