using System;
using System.Linq;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests;

public class DelayTests
{
    static VirtualLink SendEvery(long gapNanos, int packets, params string[] options)
    {
        VirtualLink link = new(options);
        for (int i = 0; i < packets; i++)
        {
            link.Offer(i * gapNanos, length: 100);
        }

        return link.Drain();
    }

    static double[] Delays(VirtualLink link) => link.Arrivals.Select(p => (double)(p.DueAt - p.OfferedAt)).ToArray();

    [Fact]
    public void Offer_OddRoundTrip_IsSplitWithoutLoss()
    {
        VirtualLink link = new("rtt 25ns");
        link.Offer(0);
        link.Offer(0, direction: LinkDirection.In);
        link.Drain();

        Assert.Equal([12, 13], link.ArrivalTimes);
    }

    [Fact]
    public void Jitter_WithoutReordering_KeepsTheOrder()
    {
        VirtualLink link = SendEvery(100 * Us, 5_000, "delay 10ms", "jitter 5ms");

        Assert.Equal(link.ArrivalOrder().Order(), link.ArrivalOrder());
    }

    [Fact]
    public void Jitter_WithReordering_OvertakesAndStaysInRange()
    {
        VirtualLink link = SendEvery(100 * Us, 5_000, "delay 10ms", "jitter 5ms:uniform:reorder");

        Assert.NotEqual(link.ArrivalOrder().Order(), link.ArrivalOrder());
        Assert.InRange(Delays(link).Min(), 5 * Ms, 5.01 * Ms);
        Assert.InRange(Delays(link).Max(), 14.99 * Ms, 15 * Ms);
    }

    [Fact]
    public void Jitter_LargerThanDelay_NeverFallsBelowZero()
    {
        VirtualLink link = SendEvery(1 * Ms, 1_000, "delay 1ms", "jitter 10ms:normal:reorder");

        Assert.Equal(0, Delays(link).Min());
    }

    [Fact]
    public void Jitter_Normal_HasMeanAndDeviation()
    {
        double[] delays = Delays(SendEvery(1 * Ms, 100_000, "delay 100ms", "jitter 10ms:normal:reorder"));
        double mean = delays.Average();
        double deviation = Math.Sqrt(delays.Average(d => (d - mean) * (d - mean)));

        // Standard error of the mean: 10 ms / √100,000 = 32 µs; of the deviation 22 µs. Bounds at more than four of them.
        Assert.InRange(mean, 99.86 * Ms, 100.14 * Ms);
        Assert.InRange(deviation, 9.9 * Ms, 10.1 * Ms);
        Assert.InRange(delays.Count(d => Math.Abs(d - mean) < deviation) / 100_000.0, 0.675, 0.69);
    }

    [Fact]
    public void Jitter_Pareto_HasTheAmountAsMeanAndAHeavyTail()
    {
        double[] delays = Delays(SendEvery(1 * Ms, 100_000, "delay 10ms", "jitter 3ms:pareto:reorder"));

        // Lomax, shape 4, scale 9 ms: mean 3 ms, deviation 4.24 ms, P(X > 9 ms) = 2⁻⁴.
        Assert.True(delays.Min() >= 10 * Ms);
        Assert.InRange(delays.Average(), 12.94 * Ms, 13.06 * Ms);
        Assert.InRange(delays.Count(d => d > 19 * Ms) / 100_000.0, 0.0595, 0.0655);
    }
}
