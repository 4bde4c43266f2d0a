using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;
using Xunit;

namespace TcpDiag.Scores.Tests.Losses;

/// <summary>Timelines worked out by hand: RTT 40 ms, a step of the window 10 ms (RFC 8985 §6.2).</summary>
public sealed class LossComponentTests
{
    // Sent at 100, so a round trip ends at 140; 4 to 6 SACKed then, 3 at 148: 8 ms late, less than the window of 10.
    [Fact]
    public void LatePacket_WithinTheWindowAndWaitedFor_Counts()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Ack(148, 7);
        Assert.Equal("1/1", timeline.Rate("late-within-window"));
        Assert.Equal("-", timeline.Rate("late-within-srtt"));
    }

    // The same, but 3 is sent again at 141, nine ms before the reference would, and the original arrives at 148.
    [Fact]
    public void LatePacket_SentAgainBeforeTheWindowEnds_IsAMiss()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Resend(141, 3).Ack(148, 7)
            .Judge(3, RetransmissionNeed.Spurious, ackedMs: 148);
        Assert.Equal("0/1", timeline.Rate("late-within-window"));
        ScorePlace place = Assert.Single(timeline.Component("late-within-window").Worst);
        Assert.Equal(7_000_000, place.Nanos); // 141 to 148: so long it should have waited
    }

    // Late by 25 ms: past the window of 10, within SRTT of 40. Waiting is allowed, not asked for (RFC 8985 §3.3.2).
    [Fact]
    public void LatePacket_PastTheWindow_IsAnotherComponent()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Ack(165, 7);
        Assert.Equal("-", timeline.Rate("late-within-window"));
        Assert.Equal("1/1", timeline.Rate("late-within-srtt"));
    }

    // Late by more than SRTT: nobody has to wait.
    [Fact]
    public void LatePacket_PastSrtt_DoesNotCount()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Ack(190, 7);
        Assert.Equal("-", timeline.Rate("late-within-srtt"));
    }

    // One SACKed above, a millisecond before the rest: an early packet (that of AfterReordering).
    [Fact]
    public void PacketThatOneOvertook_IsEarly()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering();
        Assert.Equal("1/1", timeline.Rate("early"));
        Assert.Equal("-", timeline.Rate("early-within-srtt"));
    }

    // Sent at 100: 3 and 4 were overtaken by 5 alone at 140, and arrive at 165: 25 ms behind, past the window of 10 and within SRTT.
    [Fact]
    public void PacketThatOneOvertookByMoreThanTheWindow_IsAnotherComponent()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 5).Ack(140, 3, (5, 5)).Ack(165, 6);
        Assert.Equal("1/1", timeline.Rate("early"));
        Assert.Equal("1/1", timeline.Rate("early-within-srtt"));
        Assert.Equal((2, 0), (timeline.Replay.Facts().Overtaken, timeline.Replay.Facts().OvertakenResent));
    }

    // 9.5 ms late: less than the reference's window of 10, but more than the least there is, 10 less an eighth. Whose window is a little smaller may send again.
    [Fact]
    public void LatePacket_AtTheEdgeOfTheWindow_TellsNothing()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Ack(149.5, 7);
        Assert.Equal("-", timeline.Rate("late-within-window"));
        Assert.Equal("-", timeline.Rate("late-within-srtt"));
        Assert.Equal(2, timeline.Replay.Facts().Overtaken);
    }

    // Reordering was seen: 140 + 10 is when the reference repairs. 150 is in time; 177 is 27 ms behind, more than a step and a tick (26 ms).
    [Theory]
    [InlineData(150, "1/1")]
    [InlineData(176, "1/1")]
    [InlineData(177, "0/1")]
    public void NecessaryRetransmission_IsMeasuredAgainstTheReference(double resent, string rate)
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Resend(resent, 3).Ack(resent + 40, 7)
            .Judge(3, RetransmissionNeed.Necessary, resent + 40);
        Assert.Equal(rate, timeline.Rate("detection"));
    }

    // 3 is lost at 100 and again at 150; 7, sent at 151, is SACKed at 191: the retransmission is lost from 150 + 40 + 10 = 200 on (RFC 8985 §3.2).
    [Theory]
    [InlineData(RetransmissionTrigger.LostRetransmission, 201, "1/1")]
    [InlineData(RetransmissionTrigger.Rto, 450, "0/1")]
    public void LostRetransmission_IsFoundOrTimesOut(RetransmissionTrigger trigger, double at, string rate)
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Resend(150, 3).Send(151, 7, 7)
            .Ack(191, 3, (4, 7)).Resend(at, 3, trigger).Ack(at + 40, 8).Judge(3, RetransmissionNeed.Necessary, at + 40);
        Assert.Equal(rate, timeline.Rate("lost-retransmissions"));
    }

    // The last of three is lost. 2·SRTT after the acknowledgment of the others a probe is due (RFC 8985 §7.2): one segment in flight, so 200 ms more.
    [Theory]
    [InlineData(RetransmissionTrigger.Tlp, 425, "1/1", "-")]
    [InlineData(RetransmissionTrigger.Rto, 1_150, "0/1", "0/1")]
    public void TailLoss_IsProbedOrTimesOut(RetransmissionTrigger trigger, double at, string tail, string timeouts)
    {
        ReplayTimeline timeline = new ReplayTimeline().Send(100, 0, 2).Ack(140, 2).Resend(at, 2, trigger).Ack(at + 40, 3)
            .Judge(2, RetransmissionNeed.Necessary, at + 40);
        Assert.Equal(tail, timeline.Rate("tail-losses"));
        Assert.Equal(timeouts, timeline.Rate("timeouts"));
    }

    // Everything in flight is lost, and nothing was SACKed; the probe, too: no detection avoids that timeout.
    [Fact]
    public void Timeout_AfterALostProbe_CouldNotBeAvoided()
    {
        ReplayTimeline timeline = new ReplayTimeline().Send(100, 0, 2).Resend(220, 2, RetransmissionTrigger.Tlp).Resend(1_240, 0, RetransmissionTrigger.Rto)
            .Ack(1_280, 1).Judge(0, RetransmissionNeed.Necessary, 1_280);
        Assert.Equal("1/1", timeline.Rate("timeouts"));
    }

    [Fact]
    public void WithoutSack_NothingOfRackIsScored()
    {
        ReplayTimeline timeline = new(hasSack: false);
        timeline.Send(100, 0, 3).Ack(140, 0).Resend(141, 0).Ack(181, 4);
        Assert.Equal(Fingerprint.NoSack, timeline.Fingerprint.Verdict);
        Assert.Contains("RFC 8985 §4", timeline.Component("late-within-window").NotExercised!, System.StringComparison.Ordinal);
    }

    [Fact]
    public void AcknowledgmentOfWhatWasNotCaptured_EndsTheReplay()
    {
        ReplayTimeline timeline = new ReplayTimeline().Send(100, 0, 3).Ack(140, 5);
        Assert.Contains("not captured", timeline.Replay.Doubt!, System.StringComparison.Ordinal);
    }
}
