using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Redaction;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Sqlite;

/// <summary>
/// A store in one file. Any number of processes may use it at once: readers see what was complete when they began, writers wait for each other, and one that is
/// killed leaves nothing of what it had begun. Not on network drives: SQLite's locks do not hold there. Not thread-safe: one for each thread.
/// </summary>
public sealed class SqliteStore : IIngestStore
{
    readonly SqliteDatabase _database;
    readonly TimeProvider _time;

    SqliteStore(string path, SqliteDatabase database, TimeProvider time)
    {
        Location = path;
        _database = database;
        _time = time;
        KeyText = SqliteFile.ReadKey(path, database);
    }

    /// <inheritdoc/>
    public string Location { get; }

    /// <inheritdoc/>
    public RedactionKey Key => SqliteFile.KeyOf(Location, KeyText);

    /// <summary>The key as it is written.</summary>
    internal string KeyText { get; private set; }

    /// <summary>Opens a store.</summary>
    /// <param name="path">Its file.</param>
    /// <param name="isCreated">Whether it is made where there is none.</param>
    /// <param name="time">The clock; the system's when not given.</param>
    /// <returns>The store.</returns>
    /// <exception cref="StoreException">There is none, or it cannot be opened.</exception>
    public static SqliteStore Open(string path, bool isCreated = false, TimeProvider? time = null)
    {
        TimeProvider clock = time ?? TimeProvider.System;
        SqliteDatabase database = SqliteFile.Open(path, isCreated, clock);
        try
        {
            return new SqliteStore(path, database, clock);
        }
        catch
        {
            database.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public long Bytes => new FileInfo(Location).Length;

    /// <inheritdoc/>
    IWorkLeases IIngestStore.Leases(string owner, TimeSpan lease) => Leases(owner, lease);

    /// <inheritdoc/>
    void IIngestStore.Remove(string source) => Remove(source);

    /// <inheritdoc/>
    void IIngestStore.Drain()
    {
        // Nothing waits here.
    }

    /// <summary>The leases of files that are taken in.</summary>
    internal WorkLeases Leases(string owner, TimeSpan lease) => new(_database, _time, owner, lease);

    /// <summary>Puts another key in the place of the store's.</summary>
    internal void ReplaceKey(string key)
    {
        SqliteFile.WriteKey(_database, key);
        KeyText = key;
    }

    /// <summary>Removes a result, unless one of a newer version has come in its place.</summary>
    internal void Remove(ResultKind kind, string source, Version version) => _database.Write(() =>
    {
        if (VersionOf(kind, source) is { } there && there <= version)
        {
            Remove(kind, source);
        }

        return true;
    });

    void Remove(string source) => Prune(StoreFilter.All.And(RowHead.SourceName, ConditionKind.Is, StoreValue.Of(source)));

    /// <inheritdoc/>
    public AddOutcome Add(ResultRows result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return _database.Write(() => AddWithin(result));
    }

    // Of several in one transaction each begins where the one before has left the file.
    IReadOnlyList<AddOutcome> IIngestStore.AddAll(IReadOnlyList<ResultRows> results) => _database.Write<AddOutcome[]>(() => [.. results.Select(AddWithin)]);

    IReadOnlyList<AddOutcome> IIngestStore.ExpectAll(IReadOnlyList<string> sources, Version version) =>
        [.. sources.Select(source => Expect(ResultKind.Analysis, source, version))];

    AddOutcome AddWithin(ResultRows result)
    {
        AddOutcome outcome = Expect(result.Kind, result.Head.Source, result.Version);
        if (outcome != AddOutcome.Kept)
        {
            Remove(result.Kind, result.Head.Source);
            foreach (RowBatch batch in result.Batches.Append(ResultTable.Map.Rows([(result, _time.NowNanos())])))
            {
                Insert(batch);
            }
        }

        return outcome;
    }

    /// <inheritdoc/>
    public AddOutcome Expect(ResultKind kind, string source, Version version)
    {
        Version? there = VersionOf(kind, source);
        return there is null ? AddOutcome.Added : there >= version ? AddOutcome.Kept : AddOutcome.Replaced;
    }

    /// <inheritdoc/>
    public IEnumerable<StoreValue[]> Query(StoreQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return Read(SelectSql.Of(query), query.Columns.Count);
    }

    /// <inheritdoc/>
    public long Count(StoreTable table, StoreFilter filter)
    {
        ArgumentNullException.ThrowIfNull(table);
        SqlText where = SelectSql.Where(table, filter);
        SqlText sql = where with { Text = $"SELECT COUNT(*) FROM {SelectSql.Quoted(table.Name)}{where.Text}" };
        return Read(sql, 1).Single()[0].Number ?? 0;
    }

    /// <inheritdoc/>
    public IEnumerable<StoreValue[]> Aggregate(AggregateQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        var groups = new RowGroups(query);
        SqlText sql = RowGroups.Rows(query);
        using SqliteStatement statement = _database.Prepare(sql.Text);
        statement.Bind(sql.Parameters);
        while (statement.Step())
        {
            groups.Add(statement);
        }

        return groups.InOrder();
    }

    /// <inheritdoc/>
    public long Prune(StoreFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        if (filter.Conditions.Count == 0)
        {
            throw new StoreException($"{Location}: what is to be removed must be said. Everything: remove the file.");
        }

        StoreTable results = StoreSchema.Results;
        var query = new StoreQuery(results, [results.Require("kind"), results.Require(RowHead.SourceName)], filter);
        return _database.Write(() =>
        {
            StoreValue[][] found = [.. Query(query)];
            foreach (StoreValue[] result in found)
            {
                Remove(Enum.Parse<ResultKind>(result[0].Text!, ignoreCase: true), result[1].Text!);
            }

            return (long)found.Length;
        });
    }

    /// <inheritdoc/>
    public void Compact()
    {
        _database.Execute("VACUUM");
        _database.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// <inheritdoc/>
    public void Dispose() => _database.Dispose();

    Version? VersionOf(ResultKind kind, string source)
    {
        StoreTable results = StoreSchema.Results;
        StoreFilter same = StoreFilter.All
            .And(RowHead.SourceName, ConditionKind.Is, StoreValue.Of(source)).And("kind", ConditionKind.Is, StoreValue.Of(Names.Of(kind)));
        StoreValue[]? known = Query(new StoreQuery(results, [results.Require("version")], same)).FirstOrDefault();
        return known is null ? null : Version.TryParse(known[0].Text, out Version? there) ? there : new Version(0, 0);
    }

    void Remove(ResultKind kind, string source)
    {
        foreach (StoreTable table in StoreSchema.TablesOf(kind))
        {
            _database.Execute($"DELETE FROM {SelectSql.Quoted(table.Name)} WHERE \"source\" = @p0", StoreValue.Of(source));
        }

        _database.Execute("DELETE FROM \"result\" WHERE \"source\" = @p0 AND \"kind\" = @p1", StoreValue.Of(source), StoreValue.Of(Names.Of(kind)));
    }

    void Insert(RowBatch batch)
    {
        IReadOnlyList<StoreColumn> columns = batch.Table.Columns;
        string places = string.Join(", ", columns.Select((_, i) => FormattableString.Invariant($"@p{i}")));
        string names = string.Join(", ", columns.Select(column => SelectSql.Quoted(column.Name)));
        using SqliteStatement insert = _database.Prepare($"INSERT INTO {SelectSql.Quoted(batch.Table.Name)} ({names}) VALUES ({places})");
        foreach (StoreValue[] row in batch.Rows)
        {
            insert.Bind(row);
            insert.Step();
        }
    }

    IEnumerable<StoreValue[]> Read(SqlText sql, int columns)
    {
        using SqliteStatement statement = _database.Prepare(sql.Text);
        statement.Bind(sql.Parameters);
        while (statement.Step())
        {
            var row = new StoreValue[columns];
            for (int i = 0; i < columns; i++)
            {
                row[i] = statement.Value(i);
            }

            yield return row;
        }
    }
}
