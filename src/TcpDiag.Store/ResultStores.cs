using System;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Spool;
using TcpDiag.Store.Sqlite;

namespace TcpDiag.Store;

/// <summary>Opens stores by where they are: the one place that knows which engine that means.</summary>
public static class ResultStores
{
    /// <summary>Opens a store. Not thread-safe: one for each thread.</summary>
    /// <param name="location">The file of a store, or <c>clickhouse://HOST:PORT/DATABASE</c>.</param>
    /// <param name="isCreated">Whether it is to be added to, and made where there is none.</param>
    /// <param name="time">The clock; the system's when not given.</param>
    /// <returns>The store.</returns>
    /// <exception cref="StoreException">There is none, or it cannot be opened.</exception>
    public static IResultStore Open(string location, bool isCreated = false, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(location);
        return !IsServer(location) ? SqliteStore.Open(location, isCreated, time)
            : isCreated ? SpoolingStore.Open(location, time ?? TimeProvider.System)
            : ClickHouseStore.Open(location, isCreated: false, time);
    }

    /// <summary>Whether a location is one of a server, not a file.</summary>
    /// <param name="location">The location.</param>
    /// <returns>True for a server.</returns>
    public static bool IsServer(string location) => ClickHouseLocation.IsOne(location);

    /// <summary>Opens a store for taking recordings in; it is made where there is none.</summary>
    internal static IIngestStore OpenForIngest(string location, TimeProvider time) =>
        IsServer(location) ? SpoolingStore.Open(location, time) : SqliteStore.Open(location, isCreated: true, time);
}
