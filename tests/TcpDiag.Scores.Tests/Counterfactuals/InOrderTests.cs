using TcpDiag.Scores.Counterfactuals;
using Xunit;

namespace TcpDiag.Scores.Tests.Counterfactuals;

public sealed class InOrderTests
{
    // The second came behind the fourth: one late packet explains more simply than two early ones.
    [Fact]
    public void LatePacket_IsLeftOut() => Assert.Equal([0, 2, 3, 4], InOrder.Of([10, 45, 30, 40, 50]));

    // The fourth came before the second: it is early.
    [Fact]
    public void EarlyPacket_IsLeftOut() => Assert.Equal([0, 1, 2, 4], InOrder.Of([10, 20, 30, 15, 50]));

    // What one acknowledgment tells of came at once.
    [Fact]
    public void SameInstant_IsInOrder() => Assert.Equal([0, 1, 2], InOrder.Of([10, 10, 10]));

    [Fact]
    public void Nothing_IsNothing() => Assert.Empty(InOrder.Of([]));
}
