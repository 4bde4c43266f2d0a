using System;
using System.Linq;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// Has servers keep, in a store that holds results already, what reports ask for (<see cref="ClickHouseSummary"/>). What was added before is added up attempt
/// by attempt; what is added meanwhile is of the views. One process does it: making a view is the one statement of which one of several wins.
/// </summary>
static class ClickHouseFilling
{
    const string Mark = "upgrading";
    const int AttemptsAtOnce = 500;

    /// <summary>Makes the tables, and fills them.</summary>
    /// <exception cref="StoreUnreachableException">Another process does it.</exception>
    /// <exception cref="StoreException">It failed.</exception>
    public static void Run(ClickHouseClient client, ClickHouseLayout layout)
    {
        Uri first = client.Location.Servers[0];
        Begin(client, first);
        try
        {
            Make(client, layout);
            foreach (ClickHouseSummary summary in ClickHouseSummary.All)
            {
                Fill(client, summary);
            }
        }
        finally
        {
            client.Execute($"DROP TABLE \"{Mark}\"", first);
        }
    }

    static void Begin(ClickHouseClient client, Uri first)
    {
        try
        {
            client.Execute($"CREATE VIEW \"{Mark}\" AS SELECT 1 AS \"value\"", first);
        }
        catch (StoreException exception) when (exception.Code == ClickHouseFault.TableExists)
        {
            throw new StoreUnreachableException(
                $"{client.Location.Text}: another tcpdiag is bringing the store to this version. Wait for it; where none is: DROP TABLE "
                    + $"\"{client.Location.Database}\".\"{Mark}\".");
        }
    }

    // What the view has met is not added up twice. All rows of an attempt lie on one shard: each adds up its own.
    static void Fill(ClickHouseClient client, ClickHouseSummary summary)
    {
        long[] attempts = [.. client.Read(ClickHouseSql.AttemptsWithout(summary.Name)).Select(row => row[0].Number ?? 0)];
        foreach (long[] some in attempts.Chunk(AttemptsAtOnce))
        {
            client.Execute(summary.FillFor(some), more: "insert_distributed_sync=1&distributed_group_by_no_merge=1");
        }
    }

    // Anew, as a process that was ended may have left the half of it.
    static void Make(ClickHouseClient client, ClickHouseLayout layout)
    {
        foreach (Uri? server in ClickHouseServer.ServersOf(client, layout))
        {
            foreach (string statement in ClickHouseSchema.DropSummaries(layout).Concat(ClickHouseSchema.Summaries(layout)))
            {
                client.Execute(statement, server);
            }
        }
    }
}
