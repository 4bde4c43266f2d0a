using System;
using TcpDiag.Analysis.Delivery;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Delivery;

/// <summary>
/// Whether losses are those of a token bucket: a sender of 1000-byte segments sends its window at once every 50 ms, one segment more each time, and cuts it to
/// seven tenths when some of it is lost.
/// </summary>
public sealed class TokenBucketTests
{
    const int Mss = 1000;
    const long RoundNanos = 50_000_000;
    const long GapNanos = 10_000;

    // A byte a microsecond, 8 Mbit/s: 50 segments in each round trip, and those that the bucket holds.
    [Theory]
    [InlineData(60_000)]
    [InlineData(100_000)]
    public void Losses_OfABucket_ShowItsRateAndDepth(double depth)
    {
        double tokens = depth;
        long filled = 0;
        TokenBucketSummary fit = FitOf(rounds: 400, now =>
        {
            tokens = Math.Min(depth, tokens + ((now - filled) / 1e3));
            filled = now;
            bool isDropped = tokens < Mss;
            tokens -= isDropped ? 0 : Mss;
            return isDropped;
        })!;

        Assert.InRange(fit.Mismatch, 0, 0.05);
        Assert.InRange(fit.BitsPerSecond, 7.6e6, 8.4e6);
        Assert.InRange(fit.Bytes, depth * 0.7, depth * 1.3);
    }

    // One segment in 300, by chance.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Losses_ByChance_FitNoBucket(int seed)
    {
        var random = new Random(seed);
        Assert.InRange(FitOf(rounds: 400, _ => random.Next(300) == 0)!.Mismatch, 0.3, 2);
    }

    // Two intervals fit any bucket: it has a rate and a depth.
    [Fact]
    public void Losses_OfTwoIntervals_ShowNothing()
    {
        int sent = 0;
        Assert.Null(FitOf(rounds: 30, _ => ++sent is 200 or 600 or 1000));
    }

    // What is SACKed and then acknowledged without a repair came out of order: it ends no interval.
    [Fact]
    public void DataOutOfOrder_EndsNoInterval()
    {
        TokenBucketWatch watch = default;
        for (int i = 1; i < 100; i++)
        {
            watch.OnDelivered(new TraceTime(i * RoundNanos), Mss, isSacked: i % 5 == 0, isRecovering: false);
        }

        Assert.Null(watch.Fit(Mss));
    }

    // Five losses make four intervals. What comes out of order after them, twice, takes none away.
    [Fact]
    public void DataOutOfOrder_TakesNoIntervalAway()
    {
        TokenBucketWatch watch = default;
        long now = 0;
        for (int i = 0; i < 7; i++)
        {
            for (int segment = 0; segment < 20; segment++)
            {
                watch.OnDelivered(new TraceTime(now += GapNanos), Mss, isSacked: segment == 10, isRecovering: i < 5 && segment == 11);
            }
        }

        Assert.Equal(4, watch.Fit(Mss)!.Intervals);
    }

    static TokenBucketSummary? FitOf(int rounds, Func<long, bool> isDropped)
    {
        TokenBucketWatch watch = default;
        bool isRecovering = false;
        int window = 50;
        for (int round = 1; round <= rounds; round++)
        {
            bool hasHole = false;
            for (int i = 0; i < window; i++)
            {
                long now = (round * RoundNanos) + (i * GapNanos);
                if (isDropped(now))
                {
                    hasHole = true;
                }
                else
                {
                    watch.OnDelivered(new TraceTime(now), Mss, hasHole, isRecovering);
                }
            }

            window = hasHole && !isRecovering ? window * 7 / 10 : window + 1;
            isRecovering = hasHole;
        }

        return watch.Fit(Mss);
    }
}
