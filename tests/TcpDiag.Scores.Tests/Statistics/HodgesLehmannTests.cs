using System.Linq;
using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class HodgesLehmannTests
{
    [Fact]
    public void Shift_PublishedSamples_GivesPublishedFigure()
    {
        // Hollander and Wolfe 1973, p. 69: the shift of the permeability is 0.305.
        double[] atTerm = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        double[] before = [1.15, 0.88, 0.90, 0.74, 1.21];

        Assert.Equal(0.305, HodgesLehmann.Shift(before, atTerm), 12);
    }

    // Differences 3, 4, 1000; 2, 3, 999: in order 2, 3, 3, 4, 999, 1000.
    [Fact]
    public void Shift_Outlier_HardlyMoves() => Assert.Equal(3.5, HodgesLehmann.Shift([1, 2], [4, 5, 1001]));

    [Fact]
    public void Shift_Exchanged_IsNegative() => Assert.Equal(-3.5, HodgesLehmann.Shift([4, 5, 1001], [1, 2]));
}

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
