using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Redaction;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Spool;

/// <summary>
/// A store on a server with a spool on this machine: what cannot be added now waits in a file of SQLite, under the same key, and is added with the next
/// result. A result leaves the spool when the server has it; what is sent twice counts once there. Not thread-safe.
/// </summary>
sealed class SpoolingStore : IIngestStore
{
    static readonly TimeSpan Pause = TimeSpan.FromSeconds(30);

    readonly SpoolFile _spool;
    readonly TimeProvider _time;
    readonly Func<ClickHouseStore> _open;
    ClickHouseStore? _server;
    long _downSince;

    SpoolingStore(string location, SpoolFile spool, Func<ClickHouseStore> open, ClickHouseStore? server, TimeProvider time)
    {
        Location = location;
        _spool = spool;
        _open = open;
        _server = server;
        _time = time;
        _downSince = server is null ? time.GetTimestamp() : 0;
    }

    /// <inheritdoc/>
    public string Location { get; }

    /// <inheritdoc/>
    public RedactionKey Key => _spool.Key;

    /// <inheritdoc/>
    public long Bytes => Server.Bytes;

    /// <summary>Opens a store to add to it, whether its server is there or not.</summary>
    /// <exception cref="StoreUnreachableException">The server cannot be reached, and never was from here: its key is not known.</exception>
    /// <exception cref="StoreException">It cannot be opened.</exception>
    public static SpoolingStore Open(string location, TimeProvider time)
    {
        string path = SpoolFile.PathOf(location);
        ClickHouseStore? server = null;
        try
        {
            server = ClickHouseStore.Open(location, isCreated: true, time);
        }
        catch (StoreUnreachableException) when (File.Exists(path))
        {
            // What comes waits in the spool.
        }

        try
        {
            var spool = SpoolFile.Open(path, location, server?.KeyText, time);
            var store = new SpoolingStore(location, spool, () => ClickHouseStore.Open(location, isCreated: true, time, Patience.None), server, time);
            store.Ask(() => true, orElse: false); // what waits goes first
            return store;
        }
        catch
        {
            server?.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public AddOutcome Add(ResultRows result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return AddAll([result])[0];
    }

    /// <inheritdoc/>
    public IReadOnlyList<AddOutcome> AddAll(IReadOnlyList<ResultRows> results) => Ask<IReadOnlyList<AddOutcome>?>(() => Server.AddAll(results), null)
        ?? [.. results.Select(result => _spool.Store.Add(result) == AddOutcome.Kept ? AddOutcome.Kept : AddOutcome.Spooled)];

    /// <inheritdoc/>
    public IReadOnlyList<AddOutcome> ExpectAll(IReadOnlyList<string> sources, Version version)
    {
        AddOutcome[] here = [.. sources.Select(source => _spool.Store.Expect(ResultKind.Analysis, source, version))];
        IReadOnlyList<AddOutcome> there = Ask(() => Server.ExpectAll(sources, version), [.. sources.Select(_ => AddOutcome.Spooled)]);
        return [.. here.Zip(there, (spooled, server) => spooled == AddOutcome.Kept ? AddOutcome.Kept : server)];
    }

    /// <inheritdoc/>
    public AddOutcome Expect(ResultKind kind, string source, Version version) => _spool.Store.Expect(kind, source, version) == AddOutcome.Kept
        ? AddOutcome.Kept
        : Ask(() => Server.Expect(kind, source, version), AddOutcome.Spooled);

    /// <inheritdoc/>
    public void Drain() => _spool.Drain(Server);

    /// <inheritdoc/>
    public IWorkLeases Leases(string owner, TimeSpan lease) => Server.Leases(owner, lease);

    /// <inheritdoc/>
    public void Remove(string source) => Server.Remove(source);

    /// <inheritdoc/>
    public IEnumerable<StoreValue[]> Query(StoreQuery query) => Server.Query(query);

    /// <inheritdoc/>
    public void WriteParquet(StoreQuery query, Stream output) => Server.WriteParquet(query, output);

    /// <inheritdoc/>
    public long Count(StoreTable table, StoreFilter filter) => Server.Count(table, filter);

    /// <inheritdoc/>
    public IEnumerable<StoreValue[]> Aggregate(AggregateQuery query) => Server.Aggregate(query);

    /// <inheritdoc/>
    public long Prune(StoreFilter filter) => Server.Prune(filter);

    /// <inheritdoc/>
    public void Compact() => Server.Compact();

    /// <inheritdoc/>
    public void Dispose()
    {
        _server?.Dispose();
        _spool.Dispose();
    }

    // What waits goes first. A server that is away is not asked anew for every result.
    T Ask<T>(Func<T> question, T orElse)
    {
        if (!IsToBeAsked)
        {
            return orElse;
        }

        try
        {
            Drain();
            T answer = question();
            _downSince = 0;
            return answer;
        }
        catch (StoreUnreachableException)
        {
            _downSince = _time.GetTimestamp();
            return orElse;
        }
    }

    bool IsToBeAsked => _downSince == 0 || _time.GetElapsedTime(_downSince) >= Pause;

    ClickHouseStore Server => _server ??= _open();
}
