using TcpDiag.Scores.Cards;
using Xunit;

namespace TcpDiag.Scores.Tests.Losses;

public sealed class ProportionTests
{
    // Wilson's interval with z = 1.96: n = 10, 10 hits: 10/(10 + 3.8415) = 0.7225. n = 10, 5 hits: 0.5 ± 0.2634. n = 100, 90 hits: 0.8256 to 0.9448.
    [Theory]
    [InlineData(10, 10, 0.7225, 1)]
    [InlineData(0, 10, 0, 0.2775)]
    [InlineData(5, 10, 0.2366, 0.7634)]
    [InlineData(90, 100, 0.8256, 0.9448)]
    public void Interval_IsWilsons(long hits, long trials, double low, double high)
    {
        Proportion rate = new(hits, trials);
        Assert.Equal(low, rate.Low, 4);
        Assert.Equal(high, rate.High, 4);
    }
}
