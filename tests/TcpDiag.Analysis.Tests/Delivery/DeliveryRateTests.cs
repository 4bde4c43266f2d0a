using System;
using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Analysis.Delivery;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Tests.Sender;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Delivery;

/// <summary>How fast a path delivers, by hand: segments of 1000 bytes, a round trip of 40 ms, an acknowledgment for each two.</summary>
public sealed class DeliveryRateTests
{
    const long Millisecond = 1_000_000;
    const int Mss = 1000;

    static readonly RoundTrips RoundTrip = new(40 * Millisecond, (uint)(40 * Millisecond), SampleNanos: 0);

    // 1 Mbit in 8 ms, then nothing until the next round trip: bursts leave the link with 2 bytes per microsecond, 16 Mbit/s, though goodput is 4.
    [Fact]
    public void Bursts_ShowTheRateOfTheSlowestLink()
    {
        DeliveryRate rate = default;
        for (int round = 0; round < 10; round++)
        {
            for (int ack = 0; ack < 10; ack++)
            {
                RoundTrips rtt = RoundTrip with { SampleNanos = 40_000_000 };
                rate.OnDelivered(At((40 * Millisecond * round) + (Millisecond * ack)), 2 * Mss, 20 * Mss, Mss, rtt);
            }
        }

        DeliverySummary summary = rate.Summarise(Mss)!;
        Assert.InRange(summary.BurstBitsPerSecond!.Value, 15.9e6, 16.1e6);
        Assert.InRange(summary.BestBitsPerSecond!.Value, 3.9e6, 4.1e6); // 20 kB each 40 ms
        Assert.Equal(0, summary.PathFullTime);
    }

    // An acknowledgment of 2000 bytes each millisecond, 16 Mbit/s. The smallest sample rises by more than three segments' time, 1.5 ms, and a sixteenth of 40
    // ms, 2.5 ms.
    [Theory]
    [InlineData(42, false)]
    [InlineData(44, true)]
    public void Queue_StandsWhereEverySampleIsLonger(int rtt, bool isFull)
    {
        DeliveryRate rate = default;
        for (int ack = 0; ack <= 400; ack++)
        {
            rate.OnDelivered(At(Millisecond * ack), 2 * Mss, 80 * Mss, Mss, RoundTrip with { SampleNanos = (uint)(rtt * Millisecond) });
        }

        DeliverySummary summary = rate.Summarise(Mss)!;
        Assert.Equal(isFull ? 400 * Millisecond : 0, summary.PathFullTime);
        Assert.Equal(isFull ? 16e6 : null, summary.PathFullBitsPerSecond);
    }

    // Two losses: the first where a round trip took 70 ms, the second where it took 59. What a recovery itself brings is no sample.
    [Fact]
    public void Losses_HaveTheRoundTripOfWhatCameRightBefore()
    {
        DeliveryRate rate = default;
        rate.OnRecovery();
        for (int ack = 0; ack < 120; ack++)
        {
            long sample = ack switch { 19 => 70, 20 => 59, _ => 40 };
            rate.OnDelivered(At(Millisecond * ack), 2 * Mss, 80 * Mss, Mss, RoundTrip with { SampleNanos = (uint)(sample * Millisecond) });
            if (ack is 19 or 20)
            {
                rate.OnRecovery();
                rate.OnRecovery();
            }
        }

        Assert.Equal(59 * Millisecond, rate.Summarise(Mss)!.LossRtt);
    }

    // Where a capture begins with data in flight the first acknowledgments give no sample: without a round trip they are no round.
    [Fact]
    public void Rounds_WithoutARoundTrip_DoNotCount()
    {
        DeliveryRate rate = default;
        for (int ack = 0; ack < 10; ack++)
        {
            rate.OnDelivered(At(Millisecond * ack), 2 * Mss, 80 * Mss, Mss, default);
        }

        Assert.Null(rate.Summarise(Mss));
    }

    // The best rate is one that two rounds in a row held: a burst of one is chance.
    [Fact]
    public void Best_IsHeldForTwoRounds()
    {
        DeliveryRate rate = default;
        int[] kilobytesOfRound = [10, 10, 50, 20, 30, 10];
        rate.OnDelivered(At(0), Mss, Mss, Mss, RoundTrip);
        for (int round = 0; round < kilobytesOfRound.Length; round++)
        {
            rate.OnDelivered(At(40 * Millisecond * (round + 1)), kilobytesOfRound[round] * Mss, 60 * Mss, Mss, RoundTrip);
        }

        Assert.Equal(20_000 * 8 / 0.04, rate.Summarise(Mss)!.BestBitsPerSecond!.Value, 1e3);
    }

    // The acknowledgment that ends a recovery covers what had arrived long before: it is no rate.
    [Fact]
    public void Interruption_LeavesOutWhatARecoveryDelivered()
    {
        DeliveryRate rate = default;
        for (int round = 0; round < 6; round++)
        {
            rate.OnDelivered(At(40 * Millisecond * round), 10 * Mss, 10 * Mss, Mss, RoundTrip);
        }

        rate.Interrupt();
        rate.OnDelivered(At(300 * Millisecond), 900 * Mss, 900 * Mss, Mss, RoundTrip);
        rate.OnDelivered(At(340 * Millisecond), 10 * Mss, 10 * Mss, Mss, RoundTrip);
        Assert.Equal(10_000 * 8 / 0.04, rate.Summarise(Mss)!.BestBitsPerSecond!.Value, 1e3);
    }

    // Each millisecond 1000 bytes arrive, 8 Mbit/s, though the first segment is lost, as is its first repair: with SACK the recovery shows it, and the
    // acknowledgment at its end, of 92 segments, is no more than its repair delivered (RFC 6937 §3.1). Without SACK nothing shows.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Recovery_CountsWhatSackShows(bool hasSack)
    {
        StringBuilder trace = new();
        for (int ms = 0; ms < 118; ms++)
        {
            int i = ms - 20; // arrives at the receiver, which acknowledges at once
            string sack = hasSack ? $" sack=1001-{1001 + (1000 * i)}" : "";
            string ack = i == 0 ? "" : ms < 113 ? $"{30 + ms}.2 < 1{sack}\n" : $"{30 + ms}.2 < {1001 + (1000 * i)}\n";
            trace.Append(i < 0 ? "" : ack)
                .Append(ms is 24 or 92 ? $"{30 + ms}.3 > 1+1000\n" : "")
                .Append(CultureInfo.InvariantCulture, $"{30 + ms}.5 > {1 + (1000 * ms)}+1000\n");
        }

        double? best = TextTrace.AtSender(trace.ToString()).FromClient.Delivery?.BestBitsPerSecond;
        Assert.Equal(hasSack, best != null);
        Assert.InRange(best ?? 8e6, 7.5e6, 8.5e6);
    }

    [Fact]
    public void Nothing_IsMeasuredOfOneAcknowledgment()
    {
        DeliveryRate rate = default;
        rate.OnDelivered(At(0), Mss, Mss, Mss, default);
        Assert.Null(rate.Summarise(Mss));
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(5, 5)]
    [InlineData(1000, 7)]
    [InlineData(20_000, 3)]
    public void Quantile_OfShuffledNumbers_IsClose(int count, int seed)
    {
        float[] values = [.. Enumerable.Range(1, count).Select(i => (float)i)];
        new Random(seed).Shuffle(values);
        StreamingQuantile quantile = default;
        foreach (float value in values)
        {
            quantile.Add(value, 0.8);
        }

        Assert.InRange(quantile.Value(0.8), (0.8 * count) - 1 - (0.02 * count), (0.8 * count) + 1 + (0.02 * count));
    }

    static TraceTime At(long nanos) => new(nanos + 1);
}
