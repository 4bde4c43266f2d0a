using System.Linq;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class HolmCorrectionTests
{
    [Fact]
    public void Adjust_WorkedExample_GivesItsFigures()
    {
        // In order 0.005 × 4, 0.01 × 3, 0.03 × 2, 0.04 × 1, none below the one before.
        double[] adjusted = HolmCorrection.Adjust([0.01, 0.04, 0.03, 0.005]);
        Assert.Equal([0.03, 0.06, 0.06, 0.02], adjusted.Select(p => double.Round(p, 12)));
    }

    [Fact]
    public void Adjust_LargeValues_StayBelowOne() => Assert.Equal([1, 1], HolmCorrection.Adjust([0.6, 0.9]));

    [Fact]
    public void Adjust_Nothing_GivesNothing() => Assert.Empty(HolmCorrection.Adjust([]));

    [Fact]
    public void Adjust_One_IsUnchanged() => Assert.Equal([0.04], HolmCorrection.Adjust([0.04]));
}
