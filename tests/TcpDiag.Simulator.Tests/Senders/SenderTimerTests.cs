using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders;

/// <summary>When timers expire, and what they send.</summary>
[Trait(Tier.Name, Tier.Conformance)]
public sealed class SenderTimerTests
{
    static readonly SenderTraits NoProbe = Timeline.Traits with { HasTailLossProbe = false };

    // RFC 6298 (5.5): 1 s, then 2 s, then 4 s later.
    [Fact]
    public void Timeout_Repeated_Doubles()
    {
        Timeline line = new Timeline(NoProbe).Write(1);
        Assert.Equal("0", line.At(999).Sent());
        Assert.Equal("0r", line.At(1000).Sent());
        Assert.Equal(string.Empty, line.At(2999).Sent());
        Assert.Equal("0r", line.At(3000).Sent());
        Assert.Equal(string.Empty, line.At(6999).Sent());
        Assert.Equal("0r", line.At(7000).Sent());
        Assert.Equal(3, line.Tcp.Timeouts);
    }

    // RFC 6298 (5.1): sending does not restart the timer that runs.
    [Fact]
    public void Timeout_WithLaterData_RunsFromTheFirst() =>
        Assert.Equal("0 1 0r", new Timeline(NoProbe).Write(1).At(500).Write(1).At(1000).Sent());

    // RFC 8985 §6.3 with RFC 6298 (5.4): only what has been out for a round trip is lost, so segment 1 of 990 ms still fills cwnd (1 segment). 0 is resent all
    // the same.
    [Fact]
    public void Timeout_WithRecentData_ResendsTheFirstOnly()
    {
        Timeline line = new Timeline(NoProbe).Write(2).At(100).Ack(2).Write(1).At(1090).Write(1);
        line.Sent();
        Assert.Equal("2r", line.At(1100).Sent());
        Assert.Equal(1, line.CwndSegments);
    }

    // RFC 5681 §3.1 equation 4: ssthresh = 10 / 2 once, cwnd one segment each time.
    [Fact]
    public void Timeout_OfTheSameSegment_LowersSsthreshOnce()
    {
        Timeline line = new Timeline(NoProbe).Write(10).At(1000);
        Assert.Equal((5_000, 1_000), (line.Tcp.Ssthresh, line.Tcp.Cwnd));
        line.At(3000);
        Assert.Equal((5_000, 1_000), (line.Tcp.Ssthresh, line.Tcp.Cwnd));
    }

    // RFC 8985 §7.2, §7.3: 2·SRTT after the last of five; nothing new to send, so segment 4.
    [Fact]
    public void Probe_OfAQuietTail_ResendsTheLastSegment()
    {
        Timeline line = new Timeline().Write(5);
        line.Sent();
        Assert.Equal(string.Empty, line.At(199).Sent());
        Assert.Equal("4t", line.At(200).Sent());
        Assert.Equal(1200, line.TimerMs); // then the RTO of 1 s, not another probe
        Assert.Equal(5_000, line.Tcp.FlightBytes);
        Assert.Equal(10, line.CwndSegments);
    }

    // RFC 8985 §7.3: new data if there is some, one segment beyond cwnd.
    [Fact]
    public void Probe_WithUnsentData_SendsNewData()
    {
        Timeline line = new Timeline().Write(20);
        line.Sent();
        Assert.Equal("10p", line.At(200).Sent());
    }

    // RFC 8985 §7.2: one segment may be acknowledged late: 2·100 + 200 ms.
    [Fact]
    public void Probe_OfOneSegment_WaitsForADelayedAck() => Assert.Equal(400, new Timeline().Write(1).TimerMs);

    // RFC 8985 §7.2: the RTO of 450 ms (300 at 2.5 × its value) comes first otherwise. SRTT 100, RTTVAR 50: RTO 300 ms with a floor of 200.
    [Fact]
    public void Probe_IsNeverLaterThanTheTimeout()
    {
        SenderTraits traits = Timeline.Traits with { Rto = new(200 * Timeline.Ms, 60_000 * Timeline.Ms, Timeline.Ms) };
        Timeline line = new Timeline(traits).Write(1);
        Assert.Equal("0 0t", line.At(300).Sent());
        Assert.Equal(0, line.Tcp.Timeouts);
    }

    // RFC 8985 §7.4.2: an acknowledgment beyond the probe without a DSACK: the probe repaired the loss, and cwnd is reduced once.
    [Fact]
    public void Probe_ThatRepaired_ReducesOnce()
    {
        Timeline line = new Timeline().Write(5).At(200).At(300).Ack(5).Write(5);
        long before = line.Tcp.Cwnd;
        line.At(400).Ack(7).At(401).Ack(10);
        Assert.True(line.Tcp.Cwnd < before);
        Assert.Equal(0, line.Tcp.Count().Recoveries);
    }

    [Fact]
    public void Probe_ThatWasADuplicate_ReducesNothing()
    {
        Timeline line = new Timeline().Write(5).At(200).At(250).Ack(5).At(300).Ack(5, [(4, 5)]).Write(5).At(400).Ack(10);
        Assert.Equal(long.MaxValue, line.Tcp.Ssthresh);
    }

    // RFC 8985 §7.1: no probe once recovery began; the PTO of 200 ms does not survive.
    [Fact]
    public void Probe_WhenRecoveryBegins_IsCancelled()
    {
        Timeline line = new Timeline().Write(10).At(100).Sack(0, (1, 4));
        Assert.Equal(TimerKind.Rto, line.Tcp.Timer);
        line.At(999);
        Assert.Equal(0, line.Tcp.Count().Probes);
    }

    // RFC 9293 §3.8.6.1: the first probe after one RTO, then at intervals that double; each one octet of new data.
    [Fact]
    public void ClosedWindow_IsProbedUntilItOpens()
    {
        Timeline line = new Timeline(windowSegments: 2).Write(5).At(100).Ack(2, window: 0);
        Assert.Equal("0 1", line.Sent());
        Assert.Equal(SendHold.ReceiveWindow, line.Tcp.HeldBy);
        Assert.Equal("2w", line.At(1100).Sent());
        Assert.Equal("2w", line.At(1150).Ack(2, window: 0).At(3100).Sent());
        Assert.Equal("2 3", line.At(3150).Ack(2, window: 2000).Sent());
        Assert.Equal((2, 0), (line.Tcp.Count().WindowProbes, line.Tcp.Timeouts));
    }

    // The octet was taken, and its acknowledgment is the window update: 2999 bytes are left.
    [Fact]
    public void ClosedWindow_ProbeAccepted_CountsAsSent()
    {
        Timeline line = new Timeline(windowSegments: 2).Write(5).At(100).Ack(2, window: 0).At(1100);
        line.Tcp.OnAckReceived(new AckArrival { Now = new TraceTime(1_200 * Timeline.Ms), Una = Timeline.SeqOf(2) + 1, Window = 5000 });
        Assert.Equal(2_999, line.Tcp.UnsentBytes);
        Assert.Equal(0, line.Tcp.FlightBytes);
    }

    // RFC 6298 (5.7), RFC 6928 §2: after a SYN that timed out the RTO is 3 s; after two the first window is one segment.
    [Theory]
    [InlineData(1, 10)]
    [InlineData(2, 1)]
    public void Handshake_WithTimeouts_IsCareful(int timeouts, int segments)
    {
        Sender tcp = new(Timeline.Traits, Timeline.Smss, new SequenceNumber(1), 100_000, timeouts);
        Assert.Equal(3_000 * Timeline.Ms, tcp.RtoNanos);
        Assert.Equal(segments * Timeline.Smss, tcp.Cwnd);
    }
}
