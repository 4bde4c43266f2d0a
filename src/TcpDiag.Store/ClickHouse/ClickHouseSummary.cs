using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// An aggregate that servers keep: a materialized view adds up each block of rows when it is inserted, by attempt, into a table of its own. Reports read that
/// table in place of the rows, of which it has some thousandth; an attempt that does not count does not count there either.
/// </summary>
/// <param name="kept">What is kept.</param>
sealed class ClickHouseSummary(KeptAggregate kept)
{
    const string Rows = "rows";
    const string ViewSuffix = "_view";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<ClickHouseSummary> All { get; } = [.. FleetAggregates.All.Select(one => new ClickHouseSummary(one))];

    /// <summary>The name of its table.</summary>
    public string Name => kept.Name;

    /// <summary>The name of its view.</summary>
    public string View => kept.Name + ViewSuffix;

    /// <summary>The conditions that a query has left when it is answered from here.</summary>
    public StoreFilter Rest(StoreFilter filter) => kept.Rest(filter);

    /// <summary>The one that covers a query; null where the rows must be read.</summary>
    public static ClickHouseSummary? Of(AggregateQuery query) => All.FirstOrDefault(summary => summary.Covers(query));

    /// <summary>Its table, but for when its rows are removed.</summary>
    public OwnTable Table => new(Name, string.Join(", ", Columns.Select(column => $"{SelectSql.Quoted(column.Name)} {column.Type}")),
        $"ifNull(\"build\", ''), ifNull(\"platform\", ''), \"{ClickHouseSchema.Attempt}\"", $"\"{ClickHouseSchema.Attempt}\"")
    {
        Partition = "\"week\"",
    };

    /// <summary>The statement that has a server keep it.</summary>
    public string CreateView(ClickHouseLayout layout) =>
        $"CREATE MATERIALIZED VIEW IF NOT EXISTS {SelectSql.Quoted(View)}{ClickHouseSchema.OnCluster(layout)} "
        + $"TO {In(layout, layout.LocalOf(Name))} AS {SelectFrom(In(layout, layout.LocalOf(kept.Table.Name)), string.Empty)}";

    /// <summary>The statement that adds up the rows of attempts that are there.</summary>
    public string FillFor(IEnumerable<long> attempts)
    {
        string list = string.Join(", ", attempts.Select(attempt => FormattableString.Invariant($"{(ulong)attempt}")));
        string names = string.Join(", ", Columns.Select(column => SelectSql.Quoted(column.Name)));
        return $"INSERT INTO {SelectSql.Quoted(Name)} ({names}) "
            + $"{SelectFrom(SelectSql.Quoted(kept.Table.Name), $"{SelectSql.Quoted(ClickHouseSchema.Attempt)} IN ({list})")}";
    }

    /// <summary>What a key of a query is here.</summary>
    public static string Expression(GroupKey key) => SelectSql.Quoted(NameOf(key));

    /// <summary>How many rows a group has.</summary>
    public const string Count = $"sum(\"{Rows}\")";

    /// <summary>A sum.</summary>
    public static string Sum(StoreColumn column) => $"sum({SelectSql.Quoted(SumOf(column))})";

    /// <summary>The lower of the two in the middle.</summary>
    public static string Median(StoreColumn column) => $"quantileExactWeighted(0.5)({SelectSql.Quoted(RoundedOf(column))}, toUInt64(\"{Rows}\"))";

    bool Covers(AggregateQuery query) => kept.Covers(query);

    IEnumerable<(string Name, string Type, string Value)> Columns =>
    [
        .. Groups,
        (Rows, "Int64", "toInt64(count())"),
        .. kept.Sums.Select(column => (SumOf(column), "Nullable(Int64)", $"sum({SelectSql.Quoted(column.Name)})")),
    ];

    // What the rows of one row here have in common.
    IEnumerable<(string Name, string Type, string Value)> Groups =>
    [
        (ClickHouseSchema.Attempt, "UInt64", SelectSql.Quoted(ClickHouseSchema.Attempt)),
        .. kept.Keys.Select(key => (NameOf(key), key.Bounds.Count > 0 ? "Nullable(Int64)"
            : ClickHouseSchema.TypeOf(key.Column), ClickHouseSql.Expression(key))),
        .. kept.Median is { } median ? [(RoundedOf(median), "Int64", Rounded($"assumeNotNull({SelectSql.Quoted(median.Name)})"))]
            : (ReadOnlySpan<(string, string, string)>)[],
    ];

    string SelectFrom(string table, string condition)
    {
        string columns = string.Join(", ", Columns.Select(column => $"{column.Value} AS {SelectSql.Quoted(column.Name)}"));
        string[] conditions = [.. kept.Conditions.Select(Of), .. condition.Length > 0 ? [condition] : (string[])[]];
        string where = conditions.Length > 0 ? $" WHERE {string.Join(" AND ", conditions)}" : string.Empty;
        return $"SELECT {columns} FROM {table}{where} GROUP BY {string.Join(", ", Groups.Select(column => column.Value))}";
    }

    // A statement for all servers of a cluster runs in no database.
    static string In(ClickHouseLayout layout, string table) => $"{SelectSql.Quoted(layout.Database)}.{SelectSql.Quoted(table)}";

    static string Of(StoreCondition condition) => condition is { Kind: ConditionKind.Min, Value.Number: { } number }
        ? string.Create(CultureInfo.InvariantCulture, $"{SelectSql.Quoted(condition.Column)} >= {number}")
        : throw new NotSupportedException($"a kept aggregate with a condition on {condition.Column}");

    /// <summary>A number as <see cref="CoarseNumber"/> rounds it.</summary>
    public static string Rounded(string value)
    {
        var cases = new List<string>();
        long before = 1;
        foreach ((long from, long step) in CoarseNumber.Steps.Append((CoarseNumber.Max, 1)))
        {
            cases.Add(string.Create(CultureInfo.InvariantCulture, $"{value} < {from}, intDiv({value} + {before / 2}, {before}) * {before}"));
            before = step;
        }

        return $"multiIf({string.Join(", ", cases)}, {value})";
    }

    static string NameOf(GroupKey key) => key.Bounds.Count > 0 ? $"{key.Column.Name}_class" : key.Column.Name;

    static string SumOf(StoreColumn column) => $"{column.Name}_sum";

    static string RoundedOf(StoreColumn column) => $"{column.Name}_rounded";
}
