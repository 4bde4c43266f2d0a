using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>How the tables of a store lie in ClickHouse.</summary>
/// <param name="Cluster">The cluster over which they are spread; null for one server.</param>
/// <param name="IsReplicated">Whether each shard has copies, kept alike by a keeper.</param>
/// <param name="TtlDays">After how many days the server removes rows; null for never.</param>
/// <param name="Database">The database.</param>
public sealed record ClickHouseLayout(string? Cluster = null, bool IsReplicated = false, int? TtlDays = null, string Database = "tcpdiag")
{
    /// <summary>Ends the names of tables that hold rows, where the table of the plain name spreads them over a cluster.</summary>
    public const string LocalSuffix = "_local";

    /// <summary>Whether a text is a name of a cluster or a database: letters, digits and _.</summary>
    /// <param name="name">The text.</param>
    /// <returns>True where it is.</returns>
    public static bool IsName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.Length is > 0 and <= 64 && !char.IsAsciiDigit(name[0]) && name.All(letter => char.IsAsciiLetterOrDigit(letter) || letter == '_');
    }

    /// <summary>The table on one server that holds a table's rows.</summary>
    /// <param name="table">The table.</param>
    /// <returns>Its name.</returns>
    public string LocalOf(string table) => Cluster is null ? table : table + LocalSuffix;
}

/// <summary>
/// The schema as ClickHouse has it. Rows are only ever added: each names the attempt in which it came, and those count whose attempt the table of results names
/// (docs/decisions/0040).
/// </summary>
public static class ClickHouseSchema
{
    /// <summary>Names the attempt in which a row was added.</summary>
    internal const string Attempt = "attempt";

    /// <summary>By which of several attempts of a result in the table of results counts: the largest.</summary>
    internal const string Rank = "rank";

    /// <summary>The table of attempts whose results were removed.</summary>
    internal const string Removed = "removed";

    /// <summary>The table of schema versions.</summary>
    internal const string VersionTable = "schema_version";

    /// <summary>The view that holds the key of the pseudonyms: the only statement of which ClickHouse lets one of several win.</summary>
    internal const string KeyView = "redaction_key";

    // What a store knows of itself, and who reads which file.
    static readonly OwnTable[] Own =
    [
        new(VersionTable, "\"version\" Int64, \"applied_ns\" Int64, \"program\" String", "\"version\"", "\"version\""),
        new(Removed, "\"attempt\" UInt64, \"removed_ns\" Int64", "\"attempt\"", "\"attempt\""),
        ClickHouseLeases.Files, ClickHouseLeases.Owners,
    ];

    /// <summary>The statements that make the tables of a new store; each may be run again.</summary>
    /// <param name="layout">How they lie.</param>
    /// <returns>The statements.</returns>
    public static IEnumerable<string> Statements(ClickHouseLayout layout)
    {
        ArgumentNullException.ThrowIfNull(layout);
        return [.. Tables(layout), .. Summaries(layout)];
    }

    /// <summary>The statements that make the tables of results and what a store knows of itself.</summary>
    internal static IEnumerable<string> Tables(ClickHouseLayout layout) =>
        StoreSchema.Tables.Select(table => TableOf(table, layout)).Concat(Own).SelectMany(table => Create(table, layout));

    /// <summary>The statements that have servers keep what reports ask for; they may be run again where nothing was ever added.</summary>
    internal static IEnumerable<string> Summaries(ClickHouseLayout layout) => ClickHouseSummary.All
        .SelectMany(summary => Create(summary.Table with { Ttl = TtlOf(layout) }, layout).Append(summary.CreateView(layout)));

    /// <summary>The statements that take away what <see cref="Summaries"/> makes.</summary>
    internal static IEnumerable<string> DropSummaries(ClickHouseLayout layout) => ClickHouseSummary.All
        .SelectMany(summary => new[] { summary.View, summary.Name, layout.LocalOf(summary.Name) })
        .Distinct(StringComparer.Ordinal)
        .Select(name => $"DROP TABLE IF EXISTS {SelectSql.Quoted(name)}{OnCluster(layout)}");

    /// <summary>The statements that add a column to a table that has it not.</summary>
    internal static IEnumerable<string> Add(StoreTable table, StoreColumn column, ClickHouseLayout layout)
    {
        string added = $"ADD COLUMN {SelectSql.Quoted(column.Name)} {TypeOf(column)}";
        return layout.Cluster is null
            ? [$"ALTER TABLE {SelectSql.Quoted(table.Name)} {added}"]
            : [$"ALTER TABLE {SelectSql.Quoted(layout.LocalOf(table.Name))}{OnCluster(layout)} {added}",
                $"ALTER TABLE {SelectSql.Quoted(table.Name)}{OnCluster(layout)} {added}"];
    }

    /// <summary>How a column is written and read.</summary>
    internal static BinaryKind KindOf(StoreColumn column) => column.Kind switch
    {
        ColumnKind.Number or ColumnKind.Flag => column.IsRequired ? BinaryKind.Number : BinaryKind.OptionalNumber,
        ColumnKind.Day => BinaryKind.Text,
        _ => column.IsRequired ? BinaryKind.Text : BinaryKind.OptionalText,
    };

    /// <summary>Behind a statement that is to run on all servers of a cluster that a keeper holds together.</summary>
    internal static string OnCluster(ClickHouseLayout layout) => layout.IsReplicated ? $" ON CLUSTER {SelectSql.Quoted(layout.Cluster!)}" : string.Empty;

    static OwnTable TableOf(StoreTable table, ClickHouseLayout layout)
    {
        bool isResult = table == StoreSchema.Results;
        IEnumerable<string> columns = table.Columns.Select(column => $"{SelectSql.Quoted(column.Name)} {TypeOf(column)}")
            .Prepend($"{SelectSql.Quoted(Attempt)} UInt64").Concat(isResult ? [$"{SelectSql.Quoted(Rank)} String"] : []);
        string key = string.Join(", ", table.Key.Select(SelectSql.Quoted));
        return new(table.Name, string.Join(", ", columns), $"ifNull(\"build\", ''), ifNull(\"platform\", ''), {key}", "\"source\"")
        {
            Partition = "\"week\"",
            Ttl = TtlOf(layout),
        };
    }

    static string TtlOf(ClickHouseLayout layout) =>
        layout.TtlDays is { } days ? FormattableString.Invariant($" TTL {BeganOn} + INTERVAL {days} DAY") : string.Empty;

    // A recording of no known time stays.
    const string BeganOn = "toDateTime(least(greatest(ifNull(intDiv(\"started_ns\", 1000000000), 4294967295), 0), 4294967295))";

    static IEnumerable<string> Create(OwnTable table, ClickHouseLayout layout)
    {
        string local = layout.LocalOf(table.Name);
        string engine = layout.IsReplicated ? $"ReplicatedMergeTree('/clickhouse/tables/{{shard}}/{layout.Database}/{local}', '{{replica}}')" : "MergeTree()";
        string partition = table.Partition is { } by ? $" PARTITION BY {by}" : string.Empty;
        yield return $"CREATE TABLE IF NOT EXISTS {SelectSql.Quoted(local)}{OnCluster(layout)} ({table.Columns}) ENGINE = {engine}{partition} ORDER BY "
            + $"({table.Order}){table.Ttl}";
        if (layout.Cluster is { } cluster)
        {
            yield return $"CREATE TABLE IF NOT EXISTS {SelectSql.Quoted(table.Name)}{OnCluster(layout)} ({table.Columns}) "
                + $"ENGINE = Distributed({SelectSql.Quoted(cluster)}, {SelectSql.Quoted(layout.Database)}, {SelectSql.Quoted(local)}, "
                + $"cityHash64({table.Shard}))";
        }
    }

    /// <summary>
    /// The type of a column. Names repeat: a dictionary of each part holds them. A week is never empty, so that nothing stands for none, and rows can be parted
    /// by it.
    /// </summary>
    internal static string TypeOf(StoreColumn column) => column.Kind switch
    {
        ColumnKind.Number or ColumnKind.Flag => column.IsRequired ? "Int64" : "Nullable(Int64)",
        ColumnKind.Day => "LowCardinality(String)",
        ColumnKind.Word => column.IsRequired ? "LowCardinality(String)" : "LowCardinality(Nullable(String))",
        _ => column.IsRequired ? "String" : "Nullable(String)",
    };
}

/// <summary>A table as ClickHouse makes it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Columns">Columns with their types.</param>
/// <param name="Order">What its rows are sorted by.</param>
/// <param name="Shard">What decides on which shard of a cluster a row lies.</param>
sealed record OwnTable(string Name, string Columns, string Order, string Shard)
{
    /// <summary>What its rows are parted by; null for one part.</summary>
    public string? Partition { get; init; }

    /// <summary>When its rows are removed; empty for never.</summary>
    public string Ttl { get; init; } = string.Empty;
}
