using System;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class SignFlipsTests
{
    const int Digits = 12;

    // Depression scores of nine patients before and after, Hollander and Wolfe 1973, p. 29.
    internal static readonly double[] Differences =
        [1.83 - 0.878, 0.50 - 0.647, 1.62 - 0.598, 2.48 - 2.05, 1.68 - 1.06, 1.88 - 1.29, 1.55 - 1.06, 3.06 - 3.14, 1.30 - 1.29];

    // T+ = 40 of 45; 10 of 512 ways are as far on that side: 0.0195 one-sided.
    [Fact]
    public void PValue_PublishedPairs_GivesPublishedFigure()
    {
        long[] weights = SignFlips.SignedRanks(Differences);
        Assert.Equal(2 * (40 - 5), weights.Sum());
        Assert.Equal(20.0 / 512, SignFlips.PValue(weights), Digits);
    }

    // By size 0, 0, 2, 2, 5 have the ranks 1.5, 1.5, 3.5, 3.5, 5, doubled 3, 3, 7, 7, 10; a difference of 0 has no sign.
    [Fact]
    public void SignedRanks_TiesAndZeros_AreTheMiddleOnes() => Assert.Equal([7, 0, -7, 10, 0], SignFlips.SignedRanks([2, 0, -2, 5, 0]));

    [Theory]
    [InlineData(5, 0.0625)]
    [InlineData(10, 0.001953125)]
    public void PValue_AllAlike_IsTheMinimum(int pairs, double p)
    {
        double[] differences = [.. Enumerable.Range(1, pairs).Select(i => (double)i)];
        Assert.Equal(p, SignFlips.PValue(SignFlips.SignedRanks(differences)), Digits);
        Assert.Equal(p, SignFlips.MinPValue(pairs), Digits);
    }

    [Fact]
    public void PValue_NoDifference_IsOne() => Assert.Equal(1, SignFlips.PValue([0, 0, 0]));

    [Fact]
    public void PValue_AnyFewPairs_IsThatOfAllSigns() => Prop.ForAll(Gen.Choose(-4, 4).ArrayOf(8).ToArbitrary(), values =>
    {
        double[] differences = [.. values.Select(value => (double)value)];
        long[] weights = SignFlips.SignedRanks(differences);
        Assert.Equal(ByEnumeration(weights), SignFlips.PValue(weights), 9);
    }).QuickCheckThrowOnFailure();

    // 10,100 pairs of one size, 5,151 of them positive: z = 202 / √10,100 = 2.010 less 2 of 400 for continuity, p = 0.0445 (20,000 million steps exactly).
    [Fact]
    public void PValue_ManyPairs_IsThatOfTheNormalDistribution() =>
        Assert.Equal(0.0445, SignFlips.PValue([.. Enumerable.Range(0, 10_100).Select(i => i < 5_151 ? 400L : -400L)]), 3);

    static double ByEnumeration(long[] weights)
    {
        long observed = Math.Abs(weights.Sum());
        int ways = 1 << weights.Length;
        int far = Enumerable.Range(0, ways).Count(signs =>
            Math.Abs(weights.Select((weight, bit) => (signs >> bit & 1) == 1 ? Math.Abs(weight) : -Math.Abs(weight)).Sum()) >= observed);
        return (double)far / ways;
    }
}
