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

    // Three round trips with a DSACK each: multipliers 2, 3 and 4. Then 25 ms are waited, past 10 + 2.5 of a fixed window and an acknowledgment that shows it.
    [Fact]
    public void SegmentThatIsWaitedForPastAStep_SpeaksAgainstAFixedWindow() =>
        Assert.Equal("dupack:1 rack-adaptive:0 rack-fixed:1",
            Against(AfterDsacks().Send(400, 12, 15).Ack(440, 12, (13, 14)).Ack(455, 12, (13, 15)).Ack(465, 16)));

    // The same three DSACKs; a repair 11 ms behind the round trip is what a fixed window does; one that has grown to 40 waits at least 30 − 2.5.
    [Fact]
    public void RepairAfterOneStepInSpiteOfDsacks_SpeaksAgainstAnAdaptiveWindow() =>
        Assert.Equal("dupack:0 rack-adaptive:1 rack-fixed:0",
            Against(AfterDsacks().Send(400, 12, 15).Ack(440, 12, (13, 15)).Resend(451, 12)));

    // Before any DSACK the two windows are the same.
    [Fact]
    public void RepairAfterOneStepWithoutDsacks_TellsNothing() =>
        Assert.Equal("dupack:0 rack-adaptive:0 rack-fixed:0",
            Against(new ReplayTimeline().AfterReordering().Send(100, 3, 6).Ack(140, 3, (4, 6)).Resend(151, 3)));

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
