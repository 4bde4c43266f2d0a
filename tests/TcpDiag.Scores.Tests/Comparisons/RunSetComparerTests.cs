using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using Xunit;

namespace TcpDiag.Scores.Tests.Comparisons;

public sealed class RunSetComparerTests
{
    static readonly double[] Slow = [10, 11, 12, 13, 14];
    static readonly double[] Fast = [20, 21, 22, 23, 24];

    [Fact]
    public void Compare_FasterB_IsImproved()
    {
        Judgement judgement = Single(Compare([Slow], [Fast])).Judgement;

        Assert.Equal(Verdict.Improved, judgement.Verdict);
        // The middle of the 25 ratios; two are left out at each end: 20/14, 21/14 | 20/13 … 22/10 | 23/10, 24/10.
        Assert.Equal(22.0 / 12, judgement.Ratio, 12);
        Assert.Equal(20.0 / 13, judgement.Interval.Low, 12);
        Assert.Equal(22.0 / 10, judgement.Interval.High, 12);

        // Complete separation: 2 / C(10, 5).
        Assert.Equal(2.0 / 252, judgement.PValue, 12);
        Assert.Equal(1, judgement.HigherShare);
        Assert.Null(judgement.Reason);
    }

    [Fact]
    public void Compare_SlowerB_IsRegressed()
    {
        Comparison comparison = Compare([Fast], [Slow]);
        Assert.Equal(Verdict.Regressed, Single(comparison).Judgement.Verdict);
        Assert.True(comparison.HasRegression);
    }

    [Fact]
    public void Compare_WithinTheMargin_IsEqual()
    {
        // Completely apart, but by 1 %: what does not matter is equal, however certain.
        Comparison comparison = Compare([[100, 100.1, 100.2, 100.3, 100.4]], [[101, 101.1, 101.2, 101.3, 101.4]]);
        Assert.Equal(Verdict.Equal, Single(comparison).Judgement.Verdict);
        Assert.False(comparison.HasRegression);
    }

    [Fact]
    public void Compare_Scattered_IsNotEnoughEvidence() =>

        // The middle half of B is ln(41/18) = 0.823 wide, a deviation of 0.823 / 1.349 = 0.610; π/3 · 2 · 3.2415² · (0.610 / ln 1.1)² = 903.
        AssertUnclear(
            Compare([[10, 20, 30, 40, 50]], [[12, 18, 33, 41, 48]]),
            "the interval holds both no change and more than the margin; "
            + "903 runs of each side, or far fewer with the same --seed on both, would show a change of 10 %");

    [Fact]
    public void Compare_CertainButAboutTheMargin_IsNotEnoughEvidence() =>
        AssertUnclear(Compare([[100, 100.5, 101, 101.5, 102]], [[103, 104, 105, 107, 109]]), "there is a difference, but it may be within the margin");

    [Theory]
    [InlineData(4, 5, "A has fewer than 5 runs that count")]
    [InlineData(5, 4, "B has fewer than 5 runs that count")]
    [InlineData(1, 2, "A and B have fewer than 5 runs that count")]
    public void Compare_FewRuns_SaysWhoseAreMissing(int a, int b, string reason)
    {
        Comparison comparison = Compare([Slow[..a]], [Fast[..b]]);
        AssertUnclear(comparison, reason);
        Assert.Null(comparison.Primary.Overall);
        Assert.Null(Single(comparison).Judgement.CorrectedPValue);
    }

    [Fact]
    public void Compare_ManyCells_SaysHowManyRunsWouldDo()
    {
        // 8 cells and all of them together are 9 questions: 2/252 × 9 = 0.07 is above 0.05 however far apart the runs are. When the whole is decided,
        // 8 are left: 0.063. With 6 a side 2/924 × 9 = 0.019.
        Comparison comparison = Compare([.. Enumerable.Repeat(Slow, 8)], [.. Enumerable.Repeat(Fast, 8)]);

        Assert.All(comparison.Primary.Cells, cell => Assert.Equal("5 and 5 runs cannot settle 9 questions at once: 6 of each would", cell.Judgement.Reason));

        // All cells as one do: 2 / 252⁸.
        Assert.Equal(Verdict.Improved, comparison.Primary.Overall!.Verdict);
        Assert.InRange(comparison.Primary.Overall.PValue, 1e-20, 1e-18);
    }

    [Fact]
    public void Compare_Overall_IsTheGeometricMean()
    {
        // Ratios 2 and 1/2: no change over all.
        Comparison comparison = Compare([[10, 10, 10, 10, 10], [20, 20, 20, 20, 20]], [[20, 20, 20, 20, 20], [10, 10, 10, 10, 10]]);
        Assert.Equal(1, comparison.Primary.Overall!.Ratio, 12);
        Assert.Equal(0.5, comparison.Primary.Overall.HigherShare);
        Assert.Equal(1, comparison.Primary.Overall.PValue, 12);
    }

    [Fact]
    public void Compare_NothingArrivesAnyMore_IsRegressed() => Assert.Equal(Verdict.Regressed, Single(Compare([Slow], [[0, 0, 0, 0, 0]])).Judgement.Verdict);

    [Fact]
    public void Compare_SomethingArrivesAtLast_IsImproved() => Assert.Equal(Verdict.Improved, Single(Compare([[0, 0, 0, 0, 0]], [Slow])).Judgement.Verdict);

    [Fact]
    public void Compare_NothingArrivesEither_SaysNothing() =>
        AssertUnclear(
            Compare([[0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0]]),
            "A and B have fewer than 5 runs that count (runs that were reset, or had no end, on both sides say nothing)");

    [Fact]
    public void Compare_NoRuns_ComparesNothing()
    {
        Comparison comparison = Compare([], []);
        Assert.Empty(comparison.Primary.Cells);
        Assert.Null(comparison.Primary.Overall);
    }

    [Fact]
    public void Compare_Exchanged_InvertsEverything() => Prop.ForAll(Samples().ToArbitrary(), samples =>
    {
        CellComparison there = Single(Compare([samples.A], [samples.B]));
        CellComparison back = Single(Compare([samples.B], [samples.A]));

        Assert.Equal(there.Judgement.Ratio, 1 / back.Judgement.Ratio, 9);
        Assert.Equal(there.Judgement.Interval.Low, 1 / back.Judgement.Interval.High, 9);
        Assert.Equal(there.Judgement.PValue, back.Judgement.PValue, 9);
        Assert.Equal(there.Judgement.HigherShare, 1 - back.Judgement.HigherShare, 9);
        Assert.Equal(there.Judgement.Verdict, Inverse(back.Judgement.Verdict));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Compare_BothScaled_ChangesNothing() => Prop.ForAll(Samples().ToArbitrary(), samples =>
    {
        CellComparison plain = Single(Compare([samples.A], [samples.B]));
        CellComparison scaled = Single(Compare([[.. samples.A.Select(value => value * 1024)]], [[.. samples.B.Select(value => value * 1024)]]));

        Assert.Equal(plain.Judgement.Ratio, scaled.Judgement.Ratio, 9);
        Assert.Equal(plain.Judgement.Interval.Low, scaled.Judgement.Interval.Low, 9);
        Assert.Equal(plain.Judgement.PValue, scaled.Judgement.PValue);
        Assert.Equal(plain.Judgement.Verdict, scaled.Judgement.Verdict);
    }).QuickCheckThrowOnFailure();

    static Verdict Inverse(Verdict verdict) => verdict switch
    {
        Verdict.Improved => Verdict.Regressed,
        Verdict.Regressed => Verdict.Improved,
        _ => verdict,
    };

    // B is 0.5 to 2 times A, with some scatter; no value of A is one of B.
    static Gen<(double[] A, double[] B)> Samples() =>
        from size in Gen.Choose(5, 9)
        from a in Gen.Choose(950, 1050).Select(value => value * 1.0).ArrayOf(size)
        from factor in Gen.Choose(50, 200)
        from b in Gen.Choose(950, 1050).Select(value => ((value * factor) + 0.5) / 100).ArrayOf(size)
        select (a, b);

    static void AssertUnclear(Comparison comparison, string reason)
    {
        Judgement judgement = Single(comparison).Judgement;
        Assert.Equal(Verdict.NotEnoughEvidence, judgement.Verdict);
        Assert.Equal(reason, judgement.Reason);
    }

    static CellComparison Single(Comparison comparison) => Assert.Single(comparison.Primary.Cells);

    static Comparison Compare(double[][] a, double[][] b) => RunSetComparer.Compare(new RunSetPair(Set("a", a), Set("b", b)), new ComparisonSettings());

    static RunSet Set(string name, double[][] cells) => TestRuns.Set(name, [.. cells.Select(values => values.Select(value => TestRuns.Of(value)).ToArray())]);
}
