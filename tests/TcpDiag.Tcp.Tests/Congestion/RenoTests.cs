using TcpDiag.Tcp.Congestion;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Congestion;

public class RenoTests
{
    const int Smss = 1_000;

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §3.1, equation 2
    public void OnAckReceived_SlowStart_AddsAtMostOneSegment()
    {
        Reno reno = new(10_000, Smss);
        reno.OnAckReceived(500, isCwndLimited: true);
        reno.OnAckReceived(4_000, isCwndLimited: true);
        Assert.Equal(11_500, reno.Cwnd);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §3.1: one segment per window
    public void OnAckReceived_CongestionAvoidance_AddsOneSegmentPerWindow()
    {
        Reno reno = new(10_000, Smss);
        reno.OnLoss(20_000, duplicateAcks: 0);
        for (int i = 0; i < 10; i++)
        {
            Assert.Equal(10_000, reno.Cwnd);
            reno.OnAckReceived(1_000, isCwndLimited: true);
        }

        Assert.Equal(11_000, reno.Cwnd);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Detail)]
    public void OnAckReceived_MoreThanAWindow_CarriesTheRestOver()
    {
        Reno reno = new(10_000, Smss);
        reno.OnLoss(20_000, duplicateAcks: 0);
        reno.OnAckReceived(15_000, isCwndLimited: true);
        Assert.Equal(11_000, reno.Cwnd);

        reno.OnAckReceived(5_999, isCwndLimited: true); // 5,000 were left
        Assert.Equal(11_000, reno.Cwnd);

        reno.OnAckReceived(1, isCwndLimited: true);
        Assert.Equal(12_000, reno.Cwnd);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6582 §3.2 step 3: nothing is added back for less than a segment
    public void OnPartialAck_LessThanASegment_OnlyDeflates()
    {
        Reno reno = new(20_000, Smss);
        reno.OnLoss(20_000, duplicateAcks: 3);
        reno.OnPartialAck(999);
        Assert.Equal(12_001, reno.Cwnd);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §3.1, CC-4
    public void OnAckReceived_ApplicationLimited_DoesNotGrow()
    {
        Reno reno = new(10_000, Smss);
        reno.OnAckReceived(1_000, isCwndLimited: false);
        Assert.Equal(10_000, reno.Cwnd);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §3.2, RFC 6582 §3.2
    public void FastRecovery_PartialThenFullAck_InflatesAndDeflates()
    {
        Reno reno = new(20_000, Smss);
        reno.OnLoss(20_000, duplicateAcks: 3);
        Assert.Equal((13_000, 10_000), (reno.Cwnd, reno.Ssthresh)); // half of 20,000, and three segments that left the network

        reno.OnDuplicateAck();
        Assert.Equal(14_000, reno.Cwnd);

        reno.OnPartialAck(5_000); // − 5,000 + 1,000
        Assert.Equal(10_000, reno.Cwnd);

        reno.OnFullAck(4_000); // min(10,000, 4,000 + 1,000)
        Assert.Equal(5_000, reno.Cwnd);
    }

    [Theory]
    [InlineData(20_000, 10_000)]
    [InlineData(3_000, 2_000)] // at least two segments
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §3.1, equation 4, RT-12
    public void OnTimeout_First_HalvesTheFlightAndKeepsItWhenRepeated(long flight, long ssthresh)
    {
        Reno reno = new(20_000, Smss);
        reno.OnTimeout(flight, isRepeated: false);
        Assert.Equal((1_000, ssthresh), (reno.Cwnd, reno.Ssthresh));

        reno.OnTimeout(1_000, isRepeated: true);
        Assert.Equal((1_000, ssthresh), (reno.Cwnd, reno.Ssthresh));
    }

    [Theory]
    [InlineData(1_460, 14_600, 4_380)]
    [InlineData(536, 5_360, 2_144)]
    [InlineData(1_095, 10_950, 4_380)]
    [InlineData(1_096, 10_960, 3_288)]
    [InlineData(2_190, 14_600, 6_570)]
    [InlineData(2_191, 14_600, 4_382)]
    [InlineData(8_960, 17_920, 17_920)] // jumbo: two segments
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6928 §2; RFC 5681 §3.1
    public void InitialWindow_BySegmentSize_FollowsTheTables(int smss, int ten, int classic)
    {
        Assert.Equal(ten, InitialWindow.Ten(smss));
        Assert.Equal(classic, InitialWindow.Classic(smss));
    }

    [Theory]
    [InlineData(0, 0, 14_600)]
    [InlineData(1, 0, 1_460)] // RFC 5681
    [InlineData(1, 1, 14_600)] // RFC 6928 forgives one
    [InlineData(2, 1, 1_460)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §3.1; RFC 6928 §2
    public void InitialWindow_SynTimeouts_LeaveOneSegment(int timeouts, int tolerated, int expected) =>
        Assert.Equal(expected, InitialWindow.AfterHandshake(14_600, 1_460, timeouts, tolerated));

    [Theory]
    [InlineData(80_000, 300, 80_000)] // exactly one RTO is not longer than one
    [InlineData(80_000, 301, 14_600)]
    [InlineData(5_000, 301, 5_000)] // never larger than it was
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §4.1
    public void IdleRestart_LongerThanTheRto_FallsBackToTheInitialWindow(long cwnd, long idleMs, long expected) =>
        Assert.Equal(expected, IdleRestart.Cwnd(cwnd, 14_600, idleMs * Ms, 300 * Ms));
}
