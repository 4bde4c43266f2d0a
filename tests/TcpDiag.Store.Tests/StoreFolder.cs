using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;
using TcpDiag.Store.Tests.Servers;
using TcpDiag.Testing;

namespace TcpDiag.Store.Tests;

/// <summary>A folder for stores, removed in the end, and recordings to add to them.</summary>
sealed class StoreFolder : IDisposable
{
    readonly Dictionary<string, string> _databases = new(StringComparer.Ordinal);

    public string Path { get; } = Directory.CreateTempSubdirectory("tcpdiag-store-").FullName;

    public static IReadOnlyList<string> Recordings { get; } =
        [.. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng").Order(StringComparer.Ordinal)];

    public string Store => FileOf("results.db");

    public string FileOf(string name) => System.IO.Path.Combine(Path, name);

    public SqliteStore Open(TimeProvider? time = null) => SqliteStore.Open(Store, isCreated: true, time);

    /// <summary>Opens the folder's store, or the one of a name, as an engine has it.</summary>
    public IIngestStore Open(StoreEngine engine, string name = "results", TimeProvider? time = null) => engine == StoreEngine.Sqlite
        ? SqliteStore.Open(LocationOf(engine, name), isCreated: true, time)
        : ClickHouseStore.Open(LocationOf(engine, name), isCreated: true, time);

    /// <summary>Where a store of the folder is.</summary>
    public string LocationOf(StoreEngine engine, string name = "results")
    {
        if (engine == StoreEngine.Sqlite)
        {
            return FileOf($"{name}.db");
        }

        if (!_databases.TryGetValue(name, out string? database))
        {
            _databases[name] = database = SharedServer.NewDatabase();
        }

        return SharedServer.Server.Location(database);
    }

    /// <summary>A recording that differs from the fixture in nothing but its bytes: a comment behind its last block.</summary>
    public string Copy(string fixture, int number)
    {
        string path = FileOf(FormattableString.Invariant($"{number:D5}-{fixture}"));
        byte[] bytes = File.ReadAllBytes(ProjectFolder.Fixture(fixture));
        File.WriteAllBytes(path, [.. bytes, .. CustomBlock(number)]);
        return path;
    }

    public void Dispose()
    {
        foreach (string database in _databases.Values)
        {
            SharedServer.Server.Ask($"DROP DATABASE IF EXISTS {database}");
        }

        Directory.Delete(Path, recursive: true);
    }

    // pcapng: a custom block (draft-ietf-opsawg-pcapng §4.7) of four bytes, which no reader looks into.
    static byte[] CustomBlock(int number) =>
        [.. Words(0x00000BAD, 20, 32473, (uint)number, 20)];

    static IEnumerable<byte> Words(params uint[] words) => words.SelectMany(BitConverter.GetBytes);
}

/// <summary>Asks stores.</summary>
static class StoreAsking
{
    public static long CountOf(this IResultStore store, string table) => store.Count(StoreSchema.Find(table)!, StoreFilter.All);

    /// <summary>The values of one column, in the order of the key.</summary>
    public static StoreValue[] Column(this IResultStore store, string table, string column)
    {
        StoreTable found = StoreSchema.Find(table)!;
        return [.. store.Query(new StoreQuery(found, [found.Require(column)], StoreFilter.All)).Select(row => row[0])];
    }

    /// <summary>All rows of all tables that hold results, as text.</summary>
    public static string Dump(this IResultStore store) => string.Join('\n',
        from table in StoreSchema.Tables
        from row in store.Query(new StoreQuery(table, [.. table.Columns.Where(column => column.Name is not "added_ns")], StoreFilter.All))
        select $"{table.Name}: {string.Join('|', row.Select(value => value.ToString()))}");

    /// <summary>A result of one row in each of two tables, made up.</summary>
    public static ResultRows MadeUp(int number, Version? version = null, long begin = 0)
    {
        var head = new RowHead(FormattableString.Invariant($"{number:x64}"), begin, "m-1", null, "windows", "26100", null);
        StoreTable table = StoreSchema.Findings;
        StoreValue[] row = [.. table.Columns.Select(column => ValueOf(column, head))];
        return new(ResultKind.Analysis, head, version ?? new Version(1, 0), [new(table, [row])]);
    }

    /// <summary>A recording of machine m-1 with one finding.</summary>
    public static ResultRows Finding(int number, long begin, string finding)
    {
        ResultRows whole = MadeUp(number, begin: begin);
        StoreValue[] row = whole.Batches[0].Rows.Single();
        IReadOnlyList<StoreColumn> columns = StoreSchema.Findings.Columns;
        for (int i = 0; i < row.Length; i++)
        {
            row[i] = columns[i].Name switch
            {
                "finding" => StoreValue.Of(finding),
                "is_description" => StoreValue.Of(0),
                "lost_ns" => StoreValue.Of(1_000_000_000 / number),
                "machine" => StoreValue.Of(whole.Head.Machine),
                "week" => StoreValue.Of(whole.Head.Week),
                _ => row[i],
            };
        }

        StoreValue[] recording = [.. StoreSchema.Recordings.Columns.Select(column => column.Name switch
        {
            "is_simulated" => StoreValue.Of(0),
            "machine" => StoreValue.Of(whole.Head.Machine),
            "week" => StoreValue.Of(whole.Head.Week),
            _ => ValueOf(column, whole.Head),
        })];
        return whole with { Batches = [new(StoreSchema.Findings, [row]), new(StoreSchema.Recordings, [recording])] };
    }

    static StoreValue ValueOf(StoreColumn column, RowHead head) => column.Name switch
    {
        RowHead.SourceName => StoreValue.Of(head.Source),
        "started_ns" => StoreValue.Of(head.StartedNanos),
        "build" => StoreValue.Of(head.Build),
        "position" => StoreValue.Of(0),
        "finding" when column.Kind == ColumnKind.Word => StoreValue.Of("path-loss"),
        _ => StoreValue.None,
    };
}
