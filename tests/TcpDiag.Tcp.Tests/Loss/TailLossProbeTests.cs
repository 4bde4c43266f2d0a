using TcpDiag.Tcp.Loss;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Loss;

public class TailLossProbeTests
{
    [Theory]
    [InlineData(30, false, 0, 300, 60)]
    [InlineData(30, true, 200, 300, 260)] // one segment: + max_ack_delay
    [InlineData(30, false, 200, 300, 60)] // five segments: no delay added
    [InlineData(30, false, 0, 45, 45)] // cut to the RTO
    [InlineData(0, false, 0, 3_000, 1_000)] // no SRTT
    [InlineData(0, true, 200, 3_000, 1_000)] // no SRTT: nothing is added either
    [Trait(Tier.Name, Tier.Conformance)] // RFC 8985 §7.2; section 14 vector 7
    public void PtoNanos_Flight_FollowsTheRule(long srttMs, bool isOneSegment, long ackDelayMs, long rtoMs, long expectedMs) =>
        Assert.Equal(expectedMs * Ms, TailLossProbe.PtoNanos(srttMs * Ms, isOneSegment, ackDelayMs * Ms, rtoMs * Ms));
}
