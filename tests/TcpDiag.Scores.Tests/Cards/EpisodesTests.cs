using TcpDiag.Scores.Cards;
using Xunit;

namespace TcpDiag.Scores.Tests.Cards;

public sealed class EpisodesTests
{
    // 10, 0, 0 and 10 hits of 10: neighbours differ by 10, 0 and 10, so Σ(Δh)²/2 = 100, the variance 100·4/3/40² = 0.0833, and 0.25/0.0833 = 3 trials; three
    // degrees of freedom leave (1.96/3.07)² of them. 10, 10, 0 and 0 differ once: what changes in time is half as uncertain.
    [Theory]
    [InlineData(10, 0, 0, 10, 1.227)]
    [InlineData(10, 10, 0, 0, 2.455)]
    [InlineData(10, 0, 10, 0, 1)] // 0.82 trials: no less than one
    public void Episodes_ThatGoAllOneWayOrTheOther_CountAsLittleMoreThanOneTrial(long first, long second, long third, long fourth, double independent)
    {
        Episodes episodes = default;
        foreach (long hits in (long[])[first, second, third, fourth])
        {
            episodes.Add(hits, 10);
        }

        Assert.Equal(20, episodes.Rate!.Value.Hits);
        Assert.Equal(40, episodes.Rate!.Value.Trials);
        Assert.Equal(independent, episodes.Rate!.Value.Independent, 3);
    }

    // Half of each of ten episodes: nothing lies apart, and 100 trials count as 100/(1 + 9·0.02) = 84.7.
    [Fact]
    public void Episodes_ThatAreAlikeInTheirRate_CountAsNearlyAllTheirTrials()
    {
        Episodes episodes = default;
        for (int i = 0; i < 10; i++)
        {
            episodes.Add(5, 10);
        }

        Assert.Equal(84.7, episodes.Rate!.Value.Independent, 1);
    }

    // Of two recoveries in which all went well nobody knows how often one goes wrong: Wilson of 2 of 2 is 0.342 to 1.
    [Fact]
    public void Episodes_InWhichNothingWentWrong_CountAsOneTrialEach()
    {
        Episodes episodes = default;
        episodes.Add(300, 300);
        episodes.Add(0, 0);
        episodes.Add(40, 40);
        Assert.Equal(2, episodes.Rate!.Value.Independent);
        Assert.Equal(0.342, episodes.Rate!.Value.Low, 3);
    }

    [Fact]
    public void Rate_WithoutTrials_IsNone()
    {
        Episodes episodes = default;
        episodes.Add(0, 0);
        Assert.Null(episodes.Rate);
    }
}
