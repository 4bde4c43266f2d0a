using System.Linq;
using TcpDiag.Analysis.Limits;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>
/// Sends in a row at even distances: eight make a run; paced unless more than three in four follow acknowledgments or fewer than one in four ends full.
/// </summary>
public sealed class PacingDetectorTests
{
    const long Gap = 1_000_000;

    [Theory]
    [InlineData(8, 6, 2, true)] // three in four clocked, one in four full: both just enough
    [InlineData(8, 7, 2, false)]
    [InlineData(8, 6, 1, false)]
    [InlineData(7, 0, 7, false)] // even by chance
    public void IsPaced_AtItsBounds(int sends, int clocked, int full, bool isPaced)
    {
        var run = default(PacingDetector);
        for (int i = 0; i < sends; i++)
        {
            run.Add(Gap, i < clocked, i < full);
        }

        Assert.Equal(isPaced, run.IsPaced);
    }

    [Fact]
    public void Continues_WithoutASend_IsFalse() => Assert.False(default(PacingDetector).Continues(Gap));

    // Half of the mean more or less.
    [Theory]
    [InlineData(Gap / 2, true)]
    [InlineData((Gap / 2) - 1, false)]
    [InlineData(Gap * 3 / 2, true)]
    [InlineData((Gap * 3 / 2) + 1, false)]
    public void Continues_AtItsBounds(long gap, bool continues) => Assert.Equal(continues, Run(1).Continues(gap));

    // The mean follows a drift by an eighth: 1, 1.4 → 1.05 ms; 1.57 ms still continues, which it would not at 1 ms.
    [Fact]
    public void Continues_Drift_IsFollowed()
    {
        PacingDetector run = Run(1);
        run.Add(1_400_000, false, true);
        Assert.True(run.Continues(1_570_000));
    }

    // A long run is decided in parts.
    [Fact]
    public void Continues_After64Sends_IsFalse()
    {
        Assert.True(Run(63).Continues(Gap));
        Assert.False(Run(64).Continues(Gap));
    }

    static PacingDetector Run(int sends) => Enumerable.Range(0, sends).Aggregate(default(PacingDetector), static (run, _) =>
    {
        run.Add(Gap, false, true);
        return run;
    });
}
