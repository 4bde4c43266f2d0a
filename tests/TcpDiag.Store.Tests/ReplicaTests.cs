using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Tests.Servers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>Two real servers that a keeper holds alike: either may be killed.</summary>
[Trait("Needs", "time")]
public sealed class ReplicaTests : IDisposable
{
    const int Transfers = 8;

    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [KeeperFact]
    public void CopyKilledDuringAdds_LosesNothing_AndBothAreTheSame()
    {
        const int results = 80;
        using var keeper = new ZooKeeperProcess();
        ClickHouseProcess[] copies = ClickHouseProcess.StartCopies(keeper.Port);
        using ClickHouseProcess first = copies[0];
        using ClickHouseProcess second = copies[1];
        string both = $"clickhouse://{first.Address},{second.Address}/fleet?cluster=copies";
        using (IResultStore store = ResultStores.Open(both, isCreated: true))
        {
            var adding = Task.Run(() => Enumerable.Range(0, results).ToList().ForEach(i => store.Add(Made(i))));
            var random = new Random(12);
            for (int kill = 0; kill < 4; kill++)
            {
                adding.Wait(random.Next(50, 600));
                copies[kill % 2].Kill();
                adding.Wait(random.Next(0, 400));
                copies[kill % 2].Start();
            }

            adding.Wait();
        }

        ResultStores.Open(both, isCreated: true).Dispose(); // what waits in the spool goes
        using IResultStore file = _folder.Open(StoreEngine.Sqlite);
        Enumerable.Range(0, results).ToList().ForEach(i => file.Add(Made(i)));
        foreach (ClickHouseProcess server in copies)
        {
            WaitForCopying(server);
            using IResultStore one = ResultStores.Open($"clickhouse://{server.Address}/fleet?cluster=copies");
            Assert.Equal((results, results, Transfers * results), (one.CountOf("result"), one.CountOf("recording"), one.CountOf("direction")));
            Assert.Equal(file.Dump(), one.Dump());
            Assert.Equal(Medians(file), Medians(one));
        }

        second.Kill();
        using IResultStore left = ResultStores.Open(both);
        Assert.Equal(results, left.CountOf("recording")); // one copy is enough to read
    }

    /// <summary>What is removed is removed from both, with its room.</summary>
    [KeeperFact]
    public void Prune_AndVacuum_AreOfBothCopies()
    {
        using var keeper = new ZooKeeperProcess();
        ClickHouseProcess[] copies = ClickHouseProcess.StartCopies(keeper.Port);
        using ClickHouseProcess first = copies[0];
        using ClickHouseProcess second = copies[1];
        string both = $"clickhouse://{first.Address},{second.Address}/fleet?cluster=copies";
        using IResultStore store = ResultStores.Open(both, isCreated: true);
        Enumerable.Range(0, 10).ToList().ForEach(i => store.Add(Made(i)));
        Assert.Equal(1, store.Prune(StoreFilter.All.And(RowHead.SourceName, ConditionKind.Is, StoreValue.Of(Made(3).Head.Source))));
        store.Compact();
        foreach (ClickHouseProcess server in copies)
        {
            WaitForCopying(server);
            Assert.Equal($"{9 * Transfers} {9 * Transfers}", server.Ask("SELECT (SELECT count() FROM fleet.direction_local), (SELECT sum(rows) FROM fleet.direction_sum_local)").Replace('\t', ' '));
        }
    }

    static ResultRows Made(int number) => MadeFleet.Results(new FleetPlan(number, 1, 1, Transfers)).Single();

    static string Medians(IResultStore store) => string.Join('\n', store
        .Aggregate(new AggregateQuery(StoreSchema.Directions, [new(StoreSchema.Directions.Require("machine"), []), .. FleetAggregates.PathKeys], [], new(FleetAggregates.IsTransfer))
        {
            Median = FleetAggregates.Goodput.Median,
        })
        .Select(row => string.Join(' ', row.Select(value => value.ToString()))));

    static void WaitForCopying(ClickHouseProcess server)
    {
        using var never = new ManualResetEventSlim();
        long begun = Stopwatch.GetTimestamp();
        while (server.Ask("SELECT sum(queue_size) + sum(is_readonly) FROM system.replicas WHERE database = 'fleet'") is not "0")
        {
            Assert.True(Stopwatch.GetElapsedTime(begun) < Patience.Limit, "the copies are not alike yet");
            never.Wait(200);
        }

        // An empty queue is also that of a copy which has not yet read what the other has added.
        foreach (string table in server.Ask("SELECT table FROM system.replicas WHERE database = 'fleet'").Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            server.Ask($"SYSTEM SYNC REPLICA fleet.\"{table}\"");
        }
    }
}
