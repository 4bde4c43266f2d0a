using TcpDiag.Analysis.Limits;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>How late an answer is, by those before it: later than mean, four deviations and 0.1 ms.</summary>
public sealed class UsualDelayTests
{
    [Fact]
    public void IsLater_NothingUsual_IsFalse() => Assert.False(default(UsualDelay).IsLater(long.MaxValue));

    // One of 400 µs: its deviation counts as a fourth, 400 + 4 · 100 + 100 µs. With another of 800 µs the mean is 500, the deviation 100 + (400 − 100) / 4 = 175: 500 + 700 + 100 µs. One of 7 ms,
    // which is later than those 900, counts as these: mean 525, deviation 200. As the first one it counts for nothing.
    [Theory]
    [InlineData(900_000, 400_000)]
    [InlineData(1_300_000, 400_000, 800_000)]
    [InlineData(1_425_000, 400_000, 7_000_000)]
    [InlineData(900_000, 7_000_000, 400_000)]
    public void IsLater_ThanSpread_IsTrue(long latest, params int[] delays)
    {
        var usual = default(UsualDelay);
        foreach (int delay in delays)
        {
            usual.Learn(delay);
        }

        Assert.False(usual.IsLater(latest));
        Assert.True(usual.IsLater(latest + 1));
    }
}
