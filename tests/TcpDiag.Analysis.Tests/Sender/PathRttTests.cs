using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using Xunit;

namespace TcpDiag.Analysis.Tests.Sender;

public sealed class PathRttTests
{
    // The shorter of what is known, less an eighth for what varies.
    [Theory]
    [InlineData(8_000, 16_000, 7_000)]
    [InlineData(16_000, 8_000, 7_000)]
    [InlineData(8_000, 0, 7_000)]
    [InlineData(0, 8_000, 7_000)]
    [InlineData(0, 0, 0)]
    public void ToReceiver_Known_IsTheShorterLessAnEighth(long handshake, long minRtt, long expected) =>
        Assert.Equal(expected, PathRtt.ToReceiverOf(handshake, minRtt));

    // Without any round trip, what fills a gap is late for 3 ms, as tshark has it, and resent from there on.
    [Theory]
    [InlineData(33.099, 0)]
    [InlineData(33.100, 1)]
    public void Gap_FilledWithoutAnyRoundTrip_IsResentAfterThreeMilliseconds(double time, long resent)
    {
        ConnectionDirection sent = TextTrace.Somewhere($"""
            30.0 > 1+1000
            30.1 > 2001+1000
            {time} > 1001+1000
            """).FromClient;
        Assert.Equal((resent, 1 - resent), (sent.Retransmissions, sent.OutOfOrder));
    }
}
