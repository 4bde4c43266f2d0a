using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Sqlite;

/// <summary>The schema as SQLite has it: tables that are sorted by their key, so that the rows of a result lie together.</summary>
public static class SqliteSchema
{
    /// <summary>What tells a store from other files of SQLite (PRAGMA application_id): "tcpd".</summary>
    internal const int ApplicationId = 0x74637064;

    // What a store knows of itself, and how it came to its version.
    static readonly string[] Own =
    [
        "CREATE TABLE \"store_setting\" (\"name\" TEXT PRIMARY KEY, \"value\" TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE \"schema_version\" (\"version\" INTEGER PRIMARY KEY, \"applied_ns\" INTEGER NOT NULL, \"program\" TEXT NOT NULL)",
    ];

    /// <summary>The statements that bring a store to a version from the one before it; from 0, an empty file.</summary>
    /// <param name="version">The version.</param>
    /// <returns>The statements.</returns>
    public static IEnumerable<string> Steps(int version) =>
    [
        .. version switch { 1 => Own, 2 => [WorkLeases.Definition], _ => [] },
        .. StoreSchema.Tables.Where(table => table.Since == version).Select(table => Create(table, version)),
        .. from table in StoreSchema.Tables
           where table.Since < version
           from column in table.Columns
           where column.Since == version
           select $"ALTER TABLE {SelectSql.Quoted(table.Name)} ADD COLUMN {Define(column)}",
    ];

    static string Create(StoreTable table, int version)
    {
        IEnumerable<string> columns = table.Columns.Where(column => column.Since <= version).Select(Define);
        string key = string.Join(", ", table.Key.Select(SelectSql.Quoted));
        return $"CREATE TABLE {SelectSql.Quoted(table.Name)} ({string.Join(", ", columns)}, PRIMARY KEY ({key})) WITHOUT ROWID";
    }

    static string Define(StoreColumn column) =>
        $"{SelectSql.Quoted(column.Name)} "
            + $"{(column.Kind is ColumnKind.Number or ColumnKind.Flag ? "INTEGER" : "TEXT")}{(column.IsRequired ? " NOT NULL" : string.Empty)}";
}
