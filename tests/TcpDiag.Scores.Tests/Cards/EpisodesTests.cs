using TcpDiag.Scores.Cards;
using Xunit;

namespace TcpDiag.Scores.Tests.Cards;

public sealed class EpisodesTests
{
    // 10, 10, 0 and 0 hits of 10: Σ(h − 5)² = 100, its variance 100·4/3/40² = 0.0833, so 0.25/0.0833 = 3 trials; three degrees of freedom leave (1.96/3.07)² of them.
    [Fact]
    public void Episodes_ThatGoAllOneWayOrTheOther_CountAsLittleMoreThanOneTrial()
    {
        Episodes episodes = default;
        foreach (long hits in (long[])[10, 10, 0, 0])
        {
            episodes.Add(hits, 10);
        }

        Assert.Equal(20, episodes.Rate!.Value.Hits);
        Assert.Equal(40, episodes.Rate!.Value.Trials);
        Assert.Equal(1.227, episodes.Rate!.Value.Independent, 3);
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
