using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;
using Xunit;

namespace TcpDiag.Scores.Tests.Losses;

/// <summary>What speaks against a way of detecting losses: RTT 40 ms, a step of the window 10 ms (RFC 8985 §6.2).</summary>
public sealed class FingerprintTests
{
    // Reordering was seen, and 3 is sent again with three SACKed above at 140.1: no window has passed, so no RACK does that.
    [Fact]
    public void RetransmissionBeforeAnyWindow_SpeaksAgainstRack() =>
        Assert.Equal("dupack:0 rack-adaptive:1 rack-fixed:1",
            Against(new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Resend(140.1, 3)));

    // Three SACKed above at 140, delivered at 148 without having been sent again: RFC 6675 §4 would have at 140.
    [Fact]
    public void SegmentThatIsWaitedFor_SpeaksAgainstDuplicateAcks() =>
        Assert.Equal("dupack:1 rack-adaptive:0 rack-fixed:0",
            Against(new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Ack(148, 7)));

    // One SACKed above and a repair at 151, behind the window: never by duplicate acknowledgments.
    [Fact]
    public void RepairWithOneSackedAbove_SpeaksAgainstDuplicateAcks() =>
        Assert.Equal("dupack:1 rack-adaptive:0 rack-fixed:0",
            Against(new ReplayTimeline().AfterReordering().Send(100, 3, 4).Ack(140, 3, (4, 4)).Resend(151, 3)));

    // Three round trips with a DSACK each: multipliers 2, 3 and 4. A fixed window ends at 400 + 40 + 10, with its tolerance at 451.25; the acknowledgment at
    // 455 delivers 15 after 40 ms and shows it, and still 12 is waited for until 465.
    [Fact]
    public void SegmentThatIsWaitedForPastAStep_SpeaksAgainstAFixedWindow() =>
        Assert.Equal("dupack:1 rack-adaptive:0 rack-fixed:1",
            Against(AfterDsacks().Send(400, 12, 14).Send(415, 15, 15).Ack(440, 12, (13, 14)).Ack(455, 12, (13, 15)).Ack(465, 16)));

    // The same, but 15 was sent with the others and took 55 ms: RACK.rtt is 55 from then on, and 12 is due at 465.
    [Fact]
    public void RoundTripThatCameOutLonger_MovesTheWindow() =>
        Assert.Equal("dupack:1 rack-adaptive:0 rack-fixed:0",
            Against(AfterDsacks().Send(400, 12, 15).Ack(440, 12, (13, 14)).Ack(455, 12, (13, 15)).Ack(465, 16)));

    // At 455 nothing new is delivered: Linux does not look for losses then.
    [Fact]
    public void AcknowledgmentThatDeliversNothing_ShowsNothing() =>
        Assert.Equal("dupack:1 rack-adaptive:0 rack-fixed:0",
            Against(AfterDsacks().Send(400, 12, 15).Ack(440, 12, (13, 15)).Ack(455, 12, (13, 15)).Ack(465, 16)));

    // The same three DSACKs; a repair 11 ms behind the round trip is what a fixed window does; one that has grown to 40 waits at least 30 − 1.25. It is
    // the first of a recovery, so that nothing but a window held it from 440 on, when three had been SACKed above.
    [Fact]
    public void RepairAfterOneStepInSpiteOfDsacks_SpeaksAgainstAnAdaptiveWindow() =>
        Assert.Equal("dupack:1 rack-adaptive:1 rack-fixed:0",
            Against(AfterDsacks().Send(400, 12, 15).Ack(440, 12, (13, 15)).Resend(451, 12)));

    // Before any DSACK the two windows are the same; duplicate acknowledgments would have repaired at 140, and 2 ms are enough for that.
    [Theory]
    [InlineData(151, "dupack:1 rack-adaptive:0 rack-fixed:0")]
    [InlineData(141.9, "dupack:0 rack-adaptive:1 rack-fixed:1")]
    public void RepairAfterOneStepWithoutDsacks_SpeaksAgainstDuplicateAcksAlone(double resent, string against) =>
        Assert.Equal(against, Against(new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Resend(resent, 3)));

    // Every window ends at 151.25; the acknowledgment at 155 shows it, and 9 ms later 3 is sent again: that is neither.
    [Fact]
    public void RepairLongAfterEveryWindow_SpeaksAgainstAll() =>
        Assert.Equal("dupack:1 rack-adaptive:1 rack-fixed:1",
            Against(new ReplayTimeline().AfterReordering().Send(100, 3, 6).Send(115, 7, 7).Ack(140, 3, (4, 6)).Ack(155, 3, (4, 7)).Resend(164, 3)));

    // Three are SACKed above 3 and 4 at 140; nothing could be sent before 3 arrives at 141, so that Linux undoes this recovery and never looks at 4 again.
    // Where something new goes out first, nothing was held back, and a sender that counts duplicates would have sent 4 again.
    [Theory]
    [InlineData(false, "dupack:0 rack-adaptive:0 rack-fixed:0")]
    [InlineData(true, "dupack:1 rack-adaptive:0 rack-fixed:0")]
    public void OriginalThatComesBeforeAnythingIsSent_UndoesWhatWasDeclared(bool sends, string against)
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 7).Ack(140, 3, (5, 7));
        _ = sends ? timeline.Send(140.5, 8, 8) : timeline;
        Assert.Equal(against, Against(timeline.Ack(141, 4, (5, 7)).Ack(148, 8)));
    }

    // DSACKs at 181 and 222 while 3 is missing: by RFC 8985 §6.2 step 4 that is one round, since SND.UNA stays; for Linux the delivery of 8, sent at 182,
    // begins another. So an adaptive window may be three steps wide, 31.25 ms with its tolerance, when 365 shows that 11 is 25 ms late.
    [Fact]
    public void RoundThatIsOverForLinuxAlone_CountsForTheWidestWindow()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Send(141, 7, 7).Resend(150.5, 3)
            .Ack(181, 3, (0, 0), (4, 7)).Send(182, 8, 10).Ack(222, 3, (1, 1), (4, 10)).Ack(223, 11);
        Assert.Equal("dupack:2 rack-adaptive:0 rack-fixed:1",
            Against(timeline.Send(300, 11, 13).Send(325, 14, 14).Ack(340, 11, (12, 13)).Ack(365, 11, (12, 14)).Ack(370, 15)));
    }

    // What a timer sends again says nothing of loss detection.
    [Theory]
    [InlineData(RetransmissionTrigger.Rto)]
    [InlineData(RetransmissionTrigger.Tlp)]
    public void RetransmissionByATimer_TellsNothing(RetransmissionTrigger trigger) =>
        Assert.Equal("dupack:0 rack-adaptive:0 rack-fixed:0",
            Against(new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Resend(140.1, 3, trigger)));

    // Two round trips against the others, none against itself: (0.05/0.95)² = 0.0028 each, so 1/(1 + 2·0.0028) = 0.994.
    [Fact]
    public void Verdict_NeedsTwoRoundTripsAgainstEveryOther()
    {
        FingerprintCandidate[] one = FingerprintCandidate.Weigh([("a", 0, 0), ("b", 1, 5), ("c", 2, 5)], 2);
        FingerprintCandidate[] two = FingerprintCandidate.Weigh([("a", 0, 0), ("b", 2, 5), ("c", 2, 5)], 2);
        Assert.Equal(Fingerprint.Unknown, Fingerprint.Of(one, 2, 1).Verdict);
        Assert.Equal("the trace does not tell a from b", Fingerprint.Of(one, 2, 1).Reason);
        Assert.Equal("a", Fingerprint.Of(two, 2, 1).Verdict);
        Assert.Equal(0.994, two[0].Posterior, 3);
    }

    // A sender that contradicts every way in a fifth of its round trips is none of them.
    [Fact]
    public void Verdict_OfWhatFitsNothing_IsUnknown()
    {
        FingerprintCandidate[] candidates = FingerprintCandidate.Weigh([("a", 2, 3), ("b", 9, 5), ("c", 10, 5)], 10);
        Assert.Equal("it behaves like none of these", Fingerprint.Of(candidates, 10, 4).Reason);
    }

    // Both windows fit and duplicate acknowledgments do not: RACK, and no more.
    [Fact]
    public void Verdict_WithoutAnythingAboutTheWindow_IsRack()
    {
        FingerprintCandidate[] candidates =
            FingerprintCandidate.Weigh([(Fingerprint.DuplicateAcks, 3, 1), (Fingerprint.RackFixed, 0, 0), (Fingerprint.RackAdaptive, 1, 5)], 3);
        Fingerprint fingerprint = Fingerprint.Of(candidates, 3, 4);
        Assert.Equal(Fingerprint.Rack, fingerprint.Verdict);
        Assert.Equal("the trace does not tell rack-adaptive from rack-fixed", fingerprint.Reason);
    }

    // Multiplier 2 is a window that grew; 1 is one that did not, because no DSACK was counted, or although some were.
    [Theory]
    [InlineData(Fingerprint.Unknown, 5, 3L, 2, Fingerprint.RackAdaptive)]
    [InlineData(Fingerprint.RackFixed, 5, 0L, 1, Fingerprint.RackNoDsack)]
    [InlineData(Fingerprint.Rack, 5, 4L, 1, Fingerprint.RackFixed)]
    [InlineData(Fingerprint.Rack, 1, 0L, 1, Fingerprint.Rack)]
    [InlineData(Fingerprint.Unknown, 0, null, 1, Fingerprint.Rack)]
    [InlineData(Fingerprint.RackAdaptive, 5, 0L, 1, Fingerprint.RackAdaptive)] // the packets contradict
    [InlineData(Fingerprint.DuplicateAcks, 5, 0L, 1, Fingerprint.DuplicateAcks)]
    [InlineData(Fingerprint.Unknown, 5, 0L, null, Fingerprint.Unknown)]
    public void Events_TellWhatPacketsCannot(string packets, int dsacks, long? counted, int? multiplier, string verdict) =>
        Assert.Equal(verdict, new Fingerprint { Verdict = packets }.WithEvents(dsacks, counted, multiplier).Verdict);

    // Three times: a segment is sent again, its original arrives, and a DSACK reports the copy a round trip later.
    static ReplayTimeline AfterDsacks()
    {
        ReplayTimeline timeline = new ReplayTimeline().AfterReordering();
        for (int i = 0; i < 3; i++)
        {
            int first = 3 + (3 * i);
            double at = 100 + (100 * i);
            timeline.Send(at, first, first + 2).Ack(at + 40, first, (first + 1, first + 2)).Ack(at + 41, first + 3).Ack(at + 90, first + 3, (first, first));
        }

        return timeline;
    }

    static string Against(ReplayTimeline timeline) => string.Join(' ', timeline.Fingerprint.Candidates
        .OrderBy(one => one.Name, System.StringComparer.Ordinal)
        .Select(one => $"{one.Name}:{one.Contradictions}"));
}
