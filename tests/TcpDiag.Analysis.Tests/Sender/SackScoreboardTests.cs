using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Sender;

public sealed class SackScoreboardTests
{
    // RFC 2018 §3: the left edge is the first number of the block, the right one the number behind its last. No window is larger than 2³⁰ (RFC 7323 §2.3).
    [Theory]
    [InlineData(2000u, 3000u, true)]
    [InlineData(500u, 1001u, true)] // begins below SND.UNA
    [InlineData(500u, 1000u, false)] // ends at SND.UNA: nothing new
    [InlineData(3000u, 3000u, false)]
    [InlineData(3000u, 2000u, false)]
    [InlineData(2000u, 1000u + (1u << 30) - 1, true)]
    [InlineData(2000u, 1000u + (1u << 30), false)]
    public void IsSane_BlockAroundUna_IsWhereAWindowAllowsIt(uint left, uint right, bool expected) =>
        Assert.Equal(expected, SackScoreboard.IsSane(new SackBlock(new(left), new(right)), una: new(1000)));
}
