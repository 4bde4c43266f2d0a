using System;
using System.Linq;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

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
