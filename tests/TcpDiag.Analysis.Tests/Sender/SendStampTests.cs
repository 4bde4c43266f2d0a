using TcpDiag.Analysis.Sender;
using Xunit;

namespace TcpDiag.Analysis.Tests.Sender;

public sealed class SendStampTests
{
    // By timestamps where both have one and they differ (RFC 7323 §3.2: modulo 2³²), otherwise by identifications that are near; 0 where neither tells.
    [Theory]
    [InlineData(8u, 1, 7u, 9, 1)]
    [InlineData(2u, 0, uint.MaxValue, 0, 3)]
    [InlineData(7u, 5, 7u, 3, 2)]
    [InlineData(7u, 5, 0u, 3, 2)]
    [InlineData(0u, 1000, 0u, 1, 999)]
    [InlineData(0u, 1001, 0u, 1, 0)]
    [InlineData(0u, 1, 0u, 1001, 0)]
    [InlineData(0u, 3, 0u, 65535, 4)]
    [InlineData(0u, 3, 0u, 0, 0)] // none was given (RFC 6864 §4.1)
    public void OrderTo_StampsAndIdentifications_TellTheDistance(uint stamp, int id, uint otherStamp, int otherId, int expected) =>
        Assert.Equal(expected, new SendStamp(stamp, (ushort)id).OrderTo(new SendStamp(otherStamp, (ushort)otherId)));
}
