using System;
using TcpDiag.Store.Sqlite;

namespace TcpDiag.Store;

/// <summary>Opens stores by where they are: the one place that knows which engine that means.</summary>
public static class ResultStores
{
    /// <summary>Opens a store. Not thread-safe: one for each thread.</summary>
    /// <param name="location">The file of a store.</param>
    /// <param name="isCreated">Whether it is made where there is none.</param>
    /// <param name="time">The clock; the system's when not given.</param>
    /// <returns>The store.</returns>
    /// <exception cref="StoreException">There is none, or it cannot be opened.</exception>
    public static IResultStore Open(string location, bool isCreated = false, TimeProvider? time = null) => SqliteStore.Open(location, isCreated, time);
}
