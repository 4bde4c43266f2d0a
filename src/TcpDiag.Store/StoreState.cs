using System;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store;

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
