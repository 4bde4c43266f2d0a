using System;
using System.Linq;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests;

public class WanderingJitterTests
{
    // Delays in ms of packets of 1500 bytes at a steady pace.
    static double[] Delays(long gapNanos, int packets, params string[] options)
    {
        VirtualLink link = new(options);
        for (int i = 0; i < packets; i++)
        {
            link.Offer(i * gapNanos);
        }

        link.Drain();
        Assert.Equal(link.ArrivalOrder().Order(), link.ArrivalOrder());
        return [.. link.Arrivals.OrderBy(p => p.Id).Select(p => (double)(p.DueAt - p.OfferedAt) / Ms)];
    }

    static double Deviation(double[] values)
    {
        double mean = values.Average();
        return Math.Sqrt(values.Average(v => (v - mean) * (v - mean)));
    }

    // Uniform ±5 ms: deviation 10/√12 = 2.887 ms, each tenth of the range a tenth of the packets. At 100 Mbit/s (120 µs) and one in 50 ms.
    [Theory]
    [InlineData(120 * Us, 1_000_000)]
    [InlineData(50 * Ms, 100_000)]
    public void Uniform_KeepsOrderAndDistribution(long gap, int packets)
    {
        double[] delays = Delays(gap, packets, "delay 20ms", "jitter 5ms");

        Assert.InRange(delays.Average(), 19.8, 20.2);
        Assert.InRange(Deviation(delays), 2.83, 2.94);
        Assert.InRange(delays.Min(), 15, 15.1);
        Assert.InRange(delays.Max(), 24.9, 25);
        Assert.All(Enumerable.Range(0, 10), tenth => Assert.InRange(delays.Count(d => d >= 15 + tenth && d < 16 + tenth) / (double)packets, 0.09, 0.11));
    }

    [Fact]
    public void Normal_KeepsOrderAndDistribution()
    {
        double[] delays = Delays(120 * Us, 1_000_000, "delay 20ms", "jitter 3ms:normal");

        Assert.InRange(delays.Average(), 19.7, 20.3);
        Assert.InRange(Deviation(delays), 2.85, 3.15);
        Assert.InRange(delays.Count(d => Math.Abs(d - 20) < 3) / 1e6, 0.65, 0.715); // 68.3 %
        Assert.InRange(delays.Count(d => d > 26) / 1e6, 0.017, 0.029); // 2.28 %
    }

    [Fact]
    public void Pareto_KeepsOrderAndDistribution()
    {
        double[] delays = Delays(120 * Us, 2_000_000, "delay 10ms", "jitter 1ms:pareto");

        // Lomax, shape 4, scale 3 ms: mean 1 ms, P(X > 3 ms) = 2⁻⁴ = 6.25 %, P(X > 9 ms) = 4⁻⁴ = 0.39 %.
        Assert.InRange(delays.Average(), 10.95, 11.05);
        Assert.InRange(delays.Count(d => d > 13) / 2e6, 0.058, 0.067);
        Assert.InRange(delays.Count(d => d > 19) / 2e6, 0.0025, 0.0053);
    }

    [Fact]
    public void Over_SlowsTheWandering()
    {
        // It moves by 5 ms in 200 ms: within 10 ms by 0.25 ms at most, and by so much mostly.
        double[] delays = Delays(10 * Ms, 50_000, "delay 20ms", "jitter 5ms:over:200ms");
        double[] steps = [.. delays.Zip(delays.Skip(1), (a, b) => Math.Abs(a - b))];

        Assert.InRange(steps.Max(), 0.2499, 0.2501);
        Assert.InRange(steps.Order().ElementAt(steps.Length / 2), 0.2499, 0.2501);
        Assert.InRange(Deviation(delays), 2.7, 3.07);
    }

    [Fact]
    public void Next_LongPause_DrawsAnew()
    {
        // One packet an hour: independent draws, and no walk of ten million steps.
        double[] delays = Delays(3_600_000 * Ms, 2_000, "delay 20ms", "jitter 5ms");
        double mean = delays.Average();
        double covariance = delays.Zip(delays.Skip(1), (a, b) => (a - mean) * (b - mean)).Average();

        Assert.InRange(covariance / (Deviation(delays) * Deviation(delays)), -0.1, 0.1);
    }

    [Fact]
    public void Slots_FixedDistance_ReleaseOnTheGrid()
    {
        VirtualLink link = new("slot 10ms:2");
        foreach (long at in new[] { 1, 2, 3, 11, 12, 13, 95 })
        {
            link.Offer(at * Ms);
        }

        link.Drain();

        // Two with each slot: 10, 10, 20; those of 11 and 12 ms find one place at 20, then 30, 30; after a pause the grid is the same.
        Assert.Equal(new long[] { 10, 10, 20, 20, 30, 30, 100 }.Select(ms => ms * Ms), link.ArrivalTimes);
    }

    [Fact]
    public void Slots_RandomDistance_StayInTheirRange()
    {
        VirtualLink link = new("slot 5ms-15ms");
        for (int i = 0; i < 20_000; i++)
        {
            link.Offer(i * 1 * Ms);
        }

        long[] slots = [.. link.Drain().ArrivalTimes.Distinct()];
        long[] gaps = [.. slots.Zip(slots.Skip(1), (a, b) => b - a)];
        Assert.InRange(gaps.Min(), 5 * Ms, 5.1 * Ms);
        Assert.InRange(gaps.Max(), 14.9 * Ms, 15 * Ms);
        Assert.InRange(gaps.Average(), 9.8 * Ms, 10.2 * Ms);
    }

    [Fact]
    public void Aggregate_FirstWaits_TheOthersGoWithIt()
    {
        VirtualLink link = new("aggregate 5ms:3");
        foreach (long at in new[] { 0, 1, 2, 3, 20, 25, 26 })
        {
            link.Offer(at * Ms);
        }

        link.Drain();

        // 0, 1 and 2 leave at 5 ms; 3 opens the next batch, until 8 ms; 20 and 25 leave at 25 ms, 26 at 31.
        Assert.Equal(new long[] { 5, 5, 5, 8, 25, 25, 31 }.Select(ms => ms * Ms), link.ArrivalTimes);
    }
}
