using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using Xunit;

namespace TcpDiag.Scores.Tests.Comparisons;

/// <summary>Metrics besides the one asked for, and what explains a difference.</summary>
public sealed class MetricComparisonTests
{
    const int Runs = 12;
    static readonly Metric Recovery = Metric.Find("time-recovery")!;
    static readonly Metric Window = Metric.Find("time-congestion-window")!;
    static readonly Metric Pacing = Metric.Find("time-pacing")!;

    [Fact]
    public void Compare_EachMetric_HasAVerdictOfItsOwn()
    {
        Comparison comparison = Compare(Metric.Goodput);
        Assert.Equal(
            ["goodput Regressed", "retransmissions Regressed", "needless Equal", "timeouts Equal", "time-congestion-window Equal", "time-recovery More"],
            comparison.Metrics.Select(metric => $"{metric.Metric.Name} {metric.Overall!.Verdict}"));
    }

    // Completion time follows from goodput, and the other way round: only the one asked for takes part of the error budget.
    [Fact]
    public void Compare_MetricAskedFor_DecidesAlone()
    {
        Assert.True(Compare(Metric.CompletionTime).HasRegression);
        Assert.DoesNotContain(Compare(Metric.CompletionTime).Metrics, metric => metric.Metric == Metric.Goodput);
        Assert.False(Compare(Metric.Timeouts).HasRegression);
        Assert.Equal(Metric.Timeouts, Compare(Metric.Timeouts).Primary.Metric);
    }

    // 0 retransmissions and 2 % have a ratio all the same: (0.02 + 0.0001) / 0.0001.
    [Fact]
    public void Compare_FromNothing_HasARatio()
    {
        Run[] a = [.. Enumerable.Range(0, Runs).Select(i => TestRuns.Of(100, (ulong)i, 1, RunEnd.Complete, (Metric.Retransmissions, 0)))];
        Run[] b = [.. Enumerable.Range(0, Runs).Select(i => TestRuns.Of(100, (ulong)i, 1, RunEnd.Complete, (Metric.Retransmissions, 0.02)))];
        Judgement judgement = TestRuns.Compare(a, b, Metric.Retransmissions).Primary.Overall!;
        Assert.Equal(201, judgement.Ratio, 6);
        Assert.Equal(Verdict.Regressed, judgement.Verdict);
    }

    [Fact]
    public void Compare_MetricThatOneSideLacks_IsLeftOut()
    {
        Run[] a = TestRuns.Seeded(1, 1, 2, 3, 4, 5);
        Run[] b = [.. a.Select(run => TestRuns.Of(1, run.Seed, run.Iteration, RunEnd.Complete, (Metric.Timeouts, 3)))];
        Assert.Equal(Metric.Goodput, Assert.Single(TestRuns.Compare(a, b).Metrics).Metric);
    }

    // A receiver that sends no DSACKs hides what is resent needlessly: that is no improvement.
    [Fact]
    public void Compare_SideWithoutDsacks_IsNotTold()
    {
        Run[] a = [.. Enumerable.Range(0, Runs).Select(i => TestRuns.Of(100, (ulong)i, 1, RunEnd.Complete, (Metric.Needless, 0.02)))];
        Run[] b = [.. Enumerable.Range(0, Runs).Select(i => TestRuns.Of(100, (ulong)i, 1, RunEnd.Complete, (Metric.Needless, 0)))];
        MetricComparison needless = TestRuns.Compare(a, b, Metric.Needless).Primary;
        Assert.Null(needless.Overall);
        Assert.Equal("one side reports no DSACK at all: its receiver may not send them", Assert.Single(needless.Cells).Judgement.Reason);
    }

    [Fact]
    public void Explanations_OfARegression_SayWhatTookTheTime()
    {
        Explanation explanation = Assert.Single(Compare(Metric.Goodput).Explanations);

        // Each run takes 10 s of congestion window; B's recovery 2.2 s for 1 s.
        Assert.Equal((Recovery, 1.2), (explanation.Limits[0].Metric, double.Round(explanation.Limits[0].Seconds, 9)));
        Assert.Single(explanation.Limits);
        Assert.Equal(1.2, explanation.CompletionTime!.Seconds, 9);
        Assert.Equal([Metric.Retransmissions, Recovery], explanation.Moved.Select(moved => moved.Metric));
        Assert.All(explanation.Moved, moved => Assert.True(moved.IsOfCell));
    }

    // Ratios from 0.80 to 0.91; the middle of all averages is that of the sixth and seventh.
    [Fact]
    public void Explanations_BestPair_IsTheTypicalOne()
    {
        RunPair best = Assert.Single(Compare(Metric.Goodput).Explanations).Best;
        Assert.Equal(best.A.Seed, best.B.Seed);
        Assert.InRange(best.A.Seed!.Value, 5UL, 6UL);
    }

    // Cut short, they rank below all others by every metric: which says nothing of the metric.
    [Fact]
    public void Explanations_RunsCutShort_NameNoMetricForThat()
    {
        Run[] a = [.. Enumerable.Range(0, Runs).Select(i => TestRuns.Of(100 + i, (ulong)i, 1, RunEnd.Complete, (Metric.Timeouts, 0)))];
        Run[] b = [.. a.Select(run => run with { End = RunEnd.CutShort })];
        Comparison comparison = TestRuns.Compare(a, b);

        Assert.Equal(Verdict.Regressed, comparison.Metrics.Single(metric => metric.Metric == Metric.Timeouts).Overall!.Verdict);
        Assert.Empty(Assert.Single(comparison.Explanations).Moved);
    }

    [Fact]
    public void Explanations_WithoutDifference_AreNone()
    {
        Run[] runs = TestRuns.Seeded(1, 1, 2, 3, 4, 5, 6);
        Assert.Empty(TestRuns.Compare(runs, runs).Explanations);
    }

    [Fact]
    public void Find_EachName_IsThatMetric()
    {
        Assert.All(Metric.All, metric => Assert.Same(metric, Metric.Find(metric.Name)));
        Assert.Null(Metric.Find("speed"));
        Assert.Contains("time-not-judged", Metric.All.Select(metric => metric.Name));
    }

    // B is slower, resends more and spends the time in recovery; needless retransmissions, timeouts and the window's time are the same, pacing takes next to
    // nothing.
    static Comparison Compare(Metric metric)
    {
        Run[] a = [.. Enumerable.Range(0, Runs).Select(i => Run(i, 100, 0.01, 1))];
        Run[] b = [.. Enumerable.Range(0, Runs).Select(i => Run(i, 80 + i, 0.03, 2.2))];
        return TestRuns.Compare(a, b, metric);
    }

    static Run Run(int index, double goodput, double resent, double recovery) => TestRuns.Of(
        goodput,
        (ulong)index,
        index + 1,
        RunEnd.Complete,
        (Metric.CompletionTime, 10 + recovery),
        (Metric.Retransmissions, resent),
        (Metric.Needless, 0.005),
        (Metric.Timeouts, 0),
        (Window, 10),
        (Recovery, recovery),
        (Pacing, 0.001));
}
