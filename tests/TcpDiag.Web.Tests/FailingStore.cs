using System;
using System.Collections.Generic;
using TcpDiag.Redaction;
using TcpDiag.Store;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Web.Tests;

/// <summary>A store that can be read until it is told to fail.</summary>
/// <param name="store">The store behind it.</param>
/// <param name="fault">What reading it throws; null while it can be read.</param>
sealed class FailingStore(IResultStore store, Func<Exception?> fault) : IResultStore
{
    /// <summary>Called before rows are added up.</summary>
    public Action Aggregating { get; init; } = static () => { };

    public string Location => store.Location;

    public long Bytes => store.Bytes;

    public RedactionKey Key => store.Key;

    public AddOutcome Add(ResultRows result) => store.Add(result);

    public AddOutcome Expect(ResultKind kind, string source, Version version) => store.Expect(kind, source, version);

    public IEnumerable<StoreValue[]> Query(StoreQuery query) => fault() is { } exception ? throw exception : store.Query(query);

    public long Count(StoreTable table, StoreFilter filter) => fault() is { } exception ? throw exception : store.Count(table, filter);

    public IEnumerable<StoreValue[]> Aggregate(AggregateQuery query)
    {
        Aggregating();
        return fault() is { } exception ? throw exception : store.Aggregate(query);
    }

    public long Prune(StoreFilter filter) => store.Prune(filter);

    public void Compact() => store.Compact();

    public void Dispose() => store.Dispose();
}
