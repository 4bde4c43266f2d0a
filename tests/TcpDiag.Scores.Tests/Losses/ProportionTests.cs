using TcpDiag.Scores.Cards;
using Xunit;

namespace TcpDiag.Scores.Tests.Losses;

public sealed class ProportionTests
{
    // Wilson's interval with z = 1.96: n = 10, 10 hits: 10/(10 + 3.8415) = 0.7225. n = 10, 5 hits: 0.5 ± 0.2634. n = 100, 90 hits: 0.8256 to 0.9448.
    [Theory]
    [InlineData(10, 10, 0.7225, 1)]
    [InlineData(0, 10, 0, 0.2775)]
    [InlineData(5, 10, 0.2366, 0.7634)]
    [InlineData(90, 100, 0.8256, 0.9448)]
    public void Interval_OfMoreThanOneHitAndMiss_IsWilsons(long hits, long trials, double low, double high)
    {
        Proportion rate = new(hits, trials);
        Assert.Equal(low, rate.Low, 4);
        Assert.Equal(high, rate.High, 4);
    }

    // −ln 0.95 = 0.05129. One of one: 0.0513 to 1 (Wilson: 0.2065). One of ten: 0.0051 (Wilson: 0.0179). Nine of ten: to 0.9949. None of one is one miss:
    // to 1 − 0.0513.
    [Theory]
    [InlineData(1, 1, 0.0513, 1)]
    [InlineData(0, 1, 0, 0.9487)]
    [InlineData(1, 10, 0.0051, 0.4042)]
    [InlineData(9, 10, 0.5958, 0.9949)]
    public void Interval_OfOneHitOrOneMiss_ReachesToTheRareRate(long hits, long trials, double low, double high)
    {
        Proportion rate = new(hits, trials);
        Assert.Equal(low, rate.Low, 4);
        Assert.Equal(high, rate.High, 4);
    }

    // A rare rate is held in at least 95 % of runs, whatever the number of trials: P(none) is at least 0.95 below the bound of one hit.
    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(40)]
    public void Interval_OfOneHit_BeginsWhereOneIsSeenInOneRunOfTwenty(int trials)
    {
        double rate = new Proportion(1, trials).Low;
        Assert.InRange(System.Math.Pow(1 - rate, trials), 0.948, 0.951);
    }
}
