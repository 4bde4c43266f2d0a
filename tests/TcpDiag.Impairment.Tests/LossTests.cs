using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment.Decisions;
using Xunit;

namespace TcpDiag.Impairment.Tests;

public class LossTests
{
    const int Million = 1_000_000;

    /// <summary>Which of so many packets are lost.</summary>
    static bool[] Lost(int packets, params string[] options)
    {
        LostPackets lost = new(packets);
        LinkEmulator emulator = new(VirtualLink.Settings(options), default, lost);
        for (int i = 0; i < packets; i++)
        {
            emulator.Offer(new LinkPacket { LengthBytes = 100 }, new(i));
            while (emulator.TryTake(new(i), out _))
            {
            }
        }

        return lost.Flags;
    }

    static List<int> RunLengths(bool[] lost)
    {
        List<int> runs = [];
        int run = 0;
        foreach (bool one in lost.Append(false))
        {
            if (!one && run > 0)
            {
                runs.Add(run);
            }

            run = one ? run + 1 : 0;
        }

        return runs;
    }

    [Theory]
    [InlineData("0.1pct", 0.001, 7)]
    [InlineData("1pct", 0.01, 8)]
    [InlineData("25%", 0.25, 9)]
    [InlineData("1/10000", 0.0001, 10)]
    public void Bernoulli_MillionPackets_LosesTheShareAskedFor(string loss, double probability, int seed) =>
        Binomial.AssertPlausible(Lost(Million, $"loss {loss}", $"seed {seed}").Count(l => l), Million, probability);

    [Fact]
    public void Bernoulli_Correlated_KeepsTheShareAndLengthensTheRuns()
    {
        bool[] lost = Lost(Million, "loss 2pct:corr:50pct", "seed 3");

        // The variance of a correlated count is (1+c)/(1−c) = 3 times the binomial one: 420 losses; four of them are 1 %.
        Assert.InRange(lost.Count(l => l), 18_900, 21_100);

        // Mean run 1/((1−c)(1−p)) = 1/(0.5 × 0.98) = 2.041.
        Assert.InRange(RunLengths(lost).Average(), 1.98, 2.10);
    }

    [Fact]
    public void GilbertElliott_MillionPackets_HasStationaryLossAndBurstLength()
    {
        bool[] lost = Lost(Million, "loss ge:0.2pct:20pct", "seed 5");

        // Share of the bad state p/(p+r) = 0.002/0.202 = 0.990 %; a stay lasts 1/r = 5 packets, all of them lost.
        // Correlation λ = 1−p−r = 0.798 widens the variance (1+λ)/(1−λ) = 8.9 times: σ ≈ 296.
        Assert.InRange(lost.Count(l => l), 9_901 - 900, 9_901 + 900);
        Assert.InRange(RunLengths(lost).Average(), 4.7, 5.3);
    }

    [Fact]
    public void GilbertElliott_LossInBothStates_Mixes()
    {
        bool[] lost = Lost(Million, "loss ge:1pct:9pct:1pct:50pct", "seed 6");

        // Bad 10 % of the time: 0.9 × 1 % + 0.1 × 50 % = 5.9 %.
        Assert.InRange(lost.Count(l => l), 57_500, 60_500);
    }

    [Fact]
    public void Periodic_LosesExactlyEveryHundredth()
    {
        bool[] lost = Lost(1000, "loss every:100");

        Assert.Equal([99, 199, 299, 399, 499, 599, 699, 799, 899, 999], Positions(lost));
    }

    [Fact]
    public void List_LosesExactlyTheListedPackets()
    {
        bool[] lost = Lost(100, "loss list:5+17+90-92");

        Assert.Equal([4, 16, 89, 90, 91], Positions(lost));
    }

    [Fact]
    public void Burst_LosesConsecutivePackets()
    {
        bool[] lost = Lost(Million, "loss burst:0.1pct:20", "seed 11");
        List<int> runs = RunLengths(lost);

        // A burst may follow right on another; all are multiples of 20.
        Assert.All(runs, run => Assert.Equal(0, run % 20));

        // Bursts begin with 0.1 % of the packets outside one: a renewal of mean 1000 + 20 − 1 packets, so 1,000,000 / 1,019 = 981.
        Assert.InRange(lost.Count(l => l) / 20, 981 - 90, 981 + 90);
    }

    [Fact]
    public void Blackout_DropsInItsWindowsOnly()
    {
        // 10 + 5 ns every 20 ns: 10–14, 30–34, 50–54 … of 60.
        bool[] lost = Lost(60, "blackout 10ns+5ns/20ns");

        Assert.Equal([10, 11, 12, 13, 14, 30, 31, 32, 33, 34, 50, 51, 52, 53, 54], Positions(lost));
    }

    [Fact]
    public void Blackout_Once_DoesNotRepeat() => Assert.Equal([10, 11], Positions(Lost(60, "blackout 10ns+2ns")));

    [Fact]
    public void Loss_SeveralModels_AddUp() => Assert.Equal([1, 3, 5], Positions(Lost(6, "loss list:2", "loss list:4+6")));

    static int[] Positions(bool[] lost) => Enumerable.Range(0, lost.Length).Where(i => lost[i]).ToArray();

    sealed class LostPackets(int packets) : IDecisionSink
    {
        public bool[] Flags { get; } = new bool[packets];

        public void Record(in ImpairmentDecision decision) => Flags[decision.PacketId - 1] |= decision.Action.IsDrop();
    }
}
