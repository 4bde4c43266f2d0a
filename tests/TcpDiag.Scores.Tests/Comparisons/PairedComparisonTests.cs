using System;
using System.Linq;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using Xunit;

namespace TcpDiag.Scores.Tests.Comparisons;

/// <summary>Runs of one seed are compared with each other, whatever lies between seeds.</summary>
public sealed class PairedComparisonTests
{
    // Seeds differ by a factor of 100, B from A by 20 % in each of them.
    static readonly double[] Scattered = [1, 2, 5, 10, 20, 50, 100, 3, 7, 30];
    static readonly double[] Faster = [.. Scattered.Select((value, index) => value * (1.19 + (0.002 * index)))];

    [Fact]
    public void Compare_SameSeeds_SeesWhatSeedsHide()
    {
        CellComparison paired = Assert.Single(TestRuns.Compare(TestRuns.Seeded(1, Scattered), TestRuns.Seeded(1, Faster)).Primary.Cells);
        Assert.Equal((Verdict.Improved, 10), (paired.Judgement.Verdict, paired.Pairs.Count));
        Assert.Equal(2.0 / 1024, paired.Judgement.PValue, 12);
        Assert.InRange(paired.Judgement.Ratio, 1.198, 1.200);
        Assert.InRange(paired.Judgement.Interval.Low, 1.19, 1.198);
        Assert.InRange(paired.Judgement.Interval.High, 1.2, 1.208);

        CellComparison unpaired = Assert.Single(TestRuns.Compare(TestRuns.Seeded(1, Scattered), TestRuns.Seeded(100, Faster)).Primary.Cells);
        Assert.Equal(Verdict.NotEnoughEvidence, unpaired.Judgement.Verdict);
        Assert.Empty(unpaired.Pairs);
        Assert.EndsWith("or far fewer with the same --seed on both, would show a change of 10 %", unpaired.Judgement.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_RunsInAnotherOrder_IsTheSame()
    {
        Judgement one = Assert.Single(TestRuns.Compare(TestRuns.Seeded(1, Scattered), TestRuns.Seeded(1, Faster)).Primary.Cells).Judgement;
        Judgement other = Assert.Single(TestRuns.Compare(TestRuns.Seeded(1, Scattered), [.. TestRuns.Seeded(1, Faster).Reverse()]).Primary.Cells).Judgement;
        Assert.Equal(one, other);
    }

    // 6 pairs: p = 2/64 = 0.031 at best, enough for one question; 5: 2/32 is not.
    [Theory]
    [InlineData(4, "A and B have fewer than 5 pairs of runs that count")]
    [InlineData(5, "5 pairs cannot settle even one question: 6 would")]
    [InlineData(6, null)]
    public void Compare_FewPairs_SaysHowManyWouldDo(int pairs, string? reason)
    {
        Comparison comparison = TestRuns.Compare(TestRuns.Seeded(1, Scattered[..pairs]), TestRuns.Seeded(1, Faster[..pairs]));
        Assert.Equal(reason, Assert.Single(comparison.Primary.Cells).Judgement.Reason);
    }

    [Fact]
    public void Compare_RunsWithoutPartner_AreLeftOut()
    {
        Run[] a = [.. TestRuns.Seeded(1, Scattered), TestRuns.Of(1e9, 99, 11)];
        CellComparison cell = Assert.Single(TestRuns.Compare(a, TestRuns.Seeded(1, Faster)).Primary.Cells);
        Assert.Equal((10, 11), (cell.Pairs.Count, cell.A.Runs.Count));
        Assert.InRange(cell.Judgement.Ratio, 1.198, 1.200);
    }

    // A run that was cut short ranks below all that came to their end, however fast it was until then.
    [Fact]
    public void Compare_CutShort_RanksBelowAll()
    {
        Run[] b = [.. TestRuns.Seeded(1, Faster).Select(run => run with { End = RunEnd.CutShort })];
        CellComparison cell = Assert.Single(TestRuns.Compare(TestRuns.Seeded(1, Scattered), b).Primary.Cells);
        Assert.Equal((Verdict.Regressed, 0, 10), (cell.Judgement.Verdict, cell.CensoredA, cell.CensoredB));
        Assert.Equal(0, cell.Judgement.Ratio);
    }

    // Cut short at the same limit, both have a goodput until then.
    [Fact]
    public void Compare_BothCutShort_ComparesWhatCameUntilThen()
    {
        Run[] a = [.. TestRuns.Seeded(1, Scattered).Select(run => run with { End = RunEnd.CutShort })];
        Run[] b = [.. TestRuns.Seeded(1, Faster).Select(run => run with { End = RunEnd.CutShort })];
        CellComparison cell = Assert.Single(TestRuns.Compare(a, b).Primary.Cells);
        Assert.Equal(Verdict.Improved, cell.Judgement.Verdict);
        Assert.InRange(cell.Judgement.Ratio, 1.198, 1.200);
        Assert.Equal(8.5, cell.MedianA!.Value, 9);
    }

    // When they would have ended nobody knows: that both took until the limit is no evidence of equality.
    [Fact]
    public void Compare_CompletionTimeAtTheLimit_SaysNothing()
    {
        Run[] runs = [.. Enumerable.Range(1, 10).Select(i => TestRuns.Of(1, (ulong)i, i, RunEnd.CutShort, (Metric.CompletionTime, 600)))];
        CellComparison cell = Assert.Single(TestRuns.Compare(runs, runs, Metric.CompletionTime).Primary.Cells);
        Assert.Equal("A and B have fewer than 5 pairs of runs that count (runs that were reset, or had no end, on both sides say nothing)",
            cell.Judgement.Reason);
        Assert.Null(cell.MedianA);
    }

    [Fact]
    public void Compare_ResetOnBothSides_SaysNothing_OnOneSideRegresses()
    {
        Run[] reset = [.. TestRuns.Seeded(1, Scattered).Select(run => run with { End = RunEnd.Reset })];
        Assert.Equal(Verdict.NotEnoughEvidence, Assert.Single(TestRuns.Compare(reset, reset).Primary.Cells).Judgement.Verdict);
        Assert.Equal(Verdict.Regressed, Assert.Single(TestRuns.Compare(TestRuns.Seeded(1, Scattered), reset).Primary.Cells).Judgement.Verdict);
        Assert.Equal(Verdict.Improved, Assert.Single(TestRuns.Compare(reset, TestRuns.Seeded(1, Scattered)).Primary.Cells).Judgement.Verdict);
    }

    // Two cells of 3 and 3 pairs have no verdict; two of 5 have one together: 2 / 2¹⁰.
    [Fact]
    public void Compare_SeveralCells_AreOneInTheEnd()
    {
        Run[] a = TestRuns.Seeded(1, Scattered);
        Run[] b = TestRuns.Seeded(1, Faster);
        Comparison comparison = Compare([a[..5], a[5..]], [b[..5], b[5..]]);
        Assert.Equal(Verdict.Improved, comparison.Primary.Overall!.Verdict);
        Assert.Equal(2.0 / 1024, comparison.Primary.Overall.PValue, 12);
        Assert.All(comparison.Primary.Cells, cell => Assert.Equal("5 pairs cannot settle 3 questions at once: 7 would", cell.Judgement.Reason));
    }

    // One experiment compared under the names of two sides that are the same: twice the cells, no more evidence.
    [Fact]
    public void Compare_SameSeedsInTwoCells_CountOnce()
    {
        Run[] a = TestRuns.Seeded(1, Scattered);
        Run[] b = TestRuns.Seeded(1, Faster);
        Judgement twice = Compare([a, a], [b, b]).Primary.Overall!;
        Judgement once = TestRuns.Compare(a, b).Primary.Overall!;
        Assert.Equal(once.PValue, twice.PValue, 12);
        Assert.Equal(once.Interval.Low, twice.Interval.Low, 12);
    }

    [Fact]
    public void Compare_SharedSeedsWithoutPairs_HaveNoVerdictTogether()
    {
        Run[] a = TestRuns.Seeded(1, Scattered);
        Run[] b = TestRuns.Seeded(100, Faster);
        Judgement overall = Compare([a, a], [b, b]).Primary.Overall!;
        Assert.Equal("sides share seeds, so that without pairs they do not count as independent: name one with --side", overall.Reason);
    }

    static Comparison Compare(Run[][] a, Run[][] b) =>
        RunSetComparer.Compare(new RunSetPair(TestRuns.Set("a", a), TestRuns.Set("b", b)), new ComparisonSettings());
}
