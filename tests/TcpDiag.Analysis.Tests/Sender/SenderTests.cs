using System.Linq;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Sender.TextTrace;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>Retransmissions as a capture at the sender shows them: what triggered them, and whether they were needed.</summary>
public sealed class SenderTests
{
    const string FourSegments = """
        30.0 > 1+1000
        30.1 > 1001+1000
        30.2 > 2001+1000
        30.3 > 3001+1000
        """;

    // The first of four did not arrive; the other three are SACKed one by one.
    const string Hole = FourSegments + """

        50.2 < 1 sack=1001-2001
        50.3 < 1 sack=1001-3001
        50.4 < 1 sack=1001-4001

        """;

    // The first and third of six are sent again, with later timestamps; the fifth, sent before that, stays missing.
    const string StampedHoles = """
        30.0 > 1+1000 ts=30
        30.1 > 1001+1000 ts=30
        31.0 > 2001+1000 ts=30
        31.1 > 3001+1000 ts=30
        31.2 > 4001+1000 ts=30
        31.3 > 5001+1000 ts=30
        50.2 < 1 sack=1001-2001 ts=9/29
        50.5 > 1+1000 ts=51
        51.2 < 1 sack=3001-4001,1001-2001 ts=9/29
        51.5 > 2001+1000 ts=52
        55.0 < 1 sack=5001-6001,3001-4001,1001-2001 ts=9/29

        """;

    static void AssertSender(string text, TriggerCounts triggers, NeedCounts needs, long reordered = 0)
    {
        Connection connection = AtSender(text);
        ConnectionDirection sent = connection.FromClient;
        Assert.Equal(Vantage.Client, connection.Vantage);
        Assert.Equal(triggers, sent.Triggers);
        Assert.Equal(needs, sent.Needs);
        Assert.Equal(sent.Retransmissions, triggers.Total);
        Assert.Equal(sent.Retransmissions, needs.Total);
        Assert.Equal(needs.Necessary, sent.Loss!.Packets);
        Assert.Equal(reordered, sent.Reordering!.Packets);
    }

    [Fact]
    public void Resent_AfterSacksAboveIt_IsFastAndNecessary() => AssertSender(
        Hole + """
        50.5 > 1+1000
        70.6 < 4001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 1, 0, 0, 0));

    // The receiver says nothing at 72: for the original, which came behind its resending, and without DSACKs. At 95 nothing of that would be left to answer.
    [Theory]
    [InlineData(72, 1)]
    [InlineData(95, 0)]
    public void Resent_AndAnsweredTwice_WasLikelySpurious(double repeat, long spurious) => AssertSender(
        Hole + $"""
        50.5 > 1+1000
        50.6 > 4001+1000
        70.6 < 4001
        {repeat} < 4001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 1 - spurious, 0, LikelySpurious: spurious, 0),
        reordered: spurious);

    // Of room alone a Linux receiver tells when its window has doubled, from 1000: then nothing has to have come.
    [Theory]
    [InlineData(1999, 1)]
    [InlineData(2000, 0)]
    public void Resent_AndAnsweredTwiceWithMoreRoom_WasLikelySpurious(int window, long spurious) => AssertSender(
        Hole + $"""
        50.5 > 1+1000
        50.6 > 4001+1000
        70.6 < 4001
        72.0 < 4001 win={window}
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 1 - spurious, 0, LikelySpurious: spurious, 0),
        reordered: spurious);

    // Two round trips behind all that was sent again (70.6 + 40) the window grows alone: this receiver tells of that, and may have done so at 72.
    [Fact]
    public void MoreRoom_ToldForItself_ProvesNothing() => AssertSender(
        Hole + """
        50.5 > 1+1000
        50.6 > 4001+1000
        70.6 < 4001
        72.0 < 4001 win=1400
        90.6 < 5001 win=1400
        110.7 < 5001 win=1500
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 1, 0, 0, 0));

    // 15 ms were less than any round trip known at 65.5, but not than that of the next segment: what was sent again was no duplicate, and the repeat at 87
    // does not answer it.
    [Fact]
    public void Repeat_OfWhatWasThoughtTooSoon_ProvesNothing() => AssertSender(
        Hole + """
        50.5 > 1+1000
        65.5 < 4001
        66.0 > 4001+1000
        81.0 < 5001
        87.0 < 5001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 1, 0, 0, 0));

    // With something else to tell, an acknowledgment answers that: data behind a gap.
    [Fact]
    public void Resent_ThenNewDataBehindAGap_WasNecessary() => AssertSender(
        Hole + """
        50.5 > 1+1000
        50.6 > 4001+1000
        50.7 > 5001+1000
        70.6 < 4001
        72.0 < 4001 sack=5001-6001
        73.0 < 6001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 1, 0, 0, 0),
        reordered: 1); // what filled that gap was not resent

    // The second repeat has nothing to answer: this receiver, or this path, repeats for reasons of its own.
    [Fact]
    public void Repeats_ThatNothingExplains_ProveNothing() => AssertSender(
        Hole + """
        50.5 > 1+1000
        50.6 > 4001+1000
        70.6 < 4001
        72.0 < 4001
        72.1 < 4001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 1, 0, 0, 0));

    // With timestamps the repeat may answer new data that PAWS had thrown away for its old timestamp: the third segment, sent before the resending, has not
    // arrived.
    [Fact]
    public void Repeat_WithTimestamps_AndOlderDataOpen_DecidesNothing() => AssertSender(
        """
        30.0 > 1+1000 ts=30
        30.1 > 1001+1000 ts=30
        30.2 > 2001+1000 ts=30
        50.2 < 1 sack=1001-2001 ts=9/29
        50.5 > 1+1000 ts=51
        50.6 > 3001+1000 ts=51
        70.6 < 2001 ts=29/51
        71.0 < 2001 ts=29/51
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(0, 0, 0, Unknown: 1));

    // All that was sent before the resending has arrived, and what was sent behind it cannot be too old: the repeat answers the original that came late.
    [Fact]
    public void Repeat_WithTimestamps_AndNothingOlderOpen_IsOfADuplicate() => AssertSender(
        """
        30.0 > 1+1000 ts=30
        30.1 > 1001+1000 ts=30
        50.2 < 1 sack=1001-2001 ts=9/29
        50.5 > 1+1000 ts=51
        50.6 > 2001+1000 ts=51
        70.6 < 2001 ts=29/51
        71.0 < 2001 ts=29/51
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 0, 0, LikelySpurious: 1, 0),
        reordered: 1);

    // The first and third segments are resent, and the fifth, sent before them, stays open: PAWS may have thrown that away. Both repeats come 22 ms behind
    // the first SACK above a segment (50.2 and 51.2), the second one 0.4 or 0.5 ms off that, a fiftieth of which is 0.44: two originals as late as each
    // other, or chance, which decides nothing.
    [Theory]
    [InlineData(73.6, 2)]
    [InlineData(73.7, 0)]
    public void Repeats_WithTimestamps_AsLateAsEachOther_AreOfOriginals(double second, long spurious) => AssertSender(
        StampedHoles + $"""
        71.0 < 2001 sack=5001-6001,3001-4001 ts=29/51
        72.2 < 2001 sack=5001-6001,3001-4001 ts=29/51
        72.5 < 4001 sack=5001-6001 ts=29/52
        {second} < 4001 sack=5001-6001 ts=29/52
        """,
        new(Fast: 2, 0, 0, 0, 0),
        new(0, 0, LikelySpurious: spurious, Unknown: 2 - spurious),
        reordered: spurious);

    // The same, but both were acknowledged before the first original came: each repeat is of the one that makes it as late as the other, 32 or 43 ms, not of
    // the one acknowledged last. More than two round trips behind the acknowledgment (70.7) no original is expected.
    [Theory]
    [InlineData(82.2, 83.2, 2, 0)]
    [InlineData(93.2, 94.2, 2, 0)]
    [InlineData(82.2, 82.3, 0, 1)] // a millisecond apart in their holes: both may be of the one acknowledged last
    [InlineData(111.2, 112.2, 0, 0)]
    public void Repeats_BehindAllAcknowledgments_AreToldApartByLateness(double first, double second, long spurious, long unknown) => AssertSender(
        StampedHoles + $"""
        70.6 < 2001 sack=5001-6001,3001-4001 ts=29/51
        70.7 < 4001 sack=5001-6001 ts=29/52
        {first} < 4001 sack=5001-6001 ts=29/52
        {second} < 4001 sack=5001-6001 ts=29/52
        """,
        new(Fast: 2, 0, 0, 0, 0),
        new(Necessary: 2 - spurious - unknown, 0, LikelySpurious: spurious, unknown),
        reordered: spurious);

    [Fact]
    public void Hole_FilledWithoutResending_WasReordering()
    {
        const string text = Hole + "55.2 < 4001"; // 5 ms after the first SACK above it
        AssertSender(text, default, default, reordered: 1);
        ReorderingSummary reordering = AtSender(text).FromClient.Reordering!;
        Assert.Equal(5_000_000, reordering.MaxExtent);
        Assert.Equal(5_000_000, reordering.Extents?.Median);
        Assert.Equal(0.25, reordering.Ratio);
    }

    // RFC 2883 §4: the second copy is reported below the acknowledgment. The original came 1.5 ms after the resending.
    [Fact]
    public void Resent_ReportedByDsack_WasSpuriousAndThePathReordered() => AssertSender(
        Hole + """
        50.5 > 1+1000
        52.0 < 4001
        70.6 < 4001 sack=1-1001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(0, Spurious: 1, 0, 0),
        reordered: 1);

    [Fact]
    public void Resent_AcknowledgedBeforeARoundTrip_IsLikelySpurious() => AssertSender(
        Hole + """
        50.5 > 1+1000
        52.0 < 4001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(0, 0, LikelySpurious: 1, 0),
        reordered: 1);

    // RFC 3522 §3.2: the acknowledgment that moves SND.UNA echoes the timestamp of one sending.
    [Theory]
    [InlineData("71.0 < 2001 ts=9/30", false)] // the original's, though a whole round trip had passed
    [InlineData("71.0 < 2001 ts=9/50", true)]
    [InlineData("55.3 < 2001 ts=9/50", true)] // the path let the resending overtake: it came back after 5 ms, where a round trip takes 20
    public void Resent_AcknowledgmentEchoesATimestamp_ThatSendingWasNeeded(string acknowledgment, bool isNecessary) => AssertSender(
        """
        30.0 > 1+1000 ts=30
        30.1 > 1001+1000 ts=30
        50.2 < 1 sack=1001-2001 ts=7/20
        50.3 > 1+1000 ts=50

        """ + acknowledgment,
        new(Fast: 1, 0, 0, 0, 0),
        isNecessary ? new(Necessary: 1, 0, 0, 0) : new(0, Spurious: 1, 0, 0),
        isNecessary ? 0 : 1);

    [Fact]
    public void Resent_NeverAcknowledged_IsUnknown() => AssertSender(Hole + "50.5 > 1+1000", new(Fast: 1, 0, 0, 0, 0), new(0, 0, 0, Unknown: 1));

    [Fact]
    public void Resent_AfterItsAcknowledgment_WasSpurious() => AssertSender(
        FourSegments + """

        50.3 < 4001
        50.4 > 1+1000
        """,
        new(0, 0, 0, 0, Unknown: 1),
        new(0, Spurious: 1, 0, 0));

    // RFC 8985 §7.2: PTO = 2 · SRTT = 40 ms after the last segment sent or acknowledged; it probes the last segment.
    [Fact]
    public void LastSegment_ResentAfterTwoRoundTrips_IsAProbe() => AssertSender(
        """
        30.0 > 1+1000
        30.1 > 1001+1000
        50.0 < 1001
        91.0 > 1001+1000
        111.0 < 2001
        """,
        new(0, Tlp: 1, 0, 0, 0),
        new(Necessary: 1, 0, 0, 0));

    // RFC 8985 §7.3: only one probe per tail; what follows is the timeout.
    [Fact]
    public void LastSegment_ResentAgain_IsATimeout() => AssertSender(
        """
        30.0 > 1+1000
        30.1 > 1001+1000
        50.0 < 1001
        91.0 > 1001+1000
        391.0 > 1001+1000
        411.0 < 2001
        """,
        new(0, Tlp: 1, Rto: 1, 0, 0),
        new(Necessary: 2, 0, 0, 0));

    // RFC 6298 §5.4: SND.UNA first; what is resent on the acknowledgments that follow belongs to the timeout.
    [Fact]
    public void FirstSegment_ResentAfterSilence_IsATimeoutAndSoIsTheRest() => AssertSender(
        FourSegments + """

        300.0 > 1+1000
        320.0 < 1001
        320.1 > 1001+1000
        320.1 > 2001+1000
        340.2 < 3001
        340.3 > 3001+1000
        360.4 < 4001
        """,
        new(0, 0, Rto: 4, 0, 0),
        new(Necessary: 4, 0, 0, 0));

    // RFC 8985 §3.2: data sent after the resending was SACKed, so that one was lost as well.
    [Fact]
    public void Resent_Twice_LostARetransmission() => AssertSender(
        Hole + """
        50.5 > 1+1000
        50.6 > 4001+1000
        70.7 < 1 sack=1001-5001
        75.8 > 1+1000
        95.9 < 5001
        """,
        new(Fast: 1, 0, 0, LostRetransmission: 1, 0),
        new(Necessary: 2, 0, 0, 0));

    // The second retransmission is reported as a duplicate: the first one was needed.
    [Fact]
    public void Resent_TwiceAndReportedOnce_OneWasNecessary() => AssertSender(
        Hole + """
        50.5 > 1+1000
        65.0 > 1+1000
        70.6 < 4001
        85.1 < 4001 sack=1-1001
        """,
        new(Fast: 1, 0, 0, LostRetransmission: 1, 0),
        new(Necessary: 1, Spurious: 1, 0, 0));

    // 4000 bytes at MSS 1460: three wire segments, each with a verdict of its own.
    [Fact]
    public void Offloaded_ResentAndPartlyReported_IsJudgedPerWireSegment() => AssertSender(
        """
        30.0 > 1+4000
        30.1 > 4001+1000
        50.2 < 1 sack=4001-5001
        50.3 > 1+4000
        70.4 < 5001
        70.5 < 5001 sack=1-1461
        """,
        new(Fast: 3, 0, 0, 0, 0),
        new(Necessary: 2, Spurious: 1, 0, 0),
        reordered: 1);

    // Two blocks that are both new: the lower one fills no hole that the higher one had shown before.
    [Fact]
    public void Blocks_SeveralNewInOneAcknowledgment_AreNoReordering() => AssertSender(
        FourSegments + """

        50.3 < 1 sack=3001-4001,1001-2001
        50.4 > 1+1000
        50.4 > 2001+1000
        70.5 < 4001
        """,
        new(Fast: 2, 0, 0, 0, 0),
        new(Necessary: 2, 0, 0, 0));

    const string PathMakesCopies = """
        29.0 > 1+1000
        49.1 < 1001
        49.2 < 1001 sack=1-1001
        60.0 > 1001+1000
        60.1 > 2001+1000
        80.2 < 1001 sack=2001-3001
        80.5 > 1001+1000

        """;

    // RFC 3708 §3: a DSACK for data sent once shows that the path makes copies; the other is for a copy of the retransmission, which the data had waited for.
    [Fact]
    public void Resent_ReportedOnAPathThatMakesCopies_WasNecessary() => AssertSender(
        PathMakesCopies + """
        100.6 < 3001
        100.7 < 3001 sack=1001-2001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(Necessary: 1, 0, 0, 0));

    // The same, but the data was acknowledged before the retransmission can have arrived.
    [Fact]
    public void Resent_ReportedOnAPathThatMakesCopiesAndAcknowledgedBefore_IsLikelySpurious() => AssertSender(
        PathMakesCopies + """
        85.0 < 3001
        100.7 < 3001 sack=1001-2001
        """,
        new(Fast: 1, 0, 0, 0, 0),
        new(0, 0, LikelySpurious: 1, 0),
        reordered: 1);

    // The first round trip took 20 ms more than any other: by it, the retransmission's of 20 ms seems too short.
    [Fact]
    public void Resent_ShortestRoundTripNotKnownYet_IsJudgedByWhatIsKnownLater() => AssertSender(
        """
        30.0 > 1+1000
        30.1 > 1001+1000
        30.2 > 2001+1000
        70.2 < 1001
        71.0 > 3001+1000
        91.1 < 1001 sack=3001-4001
        91.2 > 1001+1000
        111.3 < 2001
        111.4 > 2001+1000
        131.5 < 4001
        132.0 > 4001+1000
        152.0 < 5001
        """,
        new(Fast: 2, 0, 0, 0, 0),
        new(Necessary: 2, 0, 0, 0));

    // The acknowledgment of the first segment tells nothing of the two that had been SACKed: the receiver dropped them (RFC 2018 §8).
    [Fact]
    public void SackedDataDroppedByTheReceiver_ResendingIt_IsNecessary()
    {
        ConnectionDirection sent = TextTrace.AtSender("""
            30.0 > 1+1000
            30.1 > 1001+1000
            30.2 > 2001+1000
            50.1 < 1 sack=1001-2001
            50.2 < 1 sack=1001-3001
            50.3 > 1+1000
            70.3 < 1001
            400.0 > 1001+1000
            420.0 < 2001
            420.1 > 2001+1000
            440.1 < 3001
            """).FromClient;
        Assert.Equal(new NeedCounts(3, 0, 0, 0), sent.Needs);
        Assert.Equal(3, sent.Loss?.Packets);
    }

    // An acknowledgment that travels with data may lack the blocks (RFC 2018 §4 says SHOULD): that does not show that the receiver dropped what it had
    // reported, and resending it was needless.
    [Fact]
    public void SackedData_NotRepeatedOnDataOfTheOther_IsStillThere()
    {
        ConnectionDirection sent = Segments.Opened()
            .Packet(30_000, Segments.FromClient(1, 1, 1000))
            .Packet(30_100, Segments.FromClient(1001, 1, 1000))
            .Packet(30_200, Segments.FromClient(2001, 1, 1000))
            .Packet(50_100, Segments.FromServer(1, 1).Sack(unchecked(Segments.ClientIsn + 2001), unchecked(Segments.ClientIsn + 3001)))
            .Packet(50_200, Segments.FromServer(1, 1001, 100))
            .Packet(50_300, Segments.FromClient(2001, 101, 1000))
            .Analyze().Connections.Single().FromClient;
        Assert.Equal(new NeedCounts(0, Spurious: 1, 0, 0), sent.Needs);
    }
}
