using System.Linq;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class HolmCorrectionTests
{
    [Fact]
    public void Adjust_EqualWeights_IsThatOfHolm()
    {
        // In order 0.005 × 4, 0.01 × 3, 0.03 × 2, 0.04 × 1, none below the one before.
        double[] adjusted = HolmCorrection.Adjust([0.01, 0.04, 0.03, 0.005], [1, 1, 1, 1]);
        Assert.Equal([0.03, 0.06, 0.06, 0.02], adjusted.Select(p => double.Round(p, 12)));
    }

    [Fact]
    public void Adjust_Weights_ShareTheBudget()
    {
        // By p / w: 0.02 / 0.5 = 0.04 × 1; then half the budget is left: 0.02 / 0.25 × 0.5 = 0.04; 0.03 / 0.25 × 0.25 = 0.03, not below 0.04.
        double[] adjusted = HolmCorrection.Adjust([0.02, 0.02, 0.03], [0.5, 0.25, 0.25]);
        Assert.Equal([0.04, 0.04, 0.04], adjusted.Select(p => double.Round(p, 12)));
    }

    [Fact]
    public void Adjust_LargeValues_StayBelowOne() => Assert.Equal([1, 1], HolmCorrection.Adjust([0.6, 0.9], [1, 1]));

    [Fact]
    public void Adjust_Nothing_GivesNothing() => Assert.Empty(HolmCorrection.Adjust([], []));

    [Fact]
    public void Adjust_One_IsUnchanged() => Assert.Equal([0.04], HolmCorrection.Adjust([0.04], [0.5]));
}
