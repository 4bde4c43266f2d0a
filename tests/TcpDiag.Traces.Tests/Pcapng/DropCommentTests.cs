using System.Text;
using TcpDiag.Traces.Pcapng;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

public sealed class DropCommentTests
{
    [Theory]
    [InlineData("dropped: INET_EndpointNotFound at TCPIP_TL_RCV_TCP_MATCH (1204@0xE0004500)", 1204u, 0xE000_4500u)]
    [InlineData("dropped: reason (4294967295@0x00000000)", 4294967295u, 0u)]
    [InlineData("dropped: reason (with text) (8@0x1)", 8u, 1u)]
    public void TryRead_OwnComment_GivesItsNumbers(string comment, uint reason, uint location)
    {
        Assert.True(DropComment.TryRead(Encoding.UTF8.GetBytes(comment), out PacketDrop drop));
        Assert.Equal(new PacketDrop(reason, location), drop);
    }

    [Theory]
    [InlineData("")]
    [InlineData("dropped: ")]
    [InlineData("dropped: (")]
    [InlineData("dropped: ()")]
    [InlineData("dropped: (1204)")]
    [InlineData("dropped: (@0x1)")]
    [InlineData("dropped: (1@0x)")]
    [InlineData("dropped: (1@0xG)")]
    [InlineData("dropped: (4294967296@0x1)")]
    [InlineData("dropped: (1@0x1FFFFFFFF)")]
    [InlineData("dropped: (1 @0x1)")]
    [InlineData("packets dropped: 3 (1@0x1)")]
    public void TryRead_AnotherComment_IsPassedOver(string comment) =>
        Assert.False(DropComment.TryRead(Encoding.UTF8.GetBytes(comment), out _));
}
