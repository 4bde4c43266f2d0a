using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Sender.TextTrace;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>Losses and reordering as a capture at the receiver shows them, and in between.</summary>
public sealed class ReceiverTests
{
    static ConnectionDirection Received(string text)
    {
        Connection connection = AtReceiver(text);
        Assert.Equal(Vantage.Server, connection.Vantage);
        Assert.Equal(connection.FromClient.Retransmissions, connection.FromClient.Needs!.Value.Total);
        Assert.Equal(connection.FromClient.Retransmissions, connection.FromClient.Triggers!.Value.Total);
        return connection.FromClient;
    }

    static void AssertReceived(string text, NeedCounts needs, long lost, long reordered = 0)
    {
        ConnectionDirection received = Received(text);
        Assert.Equal(needs, received.Needs);
        Assert.Equal(lost, received.Loss!.Packets);
        Assert.Equal(reordered, received.Reordering!.Packets);
    }

    // Extents in packets, bytes and milliseconds.
    static void AssertReordered(string text, long packets, long three, (long? Packets, long? Bytes, double? Ms) extent)
    {
        ReorderingSummary reordering = Received(text).Reordering!;
        Assert.Equal(((long?)packets, (long?)three), (reordering.Packets, reordering.Extents?.ThreeReordered));
        Assert.Equal(extent, (reordering.Extents?.MaxPackets, reordering.Extents?.MaxBytes, reordering.MaxExtent / 1e6));
        Assert.Equal(packets / 4.0, reordering.Ratio); // of four
    }

    [Fact]
    public void Hole_FilledByALaterSending_IsALoss() => AssertReceived(
        """
        30.0 > 1001+1000 ts=10
        51.0 > 1+1000 ts=31
        """,
        new(Necessary: 1, 0, 0, 0),
        lost: 1);

    // A round trip at the time of the loss: from a gap to what was sent again for it, of two gaps the shorter.
    [Fact]
    public void Gap_FilledByWhatWasSentAgain_ShowsTheRoundTripOfTheLoss()
    {
        ConnectionDirection received = Received(
            """
            30.0 > 1+1000 ts=10
            30.0 < 1001 ts=1/10
            30.1 > 2001+1000 ts=10
            30.1 < 1001 sack=2001-3001 ts=1/10
            30.2 > 4001+1000 ts=10
            30.2 < 1001 sack=2001-3001,4001-5001 ts=1/10
            60.1 > 1001+1000 ts=40
            60.1 < 3001 sack=4001-5001 ts=1/40
            61.0 > 3001+1000 ts=41
            61.0 < 5001 ts=1/41
            """);
        Assert.Equal(30_000_000, received.Loss!.RepairNanos);
    }

    // RFC 4737: the first overtaker came as the 1st, the late one as the 4th: extent 3 packets, 3000 bytes, 0.3 ms; three in a row before it.
    [Fact]
    public void Hole_FilledByTheOriginal_IsReordering() => AssertReordered(
        """
        30.0 > 1001+1000 ts=10
        30.1 > 2001+1000 ts=10
        30.2 > 3001+1000 ts=10
        30.3 > 1+1000 ts=9
        """,
        packets: 1,
        three: 1,
        (3, 3000, 0.3));

    // Order 3 2 1 4: 2 is overtaken by one, 1 by two, but of those only 3 … both are above it; none by three.
    [Fact]
    public void Hole_FilledFromTheTop_CountsEachSegmentOnce() => AssertReordered(
        """
        30.0 > 2001+1000 ts=12
        30.1 > 1001+1000 ts=11
        30.2 > 1+1000 ts=10
        30.3 > 3001+1000 ts=13
        """,
        packets: 2,
        three: 0,
        (2, 2000, 0.2));

    [Fact]
    public void Data_ComesASecondTime_WasSentForNothing() => AssertReceived(
        """
        30.0 > 1+1000 ts=10
        60.0 > 1+1000 ts=40
        """,
        new(0, Spurious: 1, 0, 0),
        lost: 0);

    // The retransmission fills the hole, then the original comes: late by 41 ms, nothing was lost.
    [Fact]
    public void Original_ComesAfterItsRetransmission_IsReorderingAndNoLoss()
    {
        const string text = """
            30.0 > 1001+1000 ts=10
            51.0 > 1+1000 ts=31
            71.0 > 1+1000 ts=9
            """;
        AssertReceived(text, new(0, Spurious: 1, 0, 0), lost: 0, reordered: 1);
        Assert.Equal(41_000_000, Received(text).Reordering!.MaxExtent);
    }

    // Numbers 12 (the retransmission of 1) and 10 (the original) are left out: two packets lost, one hole.
    [Fact]
    public void Identification_LeftOut_IsAPacketLost()
    {
        ConnectionDirection received = Received("""
            30.0 > 1+1000 id=9
            30.1 > 2001+1000 id=11
            75.0 > 1001+1000 id=13
            75.1 > 3001+1000 id=14
            """);
        Assert.Equal(2, received.Loss!.Packets);
        Assert.Equal(6, received.Loss.Samples);
        Assert.Equal(1, received.Needs!.Value.Necessary);
    }

    // A counter that other connections take numbers from: only holes count.
    [Fact]
    public void Identification_LeftOutInAnUndisturbedStream_IsNobodysLoss()
    {
        ConnectionDirection received = Received("""
            30.0 > 1+1000 id=9
            30.1 > 1001+1000 id=12
            30.2 > 2001+1000 id=17
            """);
        Assert.Equal(0, received.Loss!.Packets);
        Assert.Equal(3, received.Loss.Samples);
    }

    [Fact]
    public void Identification_ComesTwice_IsACopyAndNoRetransmission()
    {
        ConnectionDirection received = Received("""
            30.0 > 1+1000 id=9
            30.1 > 1+1000 id=9
            30.2 > 1001+1000 id=10
            """);
        Assert.Equal(0, received.Retransmissions);
        Assert.Equal(2, received.WireSegments);
        Assert.Equal(0, received.Loss!.Packets);
    }

    // Lost before the capture point: 1 … 1000. Lost behind it: 2001 … 3000, which had passed.
    [Fact]
    public void Middle_LossesOnBothSides_AddUp()
    {
        Connection connection = InTheMiddle("""
            30.0 > 1001+1000 ts=10
            30.1 > 2001+1000 ts=10
            42.2 < 1 sack=1001-2001 ts=5/8
            54.3 > 1+1000 ts=34
            54.4 > 2001+1000 ts=34
            66.5 < 3001 ts=6/34
            """);
        Assert.Equal(Vantage.Middle, connection.Vantage);
        Assert.Equal(new NeedCounts(Necessary: 2, 0, 0, 0), connection.FromClient.Needs);
        Assert.Equal(2, connection.FromClient.Loss!.Packets);
    }

    // Without knowing where: data sent again may have been lost or not, unless a DSACK tells.
    [Fact]
    public void Unknown_DataSentAgain_IsNotJudged()
    {
        Connection connection = Somewhere("""
            30.0 > 1+1000
            30.1 > 1001+1000
            300.0 > 1+1000
            """);
        Assert.Equal(Vantage.Unknown, connection.Vantage);
        Assert.Equal(new NeedCounts(0, 0, 0, Unknown: 1), connection.FromClient.Needs);
        Assert.Null(connection.FromClient.Loss);
    }

    // 1000 bytes each millisecond; the first 20 acknowledged at once, all others 30 ms later, as by a program that reads late. A round trip away, where the
    // data is sent, the same is a queue.
    [Theory]
    [InlineData(0, true)]
    [InlineData(20, false)]
    public void LateAcknowledgments_AtTheReceiver_AreNoQueue(int roundTrip, bool isAtReceiver)
    {
        IEnumerable<(int Time, string Line)> data = Enumerable.Range(0, 200).Select(i => (30 + i, $"{30 + i}.0 > {(1000 * i) + 1}+1000"));
        IEnumerable<(int Time, string Line)> acks = Enumerable.Range(0, 200)
            .Select(i => (Time: 30 + i + roundTrip + (i < 20 ? 0 : 30), Next: (1000 * i) + 1001))
            .Select(ack => (ack.Time, $"{ack.Time}.1 < {ack.Next}"));
        string text = string.Join('\n', data.Concat(acks).OrderBy(line => line.Time).Select(line => line.Line));
        Connection connection = isAtReceiver ? AtReceiver(text) : AtSender(text);
        Assert.Equal(isAtReceiver, connection.FromClient.Delivery!.PathFullTime == 0);
    }
}
