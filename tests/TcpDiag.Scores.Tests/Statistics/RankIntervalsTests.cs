using System;
using System.Linq;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class RankIntervalsTests
{
    const int Digits = 12;

    // Hollander and Wolfe 1973, p. 69: permeability at term and before.
    static readonly double[] AtTerm = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    static readonly double[] Before = [1.15, 0.88, 0.90, 0.74, 1.21];

    [Fact]
    public void OfPairs_PublishedPairs_GivesPublishedFigures()
    {
        // The median of 45 averages; 5 are left out at each end (P(T ≤ 5) = 10 / 512).
        Estimate shift = RankIntervals.OfPairs(SignFlipsTests.Differences);
        Assert.Equal(0.46, shift.Value, Digits);
        Assert.Equal(0.010, shift.Bounds.Low, Digits);
        Assert.Equal(0.786, shift.Bounds.High, Digits);
    }

    [Fact]
    public void OfSamples_PublishedSamples_GivesPublishedFigures()
    {
        Estimate shift = RankIntervals.OfSamples(Before, AtTerm);
        Assert.Equal(0.305, shift.Value, Digits);
        Assert.Equal(-0.15, shift.Bounds.Low, Digits);
        Assert.Equal(0.76, shift.Bounds.High, Digits);
    }

    // Averages of 1, 2, 100: 1, 1.5, 2, 50.5, 51, 100.
    [Fact]
    public void OfPairs_Outlier_HardlyMoves() => Assert.Equal((2 + 50.5) / 2, RankIntervals.OfPairs([1, 100, 2]).Value);

    [Fact]
    public void OfPairs_Exchanged_IsTheInverse()
    {
        double[] exchanged = [.. SignFlipsTests.Differences.Select(difference => -difference)];
        Estimate there = RankIntervals.OfPairs(SignFlipsTests.Differences);
        Estimate back = RankIntervals.OfPairs(exchanged);
        Assert.Equal((there.Value, there.Bounds.Low), (-back.Value, -back.Bounds.High));
    }

    // How many values are left out at each end decides the confidence: with five pairs all are kept, which is 1 − 2/32 = 93.75 %.
    [Theory]
    [InlineData(5, 0)] // 93.75 %
    [InlineData(6, 0)] // 1 − 2/64 = 96.9 %
    [InlineData(10, 8)] // 1 − 2 · 25/1024 = 95.1 %
    [InlineData(30, 137)] // the table of Wilcoxon
    public void OfPairs_Bounds_AreAsConfidentAsTheySay(int pairs, int leftOut)
    {
        double[] differences = [.. Enumerable.Range(0, pairs).Select(i => Math.Pow(1.5, i))];
        double[] averages = [.. differences.SelectMany((one, i) => differences[i..].Select(other => (one + other) / 2)).Order()];
        Interval bounds = RankIntervals.OfPairs(differences).Bounds;
        Assert.Equal((averages[leftOut], averages[^(leftOut + 1)]), (bounds.Low, bounds.High));
    }

    // With very many runs behind each shift. Independent: √(1² + 3²) / 2 below, √(2² + 1²) / 2 above. Sharing their chances: (1 + 3) / 2 and (2 + 1) / 2.
    [Fact]
    public void OfMean_TwoShifts_AddTheirDistances()
    {
        (Estimate, int) one = (new Estimate(1, new Interval(0, 3)), 100_000);
        (Estimate, int) other = (new Estimate(3, new Interval(0, 4)), 100_000);
        Estimate independent = RankIntervals.OfMean([[one], [other]]);
        Assert.Equal(2, independent.Value);
        Assert.Equal(2 - (Math.Sqrt(10) / 2), independent.Bounds.Low, 4);
        Assert.Equal(2 + (Math.Sqrt(5) / 2), independent.Bounds.High, 4);
        Assert.Equal(0, RankIntervals.OfMean([[one, other]]).Bounds.Low, 4);
        Assert.Equal(3.5, RankIntervals.OfMean([[one, other]]).Bounds.High, 4);
    }

    // Student's t at 97.5 %: 2.776 of 4 degrees of freedom, 2.306 of 8. ± 1 and ± 1 become √2 / 2 · 2.306 / 2.776.
    [Fact]
    public void OfMean_FewRuns_KnowTheirSpreadBetterTogether()
    {
        (Estimate, int) shift = (new Estimate(0, new Interval(-1, 1)), 4);
        Assert.Equal(0.7071 * 2.306 / 2.776, RankIntervals.OfMean([[shift], [shift]]).Bounds.High, 2);
        Assert.Equal(1, RankIntervals.OfMean([[shift]]).Bounds.High, Digits);
    }

    [Theory]
    [InlineData(4, 2.776)]
    [InlineData(9, 2.262)]
    [InlineData(30, 2.042)]
    public void Student95_KnownFreedom_IsThatOfTheTables(int freedom, double quantile) =>
        Assert.InRange(NormalDistribution.Student95(freedom), quantile - 0.01, quantile + 0.01);
}
