using TcpDiag.Scores.Statistics;
using Xunit;

namespace TcpDiag.Scores.Tests.Statistics;

public sealed class NormalDistributionTests
{
    [Theory]
    [InlineData(0, 0.5)]
    [InlineData(1, 0.158655254)]
    [InlineData(1.959963985, 0.025)]
    [InlineData(3, 0.001349898)]
    public void UpperTail_KnownValues_AreMet(double z, double expected) => Assert.Equal(expected, NormalDistribution.UpperTail(z), 1e-7);
}
