using System;
using System.Linq;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class RatioBootstrapTests
{
    const int Resamples = 2000;

    [Fact]
    public void LogRatios_Exchanged_AreTheInverse()
    {
        double[] first = [3, 5, 7, 9, 11];
        double[] second = [4, 4.5, 6, 20];
        double[] there = RatioBootstrap.LogRatios(first, second, 7, Resamples);
        double[] back = RatioBootstrap.LogRatios(second, first, 7, Resamples);

        Assert.Equal(there, back.Select(ratio => -ratio));
    }

    [Fact]
    public void LogRatios_SameSeed_AreTheSame() =>
        Assert.Equal(RatioBootstrap.LogRatios([1, 2, 3], [2, 3, 5], 4, Resamples), RatioBootstrap.LogRatios([1, 2, 3], [2, 3, 5], 4, Resamples));

    [Fact]
    public void LogRatios_AnotherSeed_Differ() =>
        Assert.NotEqual(RatioBootstrap.LogRatios([1, 2, 3], [2, 3, 5], 4, Resamples), RatioBootstrap.LogRatios([1, 2, 3], [2, 3, 5], 5, Resamples));

    // Every median lies among the values: the ratio between 2/3 and 5/1.
    [Fact]
    public void LogRatios_StayWithinWhatTheValuesAllow() =>
        Assert.All(RatioBootstrap.LogRatios([1, 2, 3], [2, 3, 5], 1, Resamples), ratio => Assert.InRange(Math.Exp(ratio), 0.6666, 5.0001));

    [Theory]
    [InlineData(0, 5, double.PositiveInfinity)]
    [InlineData(5, 0, double.NegativeInfinity)]
    [InlineData(0, 0, 0)]
    public void LogRatio_NothingArrived_IsInfiniteOrNone(double first, double second, double expected) =>
        Assert.Equal(expected, RatioBootstrap.LogRatio(first, second));

    // 1 % … 99 % of 99 values: the middle 90 % leave 4 out at each end.
    [Fact]
    public void Percentiles_LeaveTheSameNumberOutAtBothEnds()
    {
        double[] logs = [.. Enumerable.Range(1, 99).Reverse().Select(i => Math.Log(i))];
        Interval interval = RatioBootstrap.Percentiles(logs, 0.9);

        Assert.Equal(5, interval.Low, 9);
        Assert.Equal(95, interval.High, 9);
    }

    // How often the interval holds the true ratio, 1: at least about as often as it promises. Skewed values (squares of sums) as rates are.
    [Theory]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(10)]
    public void Percentiles_ManyExperiments_HoldTheTruthAsOftenAsTheySay(int runs)
    {
        const int experiments = 1000;
        SplitMix64 random = new(20);
        int held = 0;
        for (int i = 0; i < experiments; i++)
        {
            double[] a = Draw(ref random, runs);
            double[] b = Draw(ref random, runs);
            Interval interval = RatioBootstrap.Percentiles(RatioBootstrap.LogRatios(a, b, (ulong)i, 500), 0.95);
            held += interval is { Low: <= 1, High: >= 1 } ? 1 : 0;
        }

        // 0.95 less three standard deviations of 1000 trials is 0.929.
        Assert.InRange((double)held / experiments, 0.929, 1);
    }

    static double[] Draw(ref SplitMix64 random, int count)
    {
        double[] values = new double[count];
        for (int i = 0; i < count; i++)
        {
            double sum = random.Next(1000) + random.Next(1000) + random.Next(1000) + 1000;
            values[i] = sum * sum;
        }

        return values;
    }
}

public sealed class SplitMix64Tests
{
    // The reference implementation's first values for the seed 1234567.
    [Fact]
    public void NextBits_KnownSeed_GivesKnownValues()
    {
        SplitMix64 random = new(1234567);
        Assert.Equal(6457827717110365317UL, random.NextBits());
        Assert.Equal(3203168211198807973UL, random.NextBits());
        Assert.Equal(9817491932198370423UL, random.NextBits());
    }

    [Fact]
    public void Next_ManyDraws_AreUniform()
    {
        const int draws = 70_000;
        SplitMix64 random = new(3);
        int[] counts = new int[7];
        for (int i = 0; i < draws; i++)
        {
            counts[random.Next(counts.Length)]++;
        }

        // 10,000 of each; four standard deviations of a binomial count are 4 √(70,000 · 6/49) = 370.
        Assert.True(counts.All(count => Math.Abs(count - (draws / counts.Length)) <= 370));
    }
}
