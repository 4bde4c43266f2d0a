using System;
using System.Linq;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;
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

/// <summary>What tells a store from itself before something was added, replaced or removed; asked of the table of results alone, which is small.</summary>
/// <param name="Results">How many results it has.</param>
/// <param name="LatestNanos">When the latest of them was added, nanoseconds since the Unix epoch.</param>
public readonly record struct StoreState(long Results, long LatestNanos)
{
    /// <summary>Looks at a store.</summary>
    /// <param name="store">The store.</param>
    /// <exception cref="StoreException">It cannot be read.</exception>
    public static StoreState Of(IResultStore store)
    {
        ArgumentNullException.ThrowIfNull(store);
        StoreTable results = StoreSchema.Find("result")!;
        StoreColumn added = results.Require("added_ns");
        var latest = new StoreQuery(results, [added], StoreFilter.All) { Largest = added, Limit = 1 };
        return new(store.Count(results, StoreFilter.All), store.Query(latest).FirstOrDefault()?[0].Number ?? 0);
    }
}
