using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders;

/// <summary>How losses are found and repaired, segment by segment.</summary>
[Trait(Tier.Name, Tier.Conformance)]
public sealed class SenderRecoveryTests
{
    const string FirstTen = "0 1 2 3 4 5 6 7 8 9";

    // RFC 8985 §6.2 step 4: without reordering seen, three SACKed segments make the window 0.
    [Fact]
    public void Sack_OfThreeSegments_RetransmitsAtOnce()
    {
        Timeline line = new Timeline().Write(10);
        Assert.Equal(FirstTen, line.Sent());
        Assert.Equal(string.Empty, line.At(100).Sack(0, (1, 2)).At(101).Sack(0, (1, 3)).Sent());
        Assert.Equal("0r", line.At(102).Sack(0, (1, 4)).Sent());
        Assert.Equal(RecoveryPhase.Fast, line.Tcp.Phase);
    }

    // RFC 8985 §6.2 step 5: sent at 0 + RACK.rtt 100 + min_RTT/4 = 125 ms, though nothing arrives any more; far from the RTO at 1000.
    [Fact]
    public void Sack_OfOneSegment_RetransmitsByReorderingTimer()
    {
        Timeline line = new Timeline().Write(2);
        Assert.Equal("0 1", line.Sent());
        line.At(100).Sack(0, (1, 2));
        Assert.Equal(125, line.TimerMs);
        Assert.Equal("0r", line.At(125).Sent());
        Assert.Equal(0, line.Tcp.Timeouts);
    }

    // RFC 8985 §6.2 steps 3 and 4: once reordering was seen, three SACKed segments do not shorten the wait of min_RTT/4: 0 + 110 + 25 ms.
    [Fact]
    public void Sack_WithReorderingSeen_WaitsForTheWindow()
    {
        Timeline line = new Timeline().Write(10).At(100).Sack(0, (1, 2)).At(105).Ack(2);
        Assert.True(line.Tcp.ReorderingSeen);
        Assert.Equal(FirstTen, line.Sent());
        Assert.Equal(string.Empty, line.At(110).Sack(2, (3, 6)).Sent());
        Assert.Equal(135, line.TimerMs);
        Assert.Equal("2r", line.At(135).Sent());
    }

    // RFC 8985 §3.2: segment 12 was sent after the retransmission of 102 ms and arrived; 102 + 100 ms have passed at 206.
    [Fact]
    public void LostRetransmission_IsFoundWithoutTimeout()
    {
        Timeline line = AfterFirstRetransmission(Timeline.Traits);
        Assert.Equal("12", line.At(105).Sack(0, (1, 7)).Sent()); // 4 delivered, 2 may be sent
        Assert.Equal(string.Empty, line.At(106).Sack(0, (1, 8)).Sent());
        Assert.Equal("0r", line.At(206).Sack(0, (1, 10), (12, 13)).Sent().Split(' ')[0]);
        Assert.Equal(0, line.Tcp.Timeouts);
    }

    [Fact]
    public void LostRetransmission_OfStackWithoutSendTimes_WaitsForTimeout()
    {
        Timeline line = AfterFirstRetransmission(Timeline.Traits with { FindsLostRetransmissions = false }).At(106).Sack(0, (1, 8));
        line.Sent();
        Assert.DoesNotContain("0r", line.At(206).Sack(0, (1, 10), (12, 13)).At(900).Sent().Split(' '));
        Assert.Equal("0r", line.At(1000).Sent()); // 0 + RTO of 1 s: SND.UNA has not moved since
        Assert.Equal(1, line.Tcp.Timeouts);
    }

    // RFC 9937 §6.2: flight 22 when 0 counts as lost, ssthresh 11, RecoverFS = 22 − 3 + 1 = 20: 0.55 segments for each one that is delivered.
    [Fact]
    public void Prr_SpreadsSendingOverTheRecovery()
    {
        Timeline line = new Timeline(Timeline.Traits with { InitialWindowSegments = 20 }).Write(100);
        line.At(100).Sack(0, (1, 2)).At(101).Sack(0, (1, 3)).At(102).Sack(0, (1, 4));
        line.Sent(); // prr_delivered 1, prr_out 1: the forced retransmission
        string[] sent = new string[7];
        for (int i = 0; i < sent.Length; i++)
        {
            sent[i] = line.At(103 + i).Sack(0, (1, 5 + i)).Sent();
        }

        // prr_delivered 2 … 8: 1.1 − 1, 1.65 − 1, 2.2 − 1, 2.75 − 2, 3.3 − 2, 3.85 − 3, 4.4 − 3, whole segments only
        Assert.Equal(["", "", "22", "", "23", "", "24"], sent);
    }

    // RFC 9937 §6.4.
    [Fact]
    public void Recovery_Ends_WithCwndAtSsthresh()
    {
        Timeline line = AfterFirstRetransmission(Timeline.Traits).At(202).Ack(12);
        Assert.Equal(RecoveryPhase.Open, line.Tcp.Phase);
        Assert.Equal(5, line.CwndSegments);
        Assert.Equal(5_000, line.Tcp.Ssthresh); // RFC 5681 §3.2: 10 and 11 came by limited transmit and do not count
    }

    // RFC 6675 §5 (4.3): the first hole is resent at once, though pipe (100 − 3 − 1) is far above ssthresh (50).
    [Fact]
    public void DuplicateThreshold_ResendsFirstHoleWhateverPipeIs()
    {
        SenderTraits traits = Timeline.Traits with
        {
            Detection = LossDetection.DuplicateAcks,
            HasPrr = false,
            HasTailLossProbe = false,
            InitialWindowSegments = 100,
        };
        Timeline line = new Timeline(traits).Write(100).At(100);
        line.Sent();
        Assert.Equal("0r", line.Sack(0, (1, 4)).Sent());
        Assert.Equal(50, line.CwndSegments);
    }

    // RFC 6582 §3.2: each partial acknowledgment resends the next hole. 3 and 6 are lost; 1, 2, 4, 5 … make the duplicates.
    [Fact]
    public void NewReno_PartialAck_ResendsNextHole()
    {
        SenderTraits traits = Timeline.Traits with { Detection = LossDetection.NewReno, HasTailLossProbe = false };
        Timeline line = new Timeline(traits).Write(10).At(100).Ack(3);
        line.Sent();
        line.At(101).Ack(3, isDuplicate: true).At(102).Ack(3, isDuplicate: true);
        Assert.Equal(string.Empty, line.Sent());
        Assert.Equal("3r", line.At(103).Ack(3, isDuplicate: true).Sent());
        Assert.Equal("6r", line.At(203).Ack(6).Sent());
        Assert.Equal(RecoveryPhase.Open, line.At(303).Ack(10).Tcp.Phase);
        Assert.Equal((2, 0), (line.Tcp.Count().Retransmissions, line.Tcp.Timeouts));
    }

    // Segment 10, sent behind the recovery point, is lost too, and marked in the first recovery; pacing holds it back until that has ended.
    [Fact]
    public void LossBehindTheRecoveryPoint_IsRepairedByARecoveryOfItsOwn()
    {
        Timeline line = new Timeline().Write(10).At(100).Sack(0, (1, 4)); // recovery point 10
        line.Write(10).At(101).Sack(0, (1, 9)).At(102).Sack(0, (1, 10));
        Assert.StartsWith("0 1 2 3 4 5 6 7 8 9 0r 10 11", line.Sent(), System.StringComparison.Ordinal);
        line.Hold(true).At(205).Sack(0, (1, 10), (11, 14)).At(206).Ack(10, [(11, 14)]);
        Assert.Equal("10r", line.Hold(false).Sent().Split(' ')[0]);
        Assert.Equal((2, RecoveryPhase.Fast), (line.Tcp.Count().Recoveries, line.Tcp.Phase));
    }

    // RFC 5681 §4.3: however many segments of a window are lost, one reduction: 10 → 5.
    [Fact]
    public void Losses_OfOneWindow_ReduceOnce()
    {
        Timeline line = new Timeline().Write(10).At(100).Sack(0, (1, 2), (3, 4), (5, 6)).At(101).Sack(0, (1, 2), (3, 4), (5, 10));
        line.At(202).Ack(10);
        Assert.Equal(1, line.Tcp.Count().Recoveries);
        Assert.Equal(3, line.Tcp.Count().Retransmissions); // 0, 2, 4
        Assert.Equal(5_000, line.Tcp.Ssthresh);
    }

    // Segments 0 … 9 at 0 ms and 10, 11 by limited transmit (RFC 3042) at 100 and 101; 0 is lost, and resent at 102.
    static Timeline AfterFirstRetransmission(SenderTraits traits)
    {
        Timeline line = new Timeline(traits with { Congestion = traits.Congestion with { Algorithm = CongestionAlgorithm.Reno } }).Write(40);
        line.At(100).Sack(0, (1, 2)).At(101).Sack(0, (1, 3)).At(102).Sack(0, (1, 4));
        Assert.Equal(FirstTen + " 10 11 0r", line.Sent());
        return line;
    }
}
