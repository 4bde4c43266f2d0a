using System.Collections.Generic;
using System.Linq;
using TcpDiag.Report.Site;
using TcpDiag.Store;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Web;

/// <summary>Reads a recording and its connections from the store.</summary>
/// <param name="store">The store.</param>
/// <param name="source">SHA-256 of the recording.</param>
sealed class RecordingReader(IResultStore store, string source)
{
    static readonly StoreTable Connections = StoreSchema.Find("connection")!;

    // What tables of many rows are parted and sorted by: with it, an engine reads those of the recording alone.
    static readonly string[] Places = ["week", "build", "platform"];

    StoreValue[]? _row;

    StoreFilter Own => Places.Aggregate(OfSource, (filter, place) =>
        Row()[IndexOf(place)] is { IsNone: false } value ? filter.And(place, ConditionKind.Is, value) : filter);

    StoreFilter OfSource => StoreFilter.All.And(RowHead.SourceName, ConditionKind.Is, StoreValue.Of(source));

    /// <summary>The row of the recording.</summary>
    /// <exception cref="NotThereException">There is none.</exception>
    public StoreValue[] Row() => _row ??= store.Query(new StoreQuery(StoreSchema.Recordings, OfSource) { Limit = 1 }).FirstOrDefault()
        ?? throw new NotThereException("The store has no such recording.");

    /// <summary>What the page of the recording shows.</summary>
    /// <param name="first">Number of the first connection of the page.</param>
    public RecordingContent Content(int first)
    {
        StoreFilter shown = Range(first, first + RecordingContent.PageConnections - 1);
        return new(
            Row(),
            [.. store.Query(new StoreQuery(StoreSchema.Findings, Own) { Limit = RecordingContent.MaxFindings })],
            [.. store.Query(new StoreQuery(Connections, shown))],
            [.. store.Query(new StoreQuery(StoreSchema.Directions, shown))],
            first);
    }

    /// <summary>The rows of connections from one number on, at most a page of them.</summary>
    public IReadOnlyList<StoreValue[]> ConnectionRows(int first) =>
        [.. store.Query(new StoreQuery(Connections, Range(first, first + RecordingContent.PageConnections - 1)))];

    /// <summary>The findings.</summary>
    public IReadOnlyList<StoreValue[]> Findings() => [.. store.Query(new StoreQuery(StoreSchema.Findings, Own))];

    /// <summary>What the page of a connection shows.</summary>
    /// <param name="connection">Its number.</param>
    /// <param name="whyNoGraphs">Why a recording's graphs cannot be drawn; null where they can.</param>
    /// <exception cref="NotThereException">There is none.</exception>
    public ConnectionContent Connection(int connection, System.Func<StoreValue[], string?> whyNoGraphs)
    {
        StoreFilter one = Range(connection, connection);
        StoreValue[] recording = Row();
        StoreValue[] row = store.Query(new StoreQuery(Connections, one)).FirstOrDefault()
            ?? throw new NotThereException("The recording has no such connection.");
        return new(
            recording,
            row,
            [.. store.Query(new StoreQuery(StoreSchema.Directions, one))],
            [.. store.Query(new StoreQuery(StoreSchema.Findings, one))],
            whyNoGraphs(recording));
    }

    static int IndexOf(string column) =>
        StoreSchema.Recordings.Columns.Index().First(one => ReferenceEquals(one.Item, StoreSchema.Recordings.Require(column))).Index;

    StoreFilter Range(long first, long last) =>
        Own.And("connection", ConditionKind.Min, StoreValue.Of(first)).And("connection", ConditionKind.Max, StoreValue.Of(last));
}
