using System;
using System.Collections.Generic;
using System.IO;
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
            return new(location, SpoolFile.Open(path, location, server?.KeyText, time), () => ClickHouseStore.Open(location, isCreated: true, time, Patience.None), server, time);
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
        if (IsToBeAsked)
        {
            try
            {
                Drain();
                AddOutcome outcome = Server.Add(result);
                _downSince = 0;
                return outcome;
            }
            catch (StoreUnreachableException)
            {
                _downSince = _time.GetTimestamp();
            }
        }

        return _spool.Store.Add(result) == AddOutcome.Kept ? AddOutcome.Kept : AddOutcome.Spooled;
    }

    /// <inheritdoc/>
    public AddOutcome Expect(ResultKind kind, string source, Version version)
    {
        if (_spool.Store.Expect(kind, source, version) == AddOutcome.Kept)
        {
            return AddOutcome.Kept;
        }

        try
        {
            return IsToBeAsked ? Server.Expect(kind, source, version) : AddOutcome.Spooled;
        }
        catch (StoreUnreachableException)
        {
            _downSince = _time.GetTimestamp();
            return AddOutcome.Spooled;
        }
    }

    /// <inheritdoc/>
    public void Drain() => _spool.Drain(Server);

    /// <inheritdoc/>
    public IWorkLedger Ledger(string owner, TimeSpan lease) => Server.Ledger(owner, lease);

    /// <inheritdoc/>
    public void Remove(string source) => Server.Remove(source);

    /// <inheritdoc/>
    public IEnumerable<StoreValue[]> Query(StoreQuery query) => Server.Query(query);

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

    // Not for every result anew while it is away.
    bool IsToBeAsked => _downSince == 0 || _time.GetElapsedTime(_downSince) >= Pause;

    ClickHouseStore Server => _server ??= _open();
}
