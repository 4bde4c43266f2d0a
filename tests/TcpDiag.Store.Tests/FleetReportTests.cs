using System;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;
using TcpDiag.Store.Tests.Servers;
using Xunit;
using Xunit.Abstractions;

namespace TcpDiag.Store.Tests;

/// <summary>What the report of a fleet finds, and what it does not.</summary>
public sealed class FleetReportTests(ITestOutputHelper output) : IDisposable
{
    readonly ITestOutputHelper _output = output;
    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    [Trait("Needs", "time")]
    public void Regression_OfOneBuildAtOneRtt_IsFound_AndNothingElse()
    {
        FleetReport report = Report(new FleetPlan(11, 180, 4, 12) { Regression = 0.75 }, "build");
        FleetChange[] found = Different(report);
        Assert.Contains(found, change => change is { Group: "26200", Metric: FleetMetric.Goodput, Baseline: FleetBaseline.Others, Path.Rtt: 4, Judgement.Verdict: Verdict.Regressed });
        Assert.All(found, change => Assert.Equal(("26200", 4), (change.Group, change.Path?.Rtt)));
        Assert.InRange(found[0].Judgement.Ratio, 0.65, 0.85);
    }

    [Fact]
    [Trait("Needs", "time")]
    public void BadNic_IsFoundByTimeLost()
    {
        FleetReport report = Report(new FleetPlan(12, 90, 4, 6) { HasBadNic = true }, "nic");
        FleetChange worse = Assert.Single(Different(report)); // the others are no better for it
        Assert.Equal(("nic-c", FleetMetric.TimeLost, FleetBaseline.Others, Verdict.Regressed), (worse.Group, worse.Metric, worse.Baseline, worse.Judgement.Verdict));
        Assert.Equal("path-reordering", report.Findings[0].Id);
        Assert.Equal(30, report.Findings[0].Machines);
        Assert.Equal(1.0 / 3, report.Findings[0].Prevalence, 6);
        Assert.All(report.Attention.Take(5), machine => Assert.Equal("path-reordering", machine.Worst));
    }

    [Fact]
    [Trait("Needs", "time")]
    public void LastWeek_Slower_IsFoundInPairsOfMachines()
    {
        FleetReport report = Report(new FleetPlan(13, 180, 4, 12) { LastWeek = 0.85 }, "build");
        FleetChange found = Assert.Single(Different(report), change => change.Baseline == FleetBaseline.WeekBefore);
        Assert.Equal(("19045", FleetMetric.Goodput, Verdict.Regressed, 30), (found.Group, found.Metric, found.Judgement.Verdict, found.Machines));
        Assert.InRange(found.Judgement.Ratio, 0.75, 0.92);
    }

    /// <summary>Of intervals of 95 % fewer than 16 of 20 hold the truth with a probability of 0.03 %.</summary>
    [Fact]
    [Trait("Needs", "time")]
    public void Intervals_HoldTheTruth()
    {
        int held = Enumerable.Range(200, 20).Count(seed =>
        {
            FleetChange change = Report(new FleetPlan(seed, 90, 2, 12) { LastWeek = 0.85 }, "build").Changes
                .Single(one => one is { Group: "19045", Metric: FleetMetric.Goodput, Baseline: FleetBaseline.WeekBefore });
            return change.Judgement.Interval is { Low: <= 0.85, High: >= 0.85 };
        });
        Assert.InRange(held, 16, 20);
    }

    /// <summary>Nothing ails these fleets: at most one report in twenty may say otherwise.</summary>
    [Theory]
    [InlineData("build")]
    [InlineData("nic")]
    [Trait("Needs", "time")]
    public void HealthyFleets_GetNoFalseAlarms(string by)
    {
        int alarms = Enumerable.Range(100, 100).Count(seed => Different(Report(new FleetPlan(seed, 60, 2, 6), by)).Length > 0);
        _output.WriteLine($"{alarms} of 100");
        Assert.InRange(alarms, 0, 5);
    }

    /// <summary>The regression and the adapter of many fleets are found, and nothing else in more than one report of twenty.</summary>
    [LongTheory]
    [InlineData("build")]
    [InlineData("nic")]
    public void AilingFleets_AreToldWhatAilsThem_AndNothingElse(string by)
    {
        (int found, int others) = (0, 0);
        foreach (int seed in Enumerable.Range(500, 100))
        {
            FleetChange[] different = Different(Report(new FleetPlan(seed, 200, 12, 30) { Regression = 0.93, HasBadNic = true }, by));
            FleetChange[] right = [.. different.Where(change => change.Judgement.Verdict == Verdict.Regressed
                && (by is "nic" ? change is { Group: "nic-c", Metric: FleetMetric.TimeLost } : change is { Group: "26200", Path.Rtt: 4 }))];
            found += right.Length > 0 ? 1 : 0;
            others += different.Length > right.Length ? 1 : 0;
        }

        _output.WriteLine($"found {found}, something else {others}, of 100");
        Assert.InRange(found, 95, 100);
        Assert.InRange(others, 0, 5);
    }

    [Fact]
    public void FewMachines_AreToldSo()
    {
        FleetReport report = Report(new FleetPlan(14, 12, 2, 3) { Regression = 0.5 }, "build");
        Assert.Empty(Different(report));
        Assert.All(report.Changes, change => Assert.EndsWith("5 are needed", change.Judgement.Reason, StringComparison.Ordinal));
        Assert.Contains(report.Changes, change => string.Equals(change.Judgement.Reason, "2 machines with like paths in both weeks, 5 are needed", StringComparison.Ordinal));
    }

    [Fact]
    public void NewFinding_IsToldSo()
    {
        using SqliteStore store = _folder.Open();
        long monday = (new DateTimeOffset(2026, 11, 16, 0, 0, 0, TimeSpan.Zero) - DateTimeOffset.UnixEpoch).Ticks * 100;
        foreach ((int number, long begin) in new[] { (1, monday), (2, monday + (7L * 86_400_000_000_000)) })
        {
            store.Add(StoreAsking.Finding(number, begin, "path-loss"));
        }

        store.Add(StoreAsking.Finding(3, monday + (8L * 86_400_000_000_000), "rto-stalls"));
        FleetReport report = FleetBuilder.Build(store, "build", 4, StoreFilter.All);
        Assert.Equal("2026-11-23", report.Week);
        Assert.Equal([("path-loss", false), ("rto-stalls", true)], report.Findings.Select(finding => (finding.Id, finding.IsNew)));
    }

    [Fact]
    public void Empty_IsToldSo()
    {
        using SqliteStore store = _folder.Open();
        Assert.Null(FleetBuilder.Build(store, "build", 4, StoreFilter.All).Week);
    }

    /// <summary>Medians, sums and counts of the engine beside the same computed here.</summary>
    [Fact]
    public void Aggregate_IsWhatAPlainLoopGives()
    {
        using SqliteStore store = Filled(new FleetPlan(15, 12, 2, 7));
        StoreTable table = StoreSchema.Directions;
        GroupKey[] keys = [new(table.Require("machine"), []), new(table.Require("round_trip_min_ns"), PathClass.RttBounds)];
        var query = new AggregateQuery(table, keys, [table.Require("active_ns")], StoreFilter.All) { Median = table.Require("goodput_bps") };
        StoreValue[][] rows = [.. store.Query(new StoreQuery(table, [table.Require("machine"), table.Require("round_trip_min_ns"), table.Require("active_ns"), table.Require("goodput_bps")], StoreFilter.All))];
        string[] expected =
        [
            .. rows.GroupBy(row => (row[0].Text, Class: PathClass.RttBounds.Count(bound => row[1].Number >= bound)))
                .OrderBy(group => group.Key.Text, StringComparer.Ordinal).ThenBy(group => group.Key.Class)
                .Select(group => FormattableString.Invariant(
                    $"{group.Key.Text} {group.Key.Class} {group.Count()} {group.Sum(row => row[2].Number)} {group.Select(row => Rounded(row[3].Number)).Order().ElementAt((group.Count() - 1) / 2)}")),
        ];
        Assert.Equal(expected, store.Aggregate(query).Select(row => string.Join(' ', row.Select(value => value.ToString()))));
    }

    // To steps of 2, 4 and 10 in the first three digits.
    static long Rounded(long? number)
    {
        string digits = FormattableString.Invariant($"{number}");
        decimal unit = (decimal)Math.Pow(10, digits.Length - 3);
        decimal step = unit * (digits[0] is '1' ? 2 : digits[0] is '2' or '3' or '4' ? 4 : 10);
        return (long)(Math.Round(number!.Value / step, MidpointRounding.AwayFromZero) * step);
    }

    static FleetChange[] Different(FleetReport report) => [.. report.Changes.Where(change => change.Judgement.Verdict is Verdict.Improved or Verdict.Regressed)];

    FleetReport Report(FleetPlan plan, string by)
    {
        using SqliteStore store = Filled(plan);
        return FleetBuilder.Build(store, by, 12, StoreFilter.All);
    }

    SqliteStore Filled(FleetPlan plan)
    {
        SqliteStore store = SqliteStore.Open(_folder.FileOf(FormattableString.Invariant($"fleet-{plan.Seed}.db")), isCreated: true);
        foreach (ResultRows result in MadeFleet.Results(plan))
        {
            store.Add(result);
        }

        return store;
    }
}
