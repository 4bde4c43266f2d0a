using System.Linq;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Queues;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests.Queues;

[Trait("Tier", "Conformance")]
public class PieTests
{
    static double After(params double[] delays)
    {
        PieProbability probability = new(0.015);
        foreach (double delay in delays)
        {
            probability.Update(delay);
        }

        return probability.DropProb;
    }

    [Fact]
    public void Update_FirstCongestion_IsDampedMost() =>
        // RFC 8033 §4.2: (0.125·(0.020 − 0.015) + 1.25·(0.020 − 0))/2048 = 0.025625/2048.
        Assert.Equal(0.025625 / 2048, After(0.020), 12);

    [Fact]
    public void Update_SmallProbability_IsDampedByItsSize() =>
        // 1.2512·10⁻⁵ lies below 10⁻⁴: the next step is 0.125·0.005/128.
        Assert.Equal((0.025625 / 2048) + (0.000625 / 128), After(0.020, 0.020), 12);

    [Fact]
    public void Update_DelayFalling_LowersTheProbability() =>
        // (0.125·(0.010 − 0.015) + 1.25·(0.010 − 0.020))/128 = −0.013125/128 is more than there is.
        Assert.Equal(0, After(0.020, 0.010));

    [Fact]
    public void Update_HighProbability_GrowsByTwoPercentAtMost()
    {
        // §5.5: from 0.1 on. With a delay of 200 ms the step is 0.125·0.185 = 0.0231.
        PieProbability probability = new(0.015);
        while (probability.DropProb < 0.1)
        {
            probability.Update(0.2);
        }

        double before = probability.DropProb;
        probability.Update(0.2);
        Assert.Equal(0.02, probability.DropProb - before, 12);
    }

    [Fact]
    public void Update_IdleQueue_DecaysByTwoPercent()
    {
        // §4.2: with both delays zero the probability falls by 0.125·0.015 damped, and to 98 % of the rest.
        PieProbability probability = new(0.015);
        while (probability.DropProb < 0.5)
        {
            probability.Update(0.2);
        }

        probability.Update(0); // −(0.125·0.015 + 1.25·0.2) leaves about 1/4
        double before = probability.DropProb;
        probability.Update(0);
        Assert.Equal(0.98 * (before - (0.125 * 0.015)), probability.DropProb, 12);
    }

    // 1500 bytes a ms leave, three every 2 ms come: the queue grows by one packet every 2 ms if nothing is dropped.
    static VirtualLink Overload(int periods, params string[] options)
    {
        VirtualLink link = new(["rate 12mbit", "buffer 10000pkt", .. options]);
        for (int i = 0; i < periods; i++)
        {
            link.Offer(i * 2 * Ms);
            link.Offer(i * 2 * Ms);
            link.Offer(i * 2 * Ms, ecn: EcnCodepoint.Ect0);
        }

        return link.Drain();
    }

    [Fact]
    public void Enqueue_Overload_HoldsTheDelayAtTheReference()
    {
        // A third has to go. After half of the run the delay stands near 15 ms; tail drop would have let it grow to 5 s.
        VirtualLink link = Overload(5_000, "aqm pie");
        double[] delays = [.. link.Arrivals.Where(p => p.OfferedAt.Nanoseconds > 5_000 * Ms).Select(p => (double)(p.DueAt - p.OfferedAt) / Ms)];

        Assert.InRange(delays.Average(), 10, 20);
        Assert.InRange(link.Decisions.Count(d => d.Action == ImpairmentAction.DropAqm) / 15_000.0, 0.30, 0.36);
    }

    [Fact]
    public void Enqueue_ShortBurst_IsAllowed()
    {
        // §4.4: for 150 ms nothing is dropped, though 140 packets wait for up to 140 ms.
        VirtualLink link = new("rate 12mbit", "aqm pie");
        for (int i = 0; i < 140; i++)
        {
            link.Offer(0);
        }

        Assert.Equal(140, link.Drain().Arrivals.Count);
    }

    [Fact]
    public void Enqueue_EcnCapable_IsMarkedWhileTheProbabilityIsLow()
    {
        // §5.1: with a mild overload (4 in 3 ms, one of them capable) the probability stays near 1/4, too high; so aim at 1 %.
        VirtualLink link = new("rate 12mbit", "aqm pie:ecn");
        for (int i = 0; i < 20_000; i++)
        {
            link.Offer(i * 985 * Us, ecn: EcnCodepoint.Ect0);
        }

        link.Drain();
        Assert.Contains(link.Decisions, d => d.Action == ImpairmentAction.MarkEcn);
    }

    [Fact]
    public void Enqueue_Idle_ForgetsAndAllowsABurstAgain()
    {
        VirtualLink link = Overload(1_000, "aqm pie");
        int drops = link.Decisions.Count(d => d.Action == ImpairmentAction.DropAqm);
        for (int i = 0; i < 140; i++)
        {
            link.Offer(100_000 * Ms);
        }

        link.Drain();
        Assert.True(drops > 0);
        Assert.Equal(drops, link.Decisions.Count(d => d.Action == ImpairmentAction.DropAqm));
    }
}
