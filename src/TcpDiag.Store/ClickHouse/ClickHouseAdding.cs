using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>One attempt to add results: their rows first, the table of results last.</summary>
/// <param name="client">The server.</param>
/// <param name="time">The clock.</param>
sealed class ClickHouseAdding(ClickHouseClient client, TimeProvider time)
{
    const int BlockBytes = 1 << 18;

    // The hours in front tell how old an attempt is of which the table of results knows nothing; chance tells those of an hour apart.
    const int ChanceBits = 44;
    const long NanosPerHour = 3_600_000_000_000;

    /// <summary>Adds results.</summary>
    /// <exception cref="StoreUnreachableException">It broke off; nothing is there, or all, or the table of results's row is on its way.</exception>
    public void Add(IReadOnlyList<ResultRows> results)
    {
        long[] attempts = [.. results.Select(_ => NewAttempt())];
        IEnumerable<(StoreValue Attempt, RowBatch Batch)> batches = results.SelectMany((result, i) =>
            result.Batches.Select(batch => (StoreValue.Of(attempts[i]), batch)));
        foreach (IGrouping<StoreTable, (StoreValue Attempt, RowBatch Batch)> ofTable in batches.GroupBy(one => one.Batch.Table))
        {
            client.Insert(ofTable.Key.Name, ColumnsOf(ofTable.Key), Blocks(ofTable.Key, ofTable));
        }

        WriteResults(results, attempts);
    }

    /// <summary>Hours since the Unix epoch in which an attempt began.</summary>
    public static long HourOf(long attempt) => (long)((ulong)attempt >> ChanceBits);

    /// <summary>The hour that it is.</summary>
    public static long HourOf(TimeProvider time) => Math.Max(time.NowNanos() / NanosPerHour, 0);

    // One block, again and again: what is sent is not kept.
    static IEnumerable<RowBlock> Blocks(StoreTable table, IEnumerable<(StoreValue Attempt, RowBatch Batch)> batches)
    {
        var block = new RowBlock([BinaryKind.Number, .. table.Columns.Select(ClickHouseSchema.KindOf)]);
        foreach ((StoreValue attempt, RowBatch batch) in batches)
        {
            foreach (StoreValue[] row in batch.Rows)
            {
                block.Add(attempt, row);
                if (block.Bytes.Length >= BlockBytes)
                {
                    yield return block;
                    block.Clear();
                }
            }
        }

        yield return block;
    }

    void WriteResults(IReadOnlyList<ResultRows> results, long[] attempts)
    {
        StoreTable table = StoreSchema.Results;
        var block = new RowBlock([BinaryKind.Number, .. table.Columns.Select(ClickHouseSchema.KindOf), BinaryKind.Text]);
        long now = time.NowNanos();
        for (int i = 0; i < results.Count; i++)
        {
            StoreValue[] row = ResultTable.Map.Rows([(results[i], now)]).Rows.Single();
            block.Add(StoreValue.Of(attempts[i]), [.. row, StoreValue.Of(RankOf(results[i].Version, now, attempts[i]))]);
        }

        if (block.Count > 0)
        {
            client.Insert(table.Name, [.. ColumnsOf(table), ClickHouseSchema.Rank], block);
        }
    }

    static IEnumerable<string> ColumnsOf(StoreTable table) => table.Columns.Select(column => column.Name).Prepend(ClickHouseSchema.Attempt);

    // The newest version, of those the first; digits that sort as text.
    static string RankOf(Version version, long now, long attempt) => string.Create(
        CultureInfo.InvariantCulture,
        $"{version.Major:d10}.{version.Minor:d10}.{Math.Max(version.Build, 0):d10}.{Math.Max(version.Revision, 0):d10} {long.MaxValue - now:d19} "
            + $"{(ulong)attempt:d20}");

    long NewAttempt()
    {
        long chance = BitConverter.ToInt64(RandomNumberGenerator.GetBytes(sizeof(long))) & ((1L << ChanceBits) - 1);
        return (HourOf(time) << ChanceBits) | chance;
    }
}
