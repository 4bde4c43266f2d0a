using TcpDiag.Lab.Flows;
using Xunit;

namespace TcpDiag.Lab.Tests;

/// <summary>The kernel's counters of HyStart, as /proc/net/netstat has them.</summary>
public sealed class HyStartCountersTests
{
    const string Netstat = "TcpExt: SyncookiesSent TCPHystartTrainDetect TCPHystartTrainCwnd TCPHystartDelayDetect TCPHystartDelayCwnd TCPACKSkippedSynRecv\n"
        + "TcpExt: 9 2 300 1 40 8\nIpExt: InNoRoutes TCPHystartTrainDetect\nIpExt: 0 77\n";

    [Fact]
    public void Netstat_IsRead() => Assert.Equal(new HyStartCounters(2, 300, 1, 40), HyStartCounters.Parse(Netstat));

    [Theory]
    [InlineData("")]
    [InlineData("TcpExt: TCPHystartTrainDetect\nTcpExt: 1\n")]
    [InlineData("TcpExt: A TCPHystartTrainDetect\nTcpExt: 1\n")]
    [InlineData("TcpExt: TCPHystartTrainDetect TCPHystartTrainCwnd TCPHystartDelayDetect TCPHystartDelayCwnd\nTcpExt: 1 2 3 x\n")]
    public void Netstat_WithoutThem_GivesNone(string text) => Assert.Null(HyStartCounters.Parse(text));

    [Fact]
    public void Since_IsTheDifference() => Assert.Equal(new HyStartCounters(1, 200, 0, 0), new HyStartCounters(2, 300, 1, 40).Since(new(1, 100, 1, 40)));
}
