using System;
using System.Collections.Generic;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class MannWhitneyTests
{
    const int Digits = 12;

    // Permeability of the human chorioamnion, Hollander and Wolfe 1973, p. 69: at term, and at 12 to 26 weeks.
    static readonly double[] AtTerm = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    static readonly double[] Before = [1.15, 0.88, 0.90, 0.74, 1.21];

    // The example of the statistic's usual implementations: 60 pairs, 18 greater and 33 less, 9 ties.
    static readonly double[] Treated = [10, 10, 20, 20, 20, 30, 30, 30, 40, 50];
    static readonly double[] Control = [10, 20, 30, 40, 40, 50];

    [Fact]
    public void Of_PublishedSamples_GivesPublishedFigures()
    {
        MannWhitney test = MannWhitney.Of(Before, AtTerm);

        // U = 35; 764 of the C(15, 5) = 3003 ways are at least as far from 25; one-sided 0.1272.
        Assert.Equal(35, test.U);
        Assert.Equal(764.0 / 3003, test.PValue(), Digits);
    }

    [Fact]
    public void CliffsDelta_PublishedSamples_GivesPublishedFigure() => Assert.Equal(-0.25, MannWhitney.Of(Control, Treated).CliffsDelta, Digits);

    [Fact]
    public void PValue_Ties_IsExact()
    {
        // Of 8008 ways to choose 6 of the 16 values, 3617 give a U at least as far from 30 as 22.5.
        MannWhitney test = MannWhitney.Of(Control, Treated);

        Assert.Equal(22.5, test.U);
        Assert.Equal(3617.0 / 8008, test.PValue(), Digits);
    }

    // The tables' classics: complete separation of m and n values has p = 2 / C(m + n, m).
    [Theory]
    [InlineData(3, 3, 0.1)]
    [InlineData(4, 4, 2.0 / 70)]
    [InlineData(5, 5, 2.0 / 252)]
    [InlineData(10, 10, 2.0 / 184756)]
    public void PValue_CompleteSeparation_IsTheMinimum(int first, int second, double p)
    {
        double[] low = [.. Enumerable.Range(0, first).Select(i => (double)i)];
        double[] high = [.. Enumerable.Range(100, second).Select(i => (double)i)];

        Assert.Equal(p, MannWhitney.Of(low, high).PValue(), Digits);
        Assert.Equal(p, MannWhitney.MinPValue(first, second), Digits);
        Assert.Equal(1, MannWhitney.Of(low, high).CliffsDelta);
    }

    [Fact]
    public void PValue_AllTheSame_IsOne() => Assert.Equal(1, MannWhitney.Of([7, 7, 7, 7, 7], [7, 7, 7]).PValue(), Digits);

    [Fact]
    public void PValue_AnySmallSamples_IsThatOfAllPermutations() => Prop.ForAll(SmallSamples().ToArbitrary(), samples =>
    {
        (double[] first, double[] second) = samples;
        Assert.Equal(ByEnumeration(first, second), MannWhitney.Of(first, second).PValue(), 9);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void PValue_ManyValues_NormalIsCloseToExact()
    {
        // 50 + 50 values are tested exactly, 51 + 50 with the normal distribution; one value more changes little.
        double[] first = [.. Enumerable.Range(0, 50).Select(i => (double)(i * 2))];
        double[] second = [.. Enumerable.Range(0, 50).Select(i => (double)((i * 2) + 19))];

        double exact = MannWhitney.Of(first, second).PValue();
        double normal = MannWhitney.Of([.. first, 49.5], second).PValue();
        Assert.InRange(normal / exact, 0.9, 1.1);
    }

    [Fact]
    public void Plus_TwoStrata_IsThatOfAllPermutationsWithinThem()
    {
        // Each stratum: 3 against 3, completely apart: U = 9 of 9. Only one way of 20 × 20 each is as extreme: 2 / 400.
        MannWhitney one = MannWhitney.Of([1, 2, 3], [4, 5, 6]);
        MannWhitney two = MannWhitney.Of([100, 200, 300], [400, 500, 600]);

        Assert.Equal(2.0 / 400, one.Plus(two).PValue(), Digits);
        Assert.Equal(1, one.Plus(two).CliffsDelta);
    }

    [Fact]
    public void Plus_ManyStrata_NormalIsCloseToExact()
    {
        // 12 strata of 30 against 30 exceed the exact length, and the sum of their variances takes over; 10 do not.
        double[] first = [.. Enumerable.Range(0, 30).Select(i => (double)(i * 2))];
        double[] second = [.. Enumerable.Range(0, 30).Select(i => (double)((i * 2) + 1))];

        // Each stratum has U = 465 of 900, 15 above the mean; its variance is 900 · 61 / 12 = 4575. Of 10: z = 150 / 213.9 = 0.701; of 12: 180 / 234.3 = 0.768.
        Assert.InRange(Repeat(first, second, 10).PValue(), 0.480, 0.486);
        Assert.InRange(Repeat(first, second, 12).PValue(), 0.440, 0.446);
    }

    static MannWhitney Repeat(double[] first, double[] second, int times)
    {
        MannWhitney one = MannWhitney.Of(first, second);
        return Enumerable.Repeat(one, times - 1).Aggregate(one, (sum, next) => sum.Plus(next));
    }

    // Few different values, so that ties are common.
    static Gen<(double[] First, double[] Second)> SmallSamples() =>
        from first in Sample()
        from second in Sample()
        select (first, second);

    static Gen<double[]> Sample() =>
        from size in Gen.Choose(1, 6)
        from values in Gen.Choose(0, 8).Select(value => (double)value).ArrayOf(size)
        select values;

    static double ByEnumeration(double[] first, double[] second)
    {
        double[] pool = [.. first, .. second];
        long observed = Math.Abs(Excess(first, second));
        long[] all =
        [
            .. Subsets(pool.Length, first.Length)
                .Select(chosen => Math.Abs(Excess(Pick(pool, chosen, isChosen: true), Pick(pool, chosen, isChosen: false)))),
        ];
        return (double)all.Count(excess => excess >= observed) / all.Length;
    }

    static IEnumerable<int> Subsets(int count, int size) => Enumerable.Range(0, 1 << count).Where(bits => int.PopCount(bits) == size);

    static double[] Pick(double[] pool, int chosen, bool isChosen) => [.. pool.Where((_, i) => ((chosen >> i) & 1) == (isChosen ? 1 : 0))];

    static long Excess(double[] first, double[] second) => first.Sum(one => second.Sum(other => Math.Sign(other - one)));
}

public sealed class NormalDistributionTests
{
    [Theory]
    [InlineData(0, 0.5)]
    [InlineData(1, 0.158655254)]
    [InlineData(1.959963985, 0.025)]
    [InlineData(3, 0.001349898)]
    public void UpperTail_KnownValues_AreMet(double z, double expected) => Assert.Equal(expected, NormalDistribution.UpperTail(z), 1e-7);
}
