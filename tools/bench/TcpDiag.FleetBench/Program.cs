using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Store;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Tests;
using TcpDiag.Store.Tests.Servers;

namespace TcpDiag.FleetBench;

/// <summary>
/// Fills a store with a made-up fleet of 200 machines, 6 builds and 12 weeks, in which one build is 7 % slower at one class of round trips and one adapter
/// reorders, and measures: rows a second, bytes a row, how long reports take by build and by adapter, over four weeks and over all, and pages of the server.
/// <code>dotnet run -c Release --project tools/bench/TcpDiag.FleetBench -- sqlite|clickhouse|LOCATION CONNECTIONS [SEED]</code>
/// <c>clickhouse</c> starts two servers on loopback, which are one cluster; their files go away in the end.
/// <code>dotnet run -c Release --project tools/bench/TcpDiag.FleetBench -- FILE.etl CONNECTIONS [AT_ONCE]</code>
/// only writes a recording of so many connections that events tell of, to measure how `ingest` takes it in.
/// </summary>
static class Program
{
    const int Machines = 200;
    const int Weeks = 12;
    const int Writers = 2;

    static int Main(string[] arguments)
    {
        if (arguments.Length < 2 || !long.TryParse(arguments[1], NumberStyles.None, CultureInfo.InvariantCulture, out long connections))
        {
            Console.Error.WriteLine("usage: FleetBench sqlite|clickhouse|LOCATION|FILE.etl CONNECTIONS [SEED|AT_ONCE]");
            return 2;
        }

        if (arguments[0].EndsWith(".etl", StringComparison.Ordinal))
        {
            using FileStream file = File.Create(arguments[0]);
            MadeEvents events = arguments.Length > 2 ? new(file, int.Parse(arguments[2], CultureInfo.InvariantCulture)) : new(file);
            events.Write((int)connections);
            return 0;
        }

        int seed = arguments.Length > 2 ? int.Parse(arguments[2], CultureInfo.InvariantCulture) : 1;
        var plan = new FleetPlan(seed, Machines, Weeks, (int)(connections / (Machines * Weeks))) { Regression = 0.93, HasBadNic = true, IsFull = true };
        string folder = Directory.CreateTempSubdirectory("tcpdiag-fleet-").FullName;
        ClickHouseProcess[] servers = arguments[0] is "clickhouse" ? ClickHouseProcess.StartPair() : [];
        try
        {
            string location = arguments[0] switch
            {
                "sqlite" => Path.Combine(folder, "fleet.db"),
                "clickhouse" => $"clickhouse://{servers[0].Address},{servers[1].Address}/fleet?cluster=pair",
                { } other => other,
            };
            Environment.SetEnvironmentVariable("TCPDIAG_SPOOL", folder);
            Measure(location, plan, ResultStores.IsServer(location) ? Writers : 1);
            ServedPages.Measure(location).GetAwaiter().GetResult();
        }
        finally
        {
            servers.ToList().ForEach(server => server.Dispose());
            Directory.Delete(folder, recursive: true);
        }

        return 0;
    }

    static void Measure(string location, FleetPlan plan, int writers)
    {
        ResultStores.Open(location, isCreated: true).Dispose();
        long begun = Stopwatch.GetTimestamp();
        Fill(location, plan, writers);
        using IResultStore store = ResultStores.Open(location);
        double seconds = Stopwatch.GetElapsedTime(begun).TotalSeconds;
        long rows = StoreSchema.Tables.Sum(table => store.Count(table, StoreFilter.All));
        long directions = store.Count(StoreSchema.Directions, StoreFilter.All);
        Console.WriteLine(FormattableString.Invariant(
            $"{directions} connections, {rows} rows in {seconds:0.0} s: {rows / seconds:0} rows/s; {store.Bytes} bytes, {(double)store.Bytes / rows:0.0} a row"));
        foreach ((string by, int weeks) in new[] { ("build", 4), ("build", 4), ("build", Weeks), ("build", Weeks), ("nic", Weeks) })
        {
            Report(store, by, weeks);
        }

        begun = Stopwatch.GetTimestamp();
        int builds = new BuildMeasures(store, StoreFilter.All).All().Count;
        Console.WriteLine(FormattableString.Invariant($"{builds} builds measured: {Stopwatch.GetElapsedTime(begun).TotalSeconds:0.00} s"));
    }

    static void Fill(string location, FleetPlan plan, int writers)
    {
        using var results = new BlockingCollection<ResultRows>(2 * writers);
        int done = 0;
        Task[] tasks = [.. Enumerable.Range(0, writers).Select(_ => Task.Factory.StartNew(
            () =>
            {
                using IResultStore store = ResultStores.Open(location, isCreated: true);
                foreach (ResultRows result in results.GetConsumingEnumerable())
                {
                    store.Add(result);
                    Console.Error.Write($"\r{Interlocked.Increment(ref done)} of {plan.Machines * plan.Weeks} recordings ");
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default))];
        foreach (ResultRows result in MadeFleet.Results(plan))
        {
            results.Add(result);
        }

        results.CompleteAdding();
        Task.WaitAll(tasks);
        Console.Error.WriteLine();
    }

    static void Report(IResultStore store, string by, int weeks)
    {
        long begun = Stopwatch.GetTimestamp();
        FleetReport report = FleetBuilder.Build(store, by, weeks, StoreFilter.All);
        double seconds = Stopwatch.GetElapsedTime(begun).TotalSeconds;
        IEnumerable<string> found = report.Changes.Where(change => change.Judgement.Verdict is Verdict.Improved or Verdict.Regressed)
            .Select(change => FormattableString.Invariant($"{change.Group} {change.Metric} {change.Baseline} {change.Path}: {change.Judgement.Ratio:0.000}"));
        Console.WriteLine(FormattableString.Invariant(
            $"report by {by} over {weeks} weeks: {seconds:0.00} s, {report.Transfers} transfers; {string.Join("; ", found)}"));
    }
}
