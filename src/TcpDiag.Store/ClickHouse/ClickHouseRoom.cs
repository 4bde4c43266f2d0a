using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.ClickHouse;

/// <summary>The room that a store takes in ClickHouse, and how what does not count is given back.</summary>
static class ClickHouseRoom
{
    const int AttemptsAtOnce = 5000;
    const int HoursOfOldAttempts = 24;
    static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);
    static readonly ManualResetEventSlim Never = new();

    /// <summary>Bytes on the disks of all servers.</summary>
    public static long BytesOf(ClickHouseClient client, ClickHouseLayout layout)
    {
        string parts = layout.Cluster is { } cluster ? $"cluster('{cluster}', system, parts)" : "system.parts";
        var question = new ClickHouseQuestion(
            $"SELECT toInt64(sum(\"bytes_on_disk\")) FROM {parts} WHERE \"active\" = 1 AND \"database\" = '{layout.Database}'", [BinaryKind.Number]);
        return client.Read(question).Single()[0].Number ?? 0;
    }

    /// <summary>Removes the rows of attempts that do not count, and waits until that is done.</summary>
    /// <exception cref="StoreException">It failed; what is left is removed another time.</exception>
    public static void Clear(ClickHouseClient client, ClickHouseLayout layout, TimeProvider time)
    {
        StoreTable[] tables = [.. StoreSchema.Tables.Where(table => table != StoreSchema.Results)];
        foreach (string table in tables.Select(table => table.Name).Concat(ClickHouseSummary.All.Select(summary => summary.Name)))
        {
            Delete(client, layout, table, [.. DeadOf(client, table, time)]);
        }

        // The table of results last, and then the list of what was removed: until then it is what keeps their rows from counting.
        long[] dead = [.. DeadOf(client, StoreSchema.Results.Name, time)];
        Delete(client, layout, StoreSchema.Results.Name, dead);
        Delete(client, layout, ClickHouseSchema.Removed, dead);
    }

    // Known to the table of results and overtaken; or left behind by an adding that began long ago.
    static IEnumerable<long> DeadOf(ClickHouseClient client, string table, TimeProvider time)
    {
        var question = new ClickHouseQuestion(
            $"SELECT \"attempt\", toInt64(\"attempt\" GLOBAL IN (SELECT \"attempt\" FROM \"result\")) FROM (SELECT DISTINCT \"attempt\" FROM \"{table}\" "
                + $"WHERE NOT ({ClickHouseSql.Current}))",
            [BinaryKind.Number, BinaryKind.Number]);
        long oldest = ClickHouseAdding.HourOf(time) - HoursOfOldAttempts;
        return client.Read(question).Where(row => row[1].Number == 1 || ClickHouseAdding.HourOf(row[0].Number ?? 0) < oldest).Select(row => row[0].Number ?? 0);
    }

    static void Delete(ClickHouseClient client, ClickHouseLayout layout, string table, long[] attempts)
    {
        string local = SelectSql.Quoted(layout.LocalOf(table));
        foreach (long[] some in attempts.Chunk(AttemptsAtOnce))
        {
            string list = string.Join(", ", some.Select(attempt => FormattableString.Invariant($"{(ulong)attempt}")));
            foreach (Uri? server in ClickHouseServer.ServersOf(client, layout))
            {
                client.Execute($"ALTER TABLE {local}{ClickHouseSchema.OnCluster(layout)} DELETE WHERE \"attempt\" IN ({list})", server);
            }
        }

        foreach (Uri? server in attempts.Length > 0 ? ClickHouseServer.ServersOf(client, layout) : [])
        {
            WaitFor(client, layout, table, server);
        }
    }

    static void WaitFor(ClickHouseClient client, ClickHouseLayout layout, string table, Uri? server)
    {
        var question = new ClickHouseQuestion(
            $"SELECT toInt64(count()) FROM system.mutations WHERE \"database\" = '{layout.Database}' AND \"table\" = '{layout.LocalOf(table)}' AND "
                + "\"is_done\" = 0",
            [BinaryKind.Number]);
        while (client.Read(question, server: server).Single()[0].Number > 0)
        {
            Never.Wait(Interval);
        }
    }
}
