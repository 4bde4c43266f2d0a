using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Redaction;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// A store in ClickHouse, for any number of processes on any number of machines. It knows no transactions: rows are only added, each names the attempt in
/// which it came, and the attempt counts from the moment in which the table of results, one row, names it. What breaks off is tried again as another attempt;
/// what is left of the first is never read (docs/decisions/0040). Not thread-safe: one for each thread.
/// </summary>
sealed class ClickHouseStore : IIngestStore
{
    readonly ClickHouseClient _client;
    readonly ClickHouseLayout _layout;
    readonly Patience _patience;
    readonly TimeProvider _time;

    ClickHouseStore(ClickHouseClient client, ClickHouseLayout layout, Patience patience, TimeProvider time)
    {
        _client = client;
        _layout = layout;
        _patience = patience;
        _time = time;
        KeyText = ClickHouseServer.ReadKey(client);
    }

    /// <inheritdoc/>
    public string Location => _client.Location.Text;

    /// <inheritdoc/>
    public RedactionKey Key => SqliteFile.KeyOf(Location, KeyText);

    /// <summary>The key as it is written.</summary>
    internal string KeyText { get; }

    /// <inheritdoc/>
    public long Bytes => _patience.Run(() => ClickHouseRoom.BytesOf(_client, _layout));

    /// <summary>Opens a store.</summary>
    /// <param name="location">Where it is.</param>
    /// <param name="isCreated">Whether it is made where there is none.</param>
    /// <param name="time">The clock; the system's when not given.</param>
    /// <param name="patience">How long a server that cannot be reached is asked again.</param>
    /// <exception cref="StoreUnreachableException">The server cannot be reached.</exception>
    /// <exception cref="StoreException">There is none, or it cannot be opened.</exception>
    public static ClickHouseStore Open(string location, bool isCreated = false, TimeProvider? time = null, Patience? patience = null)
    {
        var place = ClickHouseLocation.Parse(location);
        TimeProvider clock = time ?? TimeProvider.System;
        Patience wait = patience ?? Patience.Usual;
        var client = new ClickHouseClient(place, ClickHouseAccess.OfEnvironment(place.User));
        try
        {
            return wait.Run(() => new ClickHouseStore(client, ClickHouseServer.Open(client, isCreated, clock), wait, clock));
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public IWorkLeases Leases(string owner, TimeSpan lease) => new ClickHouseLeases(_client, _patience, _time, owner, lease);

    /// <inheritdoc/>
    public void Remove(string source) => Prune(StoreFilter.All.And(RowHead.SourceName, ConditionKind.Is, StoreValue.Of(source)));

    /// <inheritdoc/>
    public void Drain()
    {
        // Nothing waits here.
    }

    /// <inheritdoc/>
    public AddOutcome Add(ResultRows result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return AddAll([result])[0];
    }

    /// <summary>Adds results, one insert for all their rows of a table.</summary>
    /// <param name="results">The results; their rows are enumerated anew when it is tried again.</param>
    /// <returns>What became of each.</returns>
    /// <exception cref="StoreUnreachableException">The server cannot be reached; what was added is not known, and may be added again.</exception>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    public IReadOnlyList<AddOutcome> AddAll(IReadOnlyList<ResultRows> results)
    {
        AddOutcome[]? first = null;
        return _patience.Run(() =>
        {
            AddOutcome[] found = Expected(results);
            first ??= found; // what a later try finds there may be its own
            var adding = new ClickHouseAdding(_client, _time);
            adding.Add([.. results.Where((_, i) => found[i] != AddOutcome.Kept)]);
            return first;
        });
    }

    /// <inheritdoc/>
    public IReadOnlyList<AddOutcome> ExpectAll(IReadOnlyList<string> sources, Version version) => _patience.Run<AddOutcome[]>(() =>
    {
        Dictionary<(string, string), Version> known = Known(sources);
        return [.. sources.Select(source => OutcomeOf(known.GetValueOrDefault((source, Names.Of(ResultKind.Analysis))), version))];
    });

    /// <inheritdoc/>
    public AddOutcome Expect(ResultKind kind, string source, Version version) =>
        _patience.Run(() => OutcomeOf(Known([source]).GetValueOrDefault((source, Names.Of(kind))), version));

    /// <inheritdoc/>
    public IEnumerable<StoreValue[]> Query(StoreQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        ClickHouseQuestion question = ClickHouseSql.Of(query);
        return query.Limit is null ? Rows(question) : _patience.Run(() => _client.Read(question).ToList());
    }

    /// <inheritdoc/>
    public void WriteParquet(StoreQuery query, Stream output)
    {
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(output);
        _client.WriteParquet(ClickHouseSql.Named(query), output);
    }

    /// <inheritdoc/>
    public long Count(StoreTable table, StoreFilter filter)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(filter);
        return _patience.Run(() => _client.Read(ClickHouseSql.Count(table, filter)).Single()[0].Number ?? 0);
    }

    /// <inheritdoc/>
    public IEnumerable<StoreValue[]> Aggregate(AggregateQuery query)
    {
        ArgumentNullException.ThrowIfNull(query);
        return _patience.Run(() => _client.Read(ClickHouseSql.Of(query)).ToList());
    }

    /// <inheritdoc/>
    public long Prune(StoreFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        if (filter.Conditions.Count == 0)
        {
            throw new StoreException($"{Location}: what is to be removed must be said. Everything: DROP DATABASE \"{_client.Location.Database}\".");
        }

        return _patience.Run(() =>
        {
            var block = new RowBlock([BinaryKind.Number, BinaryKind.Number]);
            foreach (StoreValue[] attempt in _client.Read(ClickHouseSql.Attempts(filter)))
            {
                block.Add(attempt[0], StoreValue.Of(_time.NowNanos()));
            }

            if (block.Count > 0)
            {
                _client.Insert(ClickHouseSchema.Removed, [ClickHouseSchema.Attempt, "removed_ns"], block);
            }

            return (long)block.Count;
        });
    }

    /// <inheritdoc/>
    public void Compact() => ClickHouseRoom.Clear(_client, _layout, _time);

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    // Any number of them: a line that is cut is asked again until rows have come; then those are somebody's already.
    IEnumerable<StoreValue[]> Rows(ClickHouseQuestion question)
    {
        (IEnumerator<StoreValue[]> rows, bool hasRow) = _patience.Run(() => Begun(question));
        using (rows)
        {
            for (; hasRow; hasRow = rows.MoveNext())
            {
                yield return rows.Current;
            }
        }
    }

    (IEnumerator<StoreValue[]> Rows, bool HasRow) Begun(ClickHouseQuestion question)
    {
        IEnumerator<StoreValue[]> rows = _client.Read(question).GetEnumerator();
        try
        {
            return (rows, rows.MoveNext());
        }
        catch
        {
            rows.Dispose();
            throw;
        }
    }

    // Of a result that is there twice in one batch the newest is added, and of like ones the first.
    AddOutcome[] Expected(IReadOnlyList<ResultRows> results)
    {
        Dictionary<(string, string), Version> known = Known(results.Select(result => result.Head.Source));
        var newest = results.GroupBy(KeyOf).ToDictionary(same => same.Key, same => same.MaxBy(result => result.Version));
        return [.. results.Select(result => ReferenceEquals(newest[KeyOf(result)], result) ? OutcomeOf(known.GetValueOrDefault(KeyOf(result)), result.Version)
            : AddOutcome.Kept)];
    }

    Dictionary<(string, string), Version> Known(IEnumerable<string> sources) => _client
        .Read(ClickHouseSql.Versions(sources))
        .ToDictionary(row => (row[0].Text!, row[1].Text!), row => Version.TryParse(row[2].Text, out Version? version) ? version : new Version(0, 0));

    static (string, string) KeyOf(ResultRows result) => (result.Head.Source, Names.Of(result.Kind));

    static AddOutcome OutcomeOf(Version? known, Version version) => known is null ? AddOutcome.Added : known >= version ? AddOutcome.Kept : AddOutcome.Replaced;
}
