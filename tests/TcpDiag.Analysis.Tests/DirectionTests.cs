using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>What is counted to a direction. The client's initial sequence number is 256 below the wrap: data crosses it.</summary>
public sealed class DirectionTests
{
    static ConnectionDirection Client(MemoryTrace trace) => trace.Analyze().Connections.Single().FromClient;

    // Three segments of 1000, acknowledged 20 ms after the last was sent: 3000 bytes in 20.3 ms.
    [Fact]
    public void Bytes_InOrderAcrossTheWrap_AreAllUnique()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(30_100, FromClient(1001, 1, 1000)).Packet(30_200, FromClient(2001, 1, 1000))
            .Packet(50_300, FromServer(1, 3001)));
        Assert.Equal(3000, client.PayloadBytes);
        Assert.Equal(3000, client.UniqueBytes);
        Assert.Equal(0, client.Retransmissions + client.OutOfOrder + client.UnseenBytes);
        Assert.Equal(3000, client.MaxInFlightBytes);
        Assert.Equal(20_300_000, client.ActiveTime);
        Assert.Null(client.GoodputBitsPerSecond); // of one round trip
        Assert.Equal(new RttSummary(20_100_000, 20_100_000, 20_100_000, 1), client.Rtt);
    }

    // The shortest round trip is that of the handshake: 100 µs to the server, and from there 20 ms to the client; a rate needs two of them.
    [Theory]
    [InlineData(70_199, false)]
    [InlineData(70_200, true)]
    public void Goodput_OfTwoRoundTripsAndMore_IsKnown(long acknowledged, bool isKnown)
    {
        ConnectionDirection client = Client(Opened().Packet(30_000, FromClient(1, 1, 1000)).Packet(acknowledged, FromServer(1, 1001)));
        double rate = 1000 * 8e9 / ((acknowledged - 30_000) * 1000);
        Assert.Equal(isKnown ? rate : null, client.GoodputBitsPerSecond);
    }

    [Fact]
    public void ActiveTime_DataNeverAcknowledged_LastsToTheEndOfTheTrace()
    {
        ConnectionDirection client = Client(Opened().Packet(30_000, FromClient(1, 1, 1000)).Packet(90_000, FromServer(1, 1)));
        Assert.Equal(60_000_000, client.ActiveTime);
    }

    [Fact]
    public void Retransmission_OfSentBytes_CountsOnceAndGivesNoSample()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(300_000, FromClient(1, 1, 1000)).Packet(320_000, FromServer(1, 1001)));
        Assert.Equal(1, client.Retransmissions);
        Assert.Equal(2000, client.PayloadBytes);
        Assert.Equal(1000, client.UniqueBytes);
        Assert.Equal(0, client.Rtt.Samples);
    }

    [Fact]
    public void Retransmission_EchoedTimestamp_GivesASampleAllTheSame()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000).Timestamps(30, 0))
            .Packet(300_000, FromClient(1, 1, 1000).Timestamps(300, 0))
            .Packet(320_000, FromServer(1, 1001).Timestamps(9, 300)));
        Assert.Equal(new RttSummary(20_000_000, 20_000_000, 20_000_000, 1), client.Rtt);
    }

    [Fact]
    public void Retransmission_LongerThanTheFirst_CountsNewBytesOnly()
    {
        ConnectionDirection client = Client(Opened().Packet(30_000, FromClient(1, 1, 500)).Packet(300_000, FromClient(1, 1, 1000)));
        Assert.Equal(1, client.Retransmissions);
        Assert.Equal(1000, client.UniqueBytes);
    }

    [Fact]
    public void Retransmission_OffloadedSegment_CountsWireSegments()
    {
        // 4000 bytes at MSS 1460: 3 segments, twice.
        ConnectionDirection client = Client(Opened().Packet(30_000, FromClient(1, 1, 4000)).Packet(300_000, FromClient(1, 1, 4000)));
        Assert.Equal(6, client.WireSegments);
        Assert.Equal(3, client.Retransmissions);
    }

    [Theory]
    [InlineData(1_000, 0, 1)] // 1 ms late: before any round trip, so the original
    [InlineData(100_000, 1, 0)] // later than the handshake's 20.1 ms
    public void Gap_FilledLater_IsReorderingOrRetransmissionByItsDelay(long delay, int retransmissions, int outOfOrder)
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1001, 1, 1000)).Packet(30_000 + delay, FromClient(1, 1, 1000)));
        Assert.Equal(retransmissions, client.Retransmissions);
        Assert.Equal(outOfOrder, client.OutOfOrder);
        Assert.Equal(2000, client.UniqueBytes);
    }

    [Theory]
    [InlineData(9u, 0, 1)] // stamped before the segment that overtook it
    [InlineData(11u, 1, 0)]
    public void Gap_FilledLater_TimestampDecides(uint timestamp, int retransmissions, int outOfOrder)
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1001, 1, 1000).Timestamps(10, 0)).Packet(40_000, FromClient(1, 1, 1000).Timestamps(timestamp, 0)));
        Assert.Equal(retransmissions, client.Retransmissions);
        Assert.Equal(outOfOrder, client.OutOfOrder);
    }

    [Fact]
    public void Gap_FilledLater_IpIdentificationDecidesWithoutTimestamps()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1001, 1, 1000).Ip("10.0.0.1", "10.0.0.2", id: 11))
            .Packet(90_000, FromClient(1, 1, 1000).Ip("10.0.0.1", "10.0.0.2", id: 10)));
        Assert.Equal(1, client.OutOfOrder);
    }

    [Fact]
    public void Gap_Acknowledged_WasNotCaptured()
    {
        ConnectionDirection client = Client(Opened().Packet(30_000, FromClient(1001, 1, 1000)).Packet(50_000, FromServer(1, 2501)));
        Assert.Equal(1500, client.UnseenBytes); // 1 … 1000 and 2001 … 2500
        Assert.Equal(1000, client.UniqueBytes);
    }

    // Data that was in flight when the capture began, and a FIN behind it.
    [Fact]
    public void Gap_BeforeAnythingWasSent_IsFromBeforeTheCapture()
    {
        ConnectionDirection client = Client(new MemoryTrace()
            .Packet(0, FromServer(1, 1001)).Packet(1000, FromServer(1, 2001)).Packet(2000, FromClient(5001, 1, flags: FrameBuilder.Fin | FrameBuilder.Ack))
            .Packet(3000, FromServer(1, 5002)));
        Assert.Equal(0, client.UnseenBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void KeepAlive_BelowEverythingAcknowledged_IsNoRetransmission(int payload)
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 100)).Packet(50_000, FromServer(1, 101))
            .Packet(9_000_000, FromClient(100, 1, payload)));
        Assert.Equal(1, client.KeepAlives);
        Assert.Equal(0, client.Retransmissions);
        Assert.Equal(100, client.UniqueBytes);
    }

    // The window closes behind 100 bytes; one byte probes it twice, is accepted in the end, and sending goes on behind it.
    [Fact]
    public void ZeroWindowProbe_OfOneByte_CountsWhenItIsAccepted()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 100)).Packet(50_000, FromServer(1, 101).Window(0))
            .Packet(350_000, FromClient(101, 1, 1)).Packet(370_000, FromServer(1, 101).Window(0))
            .Packet(950_000, FromClient(101, 1, 1)).Packet(970_000, FromServer(1, 102).Window(1000))
            .Packet(970_100, FromClient(102, 1, 50)).Packet(990_000, FromServer(1, 152)));
        Assert.Equal(2, client.ZeroWindowProbes);
        Assert.Equal(2, client.ZeroWindows);
        Assert.Equal(0, client.Retransmissions + client.DuplicateAcks);
        Assert.Equal(151, client.UniqueBytes);
        Assert.Equal(0, client.MinReceiveWindowBytes);
        Assert.Equal(1000, client.MaxReceiveWindowBytes);
    }

    [Fact]
    public void ZeroWindowProbe_BelowTheWindow_IsNoKeepAlive()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 100)).Packet(50_000, FromServer(1, 101).Window(0)).Packet(350_000, FromClient(100, 1)));
        Assert.Equal(1, client.ZeroWindowProbes);
        Assert.Equal(0, client.KeepAlives);
    }

    [Fact]
    public void DuplicateAck_SameNumberAndWindow_OrWithSack_Counts()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(30_010, FromClient(1001, 1, 1000)).Packet(30_020, FromClient(2001, 1, 1000))
            .Packet(50_000, FromServer(1, 1)) // duplicate
            .Packet(50_010, FromServer(1, 1).Window(900)) // window update
            .Packet(50_020, FromServer(1, 1).Window(800).Sack(unchecked(ClientIsn + 1001), unchecked(ClientIsn + 2001))) // duplicate by its SACK
            .Packet(50_030, FromServer(1, 3001))
            .Packet(50_040, FromServer(1, 3001))); // nothing outstanding
        Assert.Equal(2, client.DuplicateAcks);
        Assert.Equal(0, client.Dsacks);
    }

    // RFC 5681 §2 (c): SYN and FIN are off.
    [Fact]
    public void DuplicateAck_WithFin_DoesNotCount()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(50_000, FromServer(1, 1, flags: FrameBuilder.Fin | FrameBuilder.Ack)));
        Assert.Equal(0, client.DuplicateAcks);
    }

    // RFC 7323 §2.3: no window is larger than 2³⁰, so that an acknowledgment so far ahead belongs to something else.
    [Theory]
    [InlineData((1u << 30) - 1, (1L << 30) - 1001)]
    [InlineData(1u << 30, 0)]
    public void Acknowledgment_FartherThanAnyWindow_IsOfSomethingElse(uint advance, long unseen)
    {
        ConnectionDirection client = Client(Opened().Packet(30_000, FromClient(1, 1, 1000)).Packet(50_000, FromServer(1, 1 + advance)));
        Assert.Equal(unseen, client.UnseenBytes);
    }

    [Fact]
    public void RttSample_BehindDuplicateAcks_IsNotTaken()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(30_010, FromClient(1001, 1, 1000))
            .Packet(50_000, FromServer(1, 1)).Packet(50_100, FromServer(1, 2001)));
        Assert.Equal(0, client.Rtt.Samples);
    }

    // RFC 6298 §3 (Karn): the acknowledgment that ends a recovery is for new data too, which had to wait for what was resent. The next sample is 20 ms again.
    [Fact]
    public void RttSample_OfNewDataSentInRecovery_IsNotTaken()
    {
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(300_000, FromClient(1, 1, 1000)).Packet(300_100, FromClient(1001, 1, 1000))
            .Packet(330_000, FromServer(1, 2001)).Packet(331_000, FromClient(2001, 1, 1000)).Packet(351_000, FromServer(1, 3001)));
        Assert.Equal((1, 20_000_000), (client.Rtt.Samples, client.Rtt.Median));
    }

    [Fact]
    public void Dsack_BelowTheAcknowledgment_OrInsideTheSecondBlock_Counts()
    {
        uint at = ClientIsn;
        ConnectionDirection client = Client(Opened()
            .Packet(30_000, FromClient(1, 1, 1000)).Packet(30_010, FromClient(1001, 1, 1000)).Packet(30_020, FromClient(2001, 1, 1000)).Packet(30_030,
                FromClient(3001, 1, 1000))
            .Packet(50_000, FromServer(1, 1001).Sack(unchecked(at + 1), unchecked(at + 1001))) // below
            .Packet(50_010, FromServer(1, 1001).Sack(unchecked(at + 2001), unchecked(at + 3001), unchecked(at + 2001), unchecked(at + 4001))) // inside
            .Packet(50_020, FromServer(1, 1001).Sack(unchecked(at + 2001), unchecked(at + 4001)))); // an ordinary block
        Assert.Equal(2, client.Dsacks);
        Assert.Equal(1, client.DsacksTsharkFilter);
    }

    [Fact]
    public void ReceiveWindow_ScaledOnlyWhenBothOffer()
    {
        MemoryTrace Trace(bool isOffered) => new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).WindowScale(7))
            .Packet(100, isOffered
                ? FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).WindowScale(2)
                : FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack))
            .Packet(200, FromClient(1, 1)).Packet(300, FromServer(1, 1));
        Assert.Equal(4000, Client(Trace(isOffered: true)).MaxReceiveWindowBytes);
        Assert.Equal(1000, Client(Trace(isOffered: false)).MaxReceiveWindowBytes);
        Assert.Null(Client(new MemoryTrace().Packet(0, FromClient(1, 1, 10)).Packet(1, FromServer(1, 11))).MaxReceiveWindowBytes);
    }

    [Fact]
    public void CutFrames_KeepTheLengthsOfTheWire()
    {
        ConnectionDirection client = Client(Opened().Packet(30_000, FromClient(1, 1, 1000), cutTo: 60));
        Assert.Equal(1000, client.UniqueBytes);
        Assert.Equal(54 + 54 + 4 + 1054, client.FrameBytes); // SYN with MSS option, ACK, data
    }

    // Of 68 bytes 14 are options: MSS and SACK permitted of a SYN, and all timestamps of what follows. Of 60 bytes only the header's length tells of these.
    [Theory]
    [InlineData(68, 1448)]
    [InlineData(60, 1448)]
    [InlineData(1514, 1448)]
    public void Mss_OfCutSyns_IsLessTheTimestampsOfWhatFollows(int cutTo, int expected)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, Options(FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0)), cutTo: cutTo)
            .Packet(100, Options(FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack)), cutTo: cutTo)
            .Packet(20_100, FromClient(1, 1).TcpOptionBytes(1, 1).Timestamps(2, 1), cutTo: cutTo)
            .Packet(20_200, FromClient(1, 1, 1448).TcpOptionBytes(1, 1).Timestamps(2, 1), cutTo: cutTo);
        Assert.Equal(expected, Client(trace).Mss);
    }

    // 24 bytes of options: of 68 bytes 10 are cut, which timestamps fill; one more option of 3 bytes would fit as well into 16 of them.
    [Theory]
    [InlineData(false, 1000)]
    [InlineData(true, null)]
    public void Window_OfCutSyns_IsKnownWhereTimestampsFillWhatIsCut(bool isScaled, int? expected)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, Unscaled(FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0)), cutTo: 68)
            .Packet(100, Unscaled(FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack)), cutTo: 68)
            .Packet(20_100, FromClient(1, 1).TcpOptionBytes(1, 1).Timestamps(2, 1), cutTo: 68)
            .Packet(20_200, FromClient(1, 1, 1448).TcpOptionBytes(1, 1).Timestamps(2, 1), cutTo: 68)
            .Packet(20_300, FromServer(1, 1449).TcpOptionBytes(1, 1).Timestamps(2, 2), cutTo: 68);
        Assert.Equal(expected, Client(trace).MaxReceiveWindowBytes);

        FrameBuilder Unscaled(FrameBuilder frame)
        {
            FrameBuilder known = frame.Mss(1460).TcpOptionBytes(1, 1, 1, 1, 1, 1).SackPermitted().TcpOptionBytes(1, 1).Timestamps(1, 0);
            return isScaled ? known.TcpOptionBytes(1).WindowScale(7) : known;
        }
    }

    // A SYN-ACK that comes again, because the first acknowledgment of it was late, has nothing new.
    [Fact]
    public void Mss_OfCutSyns_StaysWhatItIsBehindAnotherSynAck()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, Options(FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0)), cutTo: 68)
            .Packet(100, Options(FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack)), cutTo: 68)
            .Packet(20_100, FromClient(1, 1).TcpOptionBytes(1, 1).Timestamps(2, 1), cutTo: 68)
            .Packet(20_150, Options(FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack)), cutTo: 68)
            .Packet(20_200, FromClient(1, 1, 1448).TcpOptionBytes(1, 1).Timestamps(2, 1), cutTo: 68);
        Assert.Equal(1448, Client(trace).Mss);
    }

    static FrameBuilder Options(FrameBuilder frame) => frame.Mss(1460).SackPermitted().Timestamps(1, 0).TcpOptionBytes(1).WindowScale(7);
}
