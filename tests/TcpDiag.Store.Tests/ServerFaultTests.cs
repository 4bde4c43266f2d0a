using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Spool;
using TcpDiag.Store.Tests.Servers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>A real server that is killed, lines that are cut, a full disk: what was sent is there once.</summary>
[Trait("Needs", "time")]
public sealed class ServerFaultTests : IDisposable
{
    const string Server = "clickhouse-server";

    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [ToolFact(Server, "setpriv")]
    public void ServerKilledDuringAdds_LosesNothing_AndCountsOnce()
    {
        const int results = 400;
        const int kills = 8;
        var random = new Random(8);
        using ClickHouseProcess server = ClickHouseProcess.Start();
        using (IResultStore store = ResultStores.Open(server.Location("fleet"), isCreated: true))
        {
            var adding = Task.Run(() => Enumerable.Range(0, results).Count(i => store.Add(Made(i)) == AddOutcome.Spooled));
            for (int kill = 0; kill < kills; kill++)
            {
                adding.Wait(random.Next(20, 400));
                server.Kill();
                adding.Wait(random.Next(0, 100));
                server.Start();
            }

            adding.Wait();
        }

        AssertWhole(server.Location("fleet"), results);
    }

    [ToolFact(Server, "setpriv")]
    public void LinesCutInsideBatches_LoseNothing_AndCountOnce()
    {
        const int results = 150;
        using ClickHouseProcess server = ClickHouseProcess.Start();
        ResultStores.Open(server.Location("fleet"), isCreated: true).Dispose();
        using var proxy = new CuttingProxy(server.Port, seed: 5);
        string location = $"clickhouse://127.0.0.1:{proxy.Port}/fleet";
        for (int begin = 0; begin < results; begin += 50)
        {
            // Open's questions may be cut too, and a store that was never reached has no key to spool under.
            using IResultStore store = Persist(() => ResultStores.Open(location, isCreated: true));
            Enumerable.Range(begin, 50).ToList().ForEach(i => store.Add(Made(i)));
        }

        Persist(() =>
        {
            using IResultStore store = ResultStores.Open(location, isCreated: true); // what waits goes
            using SpoolFile spool = SpoolFile.Open(SpoolFile.PathOf(location), location, null, TimeProvider.System);
            return spool.Store.CountOf("result") == 0 ? store : throw new StoreUnreachableException("some wait still");
        });
        Assert.True(proxy.Cuts >= 10, $"{proxy.Cuts} cuts");
        AssertWhole(server.Location("fleet"), results);
    }

    /// <summary>Half of the lines are cut: what reads asks again, and gets every row.</summary>
    [ToolFact(Server, "setpriv")]
    public void LinesCutInsideAnswers_AreAskedAgain()
    {
        string location = _folder.LocationOf(StoreEngine.ClickHouse);
        using (IResultStore store = ResultStores.Open(location, isCreated: true))
        {
            Enumerable.Range(0, 5).ToList().ForEach(i => store.Add(Made(i)));
        }

        using var proxy = new CuttingProxy(SharedServer.Server.Port, seed: 6);
        string cut = location.Replace(SharedServer.Server.Address, $"127.0.0.1:{proxy.Port}", StringComparison.Ordinal);
        StoreColumn source = StoreSchema.Findings.Require(RowHead.SourceName);
        int read = 0;
        for (int i = 0; i < 60; i++)
        {
            try
            {
                using IResultStore store = ResultStores.Open(cut);
                Assert.Equal(5, store.Query(new StoreQuery(StoreSchema.Findings, [source], StoreFilter.All)).Count());
                Assert.Equal(5, store.Query(new StoreQuery(StoreSchema.Findings, [source], StoreFilter.All) { Limit = 9 }).Count());
                Assert.Equal(5, store.Aggregate(new AggregateQuery(StoreSchema.Findings, [new(source, [])], [], StoreFilter.All)).Count());
                read++;
            }
            catch (StoreUnreachableException)
            {
                // Cut five times in a row, as one in thirty-two is.
            }
        }

        Assert.True(proxy.Cuts >= 10, $"{proxy.Cuts} cuts");
        Assert.InRange(read, 30, 60);
    }

    [ToolFact(Server, "setpriv")]
    public void ServerAway_ResultsWait_AndGoWithTheNextOnes()
    {
        using ClickHouseProcess server = ClickHouseProcess.Start();
        string location = server.Location("fleet");
        string[] files = [.. Enumerable.Range(0, 6).Select(i => _folder.Copy("reset.pcapng", i))];
        Assert.Equal(0, OwnProcess.Run(["store", "add", files[0], "--store", location]).ExitCode);
        server.Kill();
        ProgramResult away = OwnProcess.Run(["store", "add", .. files[..4], "--store", location]);
        Assert.Equal((0, 4), (away.ExitCode, away.Lines.Count(line => line.StartsWith("spooled ", StringComparison.Ordinal))));
        Assert.Equal($"tcpdiag: {location}: cannot be reached; 4 results wait on this machine for the next store add or ingest\n", away.Error);
        ProgramResult reading = OwnProcess.Run(["store", "list", "--store", location]);
        Assert.Equal((1, $"tcpdiag: {location}: cannot be reached: Connection refused\n"), (reading.ExitCode, Error(reading)));
        server.Start();
        ProgramResult back = OwnProcess.Run(["store", "add", .. files[4..], "--store", location]);
        Assert.Equal((0, 2), (back.ExitCode, back.Lines.Count(line => line.StartsWith("added ", StringComparison.Ordinal))));
        using IResultStore store = ResultStores.Open(location);
        Assert.Equal((6, 6, 12), (store.CountOf("result"), store.CountOf("recording"), store.CountOf("direction")));
        Assert.Single(store.Column("recording", "machine").Distinct()); // the pseudonyms are of one key
    }

    [ToolFact(Server, "setpriv")]
    public void NeverReached_IsToldInOneLine()
    {
        string location = FormattableString.Invariant($"clickhouse://127.0.0.1:{ClickHouseProcess.FreePort()}/fleet");
        ProgramResult result = OwnProcess.Run(["store", "add", ProjectFolder.Fixture("reset.pcapng"), "--store", location]);
        Assert.Equal((1, $"tcpdiag: {location}: cannot be reached: Connection refused\n"), (result.ExitCode, Error(result)));
    }

    /// <summary>The spool lies on a disk of its own, which fills while the server is away.</summary>
    [RootFact(Server, "setpriv", "unshare", "mount")]
    public void SpoolsDiskFull_IsToldInOneLine_AndLosesNothing()
    {
        using ClickHouseProcess server = ClickHouseProcess.Start();
        string[] files = [.. Enumerable.Range(0, 40).Select(i => _folder.Copy("reset.pcapng", i))];
        string disk = _folder.FileOf("disk");
        Directory.CreateDirectory(disk);
        string add = $"dotnet {Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll")} store add --store {server.Location("fleet")}";
        string line = $$"""
            step() { touch {{_folder.Path}}/$1; while [ ! -e {{_folder.Path}}/$2 ]; do sleep 0.1; done; }
            mount -t tmpfs -o size=2m none {{disk}} || exit 90
            export TCPDIAG_SPOOL={{disk}}
            {{add}} {{files[0]}} >/dev/null || exit 91
            step first killed
            {{add}} {{string.Join(' ', files[..20])}} >/dev/null 2>&1 || exit 92
            head -c 4m /dev/zero >{{disk}}/filler 2>/dev/null
            {{add}} {{string.Join(' ', files)}} >/dev/null
            [ $? = 1 ] || exit 93
            rm {{disk}}/filler
            {{add}} {{string.Join(' ', files)}} >/dev/null 2>&1 || exit 94
            step second started
            {{add}} {{files[0]}} >/dev/null
            """;
        using var working = Process.Start(new ProcessStartInfo("unshare", ["-m", "bash", "-c", line]) { UseShellExecute = false, RedirectStandardError = true })!;
        Task<string> error = working.StandardError.ReadToEndAsync();
        Meet(working, "first", server.Kill, "killed");
        Meet(working, "second", server.Start, "started");
        Assert.True(working.WaitForExit(60_000));
        Assert.Equal(0, working.ExitCode);
        Assert.Contains("the store could not grow: the disk is full. What was there before is whole.\n", error.Result, StringComparison.Ordinal);
        using IResultStore store = ResultStores.Open(server.Location("fleet"));
        Assert.Equal((40, 40, 80), (store.CountOf("result"), store.CountOf("recording"), store.CountOf("direction")));
    }

    [ToolFact(Server, "setpriv")]
    public void IngestOverARestartOfTheServer_TakesAllIn()
    {
        using ClickHouseProcess server = ClickHouseProcess.Start();
        string drop = Directory.CreateDirectory(_folder.FileOf("drop")).FullName;
        Put(drop, 0, 6);
        using Process ingest = OwnProcess.Start(["ingest", drop, "--store", server.Location("fleet"), "--settle", "50ms", "--workers", "2", "--lease", "2s"]);
        WaitFor(server, 6);
        server.Kill();
        Put(drop, 6, 12);
        ingest.WaitForExit(3000);
        server.Start();
        WaitFor(server, 12);
        OwnProcess.Kill(ingest);
        Assert.Equal(12, Count(server, "recording"));
    }

    [ToolFact(Server, "setpriv")]
    public void TwoWriters_OfTheSameRecordings_CountEachOnce()
    {
        using ClickHouseProcess server = ClickHouseProcess.Start();
        string[] files = [.. Enumerable.Range(0, 20).Select(i => _folder.Copy("bulk-loss.pcapng", i))];
        using Process one = OwnProcess.Start(["store", "add", .. files, "--store", server.Location("fleet")]);
        using Process other = OwnProcess.Start(["store", "add", .. files.Reverse(), "--store", server.Location("fleet")]);
        one.WaitForExit();
        other.WaitForExit();
        Assert.Equal((0, 0), (one.ExitCode, other.ExitCode));
        Assert.Equal((20, 20, 40), (Count(server, "result"), Count(server, "recording"), Count(server, "direction")));
    }

    // As many rows as a recording with a few connections has.
    static ResultRows Made(int number) => MadeFleet.Results(new FleetPlan(number, 1, 1, 8)).Single();

    static T Persist<T>(Func<T> work)
    {
        for (int attempt = 0; attempt < 50; attempt++)
        {
            try
            {
                return work();
            }
            catch (StoreUnreachableException)
            {
                // Cut again.
            }
        }

        return work();
    }

    void AssertWhole(string location, int results)
    {
        using IResultStore store = ResultStores.Open(location, isCreated: true);
        using IResultStore file = _folder.Open(StoreEngine.Sqlite);
        Enumerable.Range(0, results).ToList().ForEach(i => file.Add(Made(i)));
        Assert.Equal((results, results, 8 * results, results),
            (store.CountOf("result"), store.CountOf("recording"), store.CountOf("direction"), store.CountOf("finding")));
        Assert.Equal(file.Dump(), store.Dump());
    }

    static long Count(ClickHouseProcess server, string table)
    {
        using IResultStore store = ResultStores.Open(server.Location("fleet"));
        return store.CountOf(table);
    }

    static void WaitFor(ClickHouseProcess server, int recordings)
    {
        using var never = new ManualResetEventSlim();
        long begun = Stopwatch.GetTimestamp();
        while (server.Ask("EXISTS TABLE fleet.redaction_key") is not "1" || Count(server, "recording") < recordings)
        {
            Assert.True(Stopwatch.GetElapsedTime(begun) < Patience.Limit);
            never.Wait(200);
        }
    }

    void Put(string drop, int from, int to)
    {
        for (int i = from; i < to; i++)
        {
            string path = _folder.Copy("reset.pcapng", i);
            File.Move(path, Path.Combine(drop, Path.GetFileName(path)));
        }
    }

    void Meet(Process working, string at, Action act, string then)
    {
        while (!File.Exists(_folder.FileOf(at)))
        {
            Assert.False(working.WaitForExit(50), FormattableString.Invariant($"ended early: {(working.HasExited ? working.ExitCode : 0)}"));
        }

        act();
        File.WriteAllText(_folder.FileOf(then), string.Empty);
    }

    // The words of the system, without the address that .NET puts behind them.
    static string Error(ProgramResult result) => System.Text.RegularExpressions.Regex.Replace(result.Error, @" \(127\.0\.0\.1:\d+\)", string.Empty,
        System.Text.RegularExpressions.RegexOptions.None, TimeSpan.FromSeconds(1));
}
