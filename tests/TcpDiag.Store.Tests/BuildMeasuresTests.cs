using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;
using TcpDiag.Store.Tests.Servers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>What is measured of builds, and two of them side by side.</summary>
public sealed class BuildMeasuresTests : IDisposable
{
    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    // The k-th smallest and largest: P(B(n, ½) ≤ k − 1) ≤ 2.5 %, from a table of the binomial distribution.
    [Theory]
    [InlineData(5, 0)]
    [InlineData(6, 1)]
    [InlineData(8, 1)]
    [InlineData(9, 2)]
    [InlineData(12, 3)]
    [InlineData(20, 6)]
    [InlineData(50, 18)]
    [InlineData(100, 40)]
    [InlineData(1000, 469)]
    [InlineData(2000, 956)]
    public void Interval_LiesBetweenOrderStatistics(int n, int k)
    {
        double[] values = [.. Enumerable.Range(1, n).Select(number => (double)number)];
        var share = MachineShare.Of([.. values.Reverse()]);
        Assert.Equal((n + 1) / 2.0, share.Median);
        Assert.Equal(k == 0 ? null : k, share.Low);
        Assert.Equal(k == 0 ? null : n + 1 - k, share.High);
    }

    [Fact]
    public void NoMachine_HasNoMedian() => Assert.Equal(new MachineShare(0, null, null, null), MachineShare.Of([]));

    // The same from the rows, by a plain loop: of each machine time lost over active time, then the middle.
    [Fact]
    public void TimeLost_IsTheMedianOverMachines()
    {
        using SqliteStore store = Filled(new FleetPlan(21, 42, 2, 3));
        IReadOnlyList<MeasuredBuild> measured = new BuildMeasures(store, StoreFilter.All).All();
        Assert.Equal(["19045", "22000", "22621", "22631", "26100", "26200"], measured.Select(build => build.Build));
        foreach (MeasuredBuild build in measured)
        {
            Dictionary<string, double> lost = Sums(store, StoreSchema.Findings, "lost_ns", build.Build);
            double[] shares = [.. Sums(store, StoreSchema.Directions, "active_ns", build.Build).Select(machine => lost[machine.Key] / machine.Value).Order()];
            Assert.Equal((7, 14L), (build.Machines, build.Recordings));
            Assert.Equal((7, shares[3], shares[0], shares[6]), (build.Shares[0].Machines, build.Shares[0].Median, build.Shares[0].Low, build.Shares[0].High));
            Assert.Equal(new MachineShare(0, null, null, null), build.Shares[1]);
        }
    }

    [Fact]
    public void Scores_AreAddedUpOverMachines_AndSendersCountedByFingerprint()
    {
        using SqliteStore store = _folder.Open();
        for (int i = 1; i <= 4; i++)
        {
            store.Add(Score(i, hits: i, trials: 5, i == 4 ? "dupack" : "rack-fixed"));
        }

        store.Add(StoreAsking.Finding(1, 0, "path-loss"));
        MeasuredBuild build = Assert.Single(new BuildMeasures(store, StoreFilter.All).All());
        Assert.Equal((10L, 20L), (build.Scores.Single().Rate.Hits, build.Scores.Single().Rate.Trials));
        Assert.Equal([("rack-fixed", 3L), ("dupack", 1L)], build.Fingerprints);
    }

    [Fact]
    [Trait("Needs", "time")]
    public void Pair_FindsTheRegression_AndNothingBetweenTheOthers()
    {
        using SqliteStore store = Filled(new FleetPlan(22, 180, 4, 12) { Regression = 0.7 });
        var pairs = BuildPairs.Of(store, 4);
        FleetChange found = Assert.Single(pairs.Between("22000", "26200").Changes, change => change.Judgement.Verdict is Verdict.Regressed or Verdict.Improved);
        Assert.Equal((FleetMetric.Goodput, 4, Verdict.Regressed, 30), (found.Metric, found.Path?.Rtt, found.Judgement.Verdict, found.Machines));
        FleetChange back = Assert.Single(pairs.Between("26200", "22000").Changes, change => change.Judgement.Verdict is Verdict.Regressed or Verdict.Improved);
        Assert.Equal(Verdict.Improved, back.Judgement.Verdict);
        Assert.Equal(1, found.Judgement.Ratio * back.Judgement.Ratio, 9);
        Assert.DoesNotContain(pairs.Between("22000", "22621").Changes, change => change.Judgement.Verdict is Verdict.Regressed or Verdict.Improved);
    }

    /// <summary>What is told of builds, any two of them, and a page of a list: from both engines, to the last byte.</summary>
    [Theory]
    [OnClickHouse]
    public void Builds_AreTheSameFromBothEngines(StoreEngine engine)
    {
        string[] told = [.. new[] { StoreEngine.Sqlite, engine }.Select(one =>
        {
            using IIngestStore store = _folder.Open(one);
            ResultRows[] all = [.. MadeFleet.Results(new FleetPlan(24, 60, 4, 6) { Regression = 0.6, HasBadNic = true }), Score(1, 3, 5, "dupack")];
            _ = store is ClickHouseStore server ? server.AddAll(all).Count : all.Count(result => store.Add(result) == AddOutcome.Added);
            FleetChange[] pair = [.. BuildPairs.Of(store, 4).Between("22000", "26200").Changes];
            var page = new StoreQuery(StoreSchema.Recordings, [StoreSchema.Recordings.Require(RowHead.SourceName)], StoreFilter.All)
            {
                Largest = StoreSchema.Recordings.Require("started_ns"), Limit = 7, Skipped = 55,
            };
            ProgramResult result = OwnProcess.Run(["builds", "--json", "--store", store.Location]);
            Assert.Equal(string.Empty, result.Error);
            IEnumerable<string> lines = pair.Select(change => $"{change}").Concat(store.Query(page).Select(row => $"{row[0]}")).Append($"{StoreState.Of(store).Results}");
            return string.Join('\n', lines.Append(result.Output.Replace(store.Location, "STORE", StringComparison.Ordinal)));
        })];
        Assert.Equal(told[0], told[1]);
        Assert.Contains("Regressed", told[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Pair_OfOneBuild_OrOneThatIsNotThere_AsksNothing()
    {
        using SqliteStore store = Filled(new FleetPlan(23, 12, 2, 3));
        var pairs = BuildPairs.Of(store, 4);
        Assert.Empty(pairs.Between("22000", "22000").Changes);
        BuildPair one = pairs.Between("22000", "no-such-build");
        Assert.Empty(one.Changes);
        Assert.Null(one.MeasuredB);
        Assert.Equal(2, one.MeasuredA!.Machines);
    }

    [Fact]
    public void EmptyStore_HasNothing()
    {
        using SqliteStore store = _folder.Open();
        Assert.Empty(new BuildMeasures(store, StoreFilter.All).All());
        Assert.Null(BuildPairs.Of(store, 4).Between("1", "2").Week);
        Assert.Equal(default, StoreState.Of(store));
    }

    [Fact]
    public void State_ChangesWithWhatIsAddedAndRemoved()
    {
        using SqliteStore store = _folder.Open();
        store.Add(StoreAsking.Finding(1, 0, "path-loss"));
        StoreState one = StoreState.Of(store);
        Assert.Equal(one, StoreState.Of(store));
        store.Add(StoreAsking.Finding(2, 0, "path-loss"));
        StoreState two = StoreState.Of(store);
        Assert.NotEqual(one, two);
        store.Prune(StoreFilter.All.And(RowHead.SourceName, ConditionKind.Is, StoreValue.Of($"{2:x64}")));
        Assert.NotEqual(two, StoreState.Of(store));
    }

    SqliteStore Filled(FleetPlan plan)
    {
        SqliteStore store = _folder.Open();
        foreach (ResultRows result in MadeFleet.Results(plan))
        {
            store.Add(result);
        }

        return store;
    }

    static Dictionary<string, double> Sums(SqliteStore store, StoreTable table, string column, string build)
    {
        var sums = new Dictionary<string, double>(StringComparer.Ordinal);
        StoreFilter filter = StoreFilter.All.And("build", ConditionKind.Is, StoreValue.Of(build));
        foreach (StoreValue[] row in store.Query(new StoreQuery(table, [table.Require("machine"), table.Require(column)], filter)))
        {
            sums[row[0].Text!] = sums.GetValueOrDefault(row[0].Text!) + (row[1].Number ?? 0);
        }

        return sums;
    }

    static ResultRows Score(int number, int hits, int trials, string fingerprint)
    {
        var head = new RowHead(FormattableString.Invariant($"{number:x64}"), 0, FormattableString.Invariant($"m-{number}"), null, "windows", "26100", null);
        StoreTable table = StoreSchema.Find("score")!;
        StoreValue[] row = [.. table.Columns.Select(column => column.Name switch
        {
            RowHead.SourceName => StoreValue.Of(head.Source),
            "week" => StoreValue.Of("1969-12-29"),
            "machine" => StoreValue.Of(head.Machine),
            "build" => StoreValue.Of(head.Build),
            "connection" => StoreValue.Of(0),
            "sender" => StoreValue.Of("client"),
            "component" => StoreValue.Of("late-within-window"),
            "hits" => StoreValue.Of(hits),
            "trials" => StoreValue.Of(trials),
            "fingerprint" => StoreValue.Of(fingerprint),
            _ => StoreValue.None,
        })];
        return new(ResultKind.Score, head, new Version(1, 0), [new(table, [row])]);
    }
}
