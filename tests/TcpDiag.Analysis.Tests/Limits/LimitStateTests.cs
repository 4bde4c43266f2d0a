using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Limits.SenderScript;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Each state by a timeline that shows nothing else; docs/limits.md has the table of states and tests.</summary>
public sealed class LimitStateTests
{
    // 300 ms and the last round trip, and never more than 2 segments in flight.
    [Fact]
    public void ApplicationWritesNowAndThen_IsApplication()
    {
        var script = new SenderScript();
        for (int i = 0; i < 4; i++)
        {
            script.Send(i * 100, 2, push: true).AckAll((i * 100) + 20);
        }

        ConnectionDirection direction = script.Direction();
        Assert.Equal(320, Ms(direction, LimitState.Application));
        Assert.Equal(320_000_000, direction.ActiveTime);
        Assert.Equal(Evidence.Packets, direction.Limits?.Evidence);
    }

    // Each request waits for the answer to the one before: what looks like an acknowledgment that frees something is the peer's data.
    [Fact]
    public void RequestsAnswered_IsApplication()
    {
        var script = new SenderScript();
        uint seq = 1;
        for (int i = 0; i < 20; i++)
        {
            script.Send(i * 20, 3, push: true).Reply((i * 20) + 19.95, ref seq, 500);
        }

        Assert.Equal(399.95, Ms(script.Direction(), LimitState.Application));
    }

    // Acknowledged at 20 ms, next data at 3020 ms.
    [Fact]
    public void LongPause_WithNothingInFlight_IsIdle()
    {
        ConnectionDirection direction = new SenderScript().Send(0, 1).AckAll(20).Send(3020, 1).AckAll(3040).Direction();
        Assert.Equal(3000, Ms(direction, LimitState.Idle));
        Assert.Equal(40, Ms(direction, LimitState.Application));
    }

    // 8000 bytes a round trip, less than an initial window of ten segments: no congestion window holds it.
    [Fact]
    public void SmallConstantBatches_AreASendBuffer()
    {
        var script = new SenderScript();
        for (int i = 0; i < 20; i++)
        {
            script.Send(i * 20.1, 8, push: true).AckAll((i * 20.1) + 20);
        }

        ConnectionDirection direction = script.Direction();
        Assert.InRange(Ms(direction, LimitState.SendBuffer), 0.99 * (direction.ActiveTime ?? 0) / 1e6, 402);
        Assert.Null(direction.Cwnd);
    }

    // Five and a half segments a round trip, 7 ms behind the acknowledgment in every other round: a writer that is woken late. The first two rounds could be
    // chance, but the four answered at once tell that they were none.
    [Fact]
    public void LateWakeUps_BetweenPromptOnes_AreASendBuffer()
    {
        var script = new SenderScript();
        double ms = 0;
        for (int i = 0; i < 20; i++)
        {
            script.Send(ms, 5).Send(ms + 0.05, 1, push: true, bytes: 500).AckAll(ms + 20);
            ms += 20.08 + (i % 4 * 0.02) + (i % 2 * 7); // no two wake-ups take the same time
        }

        ConnectionDirection direction = script.Direction();
        Assert.Equal(0, Ms(direction, LimitState.Application));
        Assert.Equal((direction.ActiveTime ?? 0) / 1e6, Ms(direction, LimitState.SendBuffer), 3);
    }

    // The same writes every 50 ms, acknowledged at 20 ms.
    [Fact]
    public void ShortWrites_LongAfterTheAcknowledgment_AreApplication()
    {
        var script = new SenderScript();
        for (int i = 0; i < 20; i++)
        {
            script.Send(i * 50, 5).Send((i * 50) + 0.05, 1, push: true, bytes: 500).AckAll((i * 50) + 20);
        }

        Assert.Equal((19 * 50) + 20, Ms(script.Direction(), LimitState.Application));
    }

    // Requests of 15 segments every 300 ms, of which an initial window holds ten: the rest waits 20 ms for an acknowledgment, each time.
    [Fact]
    public void RequestsLargerThanTheInitialWindow_AreCongestionWindowForARoundTrip()
    {
        var script = new SenderScript();
        for (int i = 0; i < 5; i++)
        {
            script.Send(i * 300, 10).Ack((i * 300) + 20, 10).Send((i * 300) + 20.02, 4).Send((i * 300) + 20.1, 1, push: true, bytes: 500).AckAll((i * 300)
                + 40);
        }

        ConnectionDirection direction = script.Direction();
        Assert.InRange(Ms(direction, LimitState.CongestionWindow), 5 * 20, (5 * 20.02) + 20); // and after the last one the rest of its round trip
        Assert.Equal(0, Ms(direction, LimitState.SendBuffer));
    }

    // 10, 20, 40 segments: two for each that is acknowledged; the answer to a round's last acknowledgment belongs to the next.
    [Fact]
    public void SlowStart_IsCongestionWindow()
    {
        SenderScript script = new SenderScript().Send(0, 10);
        for (int round = 1; round <= 2; round++)
        {
            for (int i = 0; i < 5 << round; i++)
            {
                script.Ack((round * 20) + (i * 0.3), 1).Send((round * 20) + (i * 0.3) + 0.02, 2);
            }
        }

        ConnectionDirection direction = script.AckAll(65).Direction();
        Assert.Equal(65, Ms(direction, LimitState.CongestionWindow));
        Assert.Equal(19_000, direction.Cwnd?.MinBytes);
        Assert.Equal(40_000, direction.Cwnd?.MaxBytes);
    }

    // The window holds four segments; they are out again within 20 µs of the acknowledgment.
    [Fact]
    public void FullWindow_IsReceiveWindow()
    {
        SenderScript script = new SenderScript().Window(4000).Acknowledge(-0.01);
        for (int i = 0; i < 10; i++)
        {
            script.Send(i * 20.02, 4).AckAll((i * 20.02) + 20);
        }

        Assert.Equal((9 * 20.02) + 20, Ms(script.Direction(), LimitState.ReceiveWindow));
    }

    // Closed at 20 ms, opened at 520 ms; the application has more and sends at once.
    [Fact]
    public void ZeroWindow_IsReceiveWindow()
    {
        ConnectionDirection direction = new SenderScript().Window(4000).Acknowledge(-0.01)
            .Send(0, 4).Window(0).AckAll(20).Window(4000).Acknowledge(520).Send(520.05, 4).AckAll(540).Direction();
        Assert.Equal(540, Ms(direction, LimitState.ReceiveWindow));
    }

    // The same with less than a window left: up to the last acknowledgment, late on a busy machine, it waits for what is in flight.
    [Fact]
    public void ZeroWindow_ThenTheLastData_WaitsForWhatIsInFlight()
    {
        ConnectionDirection direction = new SenderScript().Window(4000).Acknowledge(-0.01)
            .Send(0, 4).Window(0).AckAll(20).Window(4000).Acknowledge(520).Send(520.05, 2, push: true).AckAll(580.05).Direction();
        Assert.Equal(520.05, Ms(direction, LimitState.ReceiveWindow));
        Assert.Equal(60, Ms(direction, LimitState.CongestionWindow));
    }

    // The last data leaves 740 bytes of room, less than a segment, and is no whole one itself: with more to send it would have waited for 1,000. So it waits
    // for what is in flight; of 1,000 that fill the window to the last byte, as whole ones that leave less than another, it cannot be told.
    [Theory]
    [InlineData(260, 4000, 20)]
    [InlineData(260, 3260, 0)]
    [InlineData(1000, 4900, 0)]
    public void FullWindow_ThenTheLastDataWithRoomLeft_WaitsForWhatIsInFlight(int last, ushort window, double inFlight)
    {
        ConnectionDirection direction = new SenderScript().Window(4000).Acknowledge(-0.01)
            .Send(0, 4).Window(window).AckAll(20).Send(20.02, 3).Send(20.06, 1, push: true, bytes: last).AckAll(40.02).Direction();
        Assert.Equal(40.02 - inFlight, Ms(direction, LimitState.ReceiveWindow), 3);
        Assert.Equal(inFlight, Ms(direction, LimitState.CongestionWindow));
    }

    // Closed at 20 ms, opened at 120 ms; the application has more only at 220 ms.
    [Fact]
    public void ZeroWindow_OpenedLongBefore_IsApplicationFromThenOn()
    {
        ConnectionDirection direction = new SenderScript().Window(4000).Acknowledge(-0.01)
            .Send(0, 4).Window(0).AckAll(20).Window(4000).Acknowledge(120).Send(220, 2, push: true).AckAll(240).Direction();
        Assert.Equal(120, Ms(direction, LimitState.ReceiveWindow));
        Assert.Equal(120, Ms(direction, LimitState.Application));
    }

    // A full segment each millisecond, acknowledged half a millisecond off; the first 19 have that of the handshake to compare with.
    [Fact]
    public void EvenSends_IsPacing()
    {
        var script = new SenderScript();
        for (int ms = 0; ms < 400; ms++)
        {
            script.Send(ms, 1);
            if (ms >= 20)
            {
                script.Ack(ms + 0.5, 1);
            }
        }

        ConnectionDirection direction = script.AckAll(420).Direction();
        Assert.Equal(420, Ms(direction, LimitState.Pacing));
        Assert.Equal(0, Ms(direction, LimitState.CongestionWindow));
    }

    // The same with writes that do not fill their segments: an application that writes like a clock.
    [Fact]
    public void EvenWrites_IsApplication()
    {
        var script = new SenderScript();
        for (int ms = 0; ms < 400; ms++)
        {
            script.Send(ms, 1, push: true, bytes: 700);
            if (ms >= 20)
            {
                script.Ack(ms + 0.5, 1, bytes: 700);
            }
        }

        Assert.InRange(Ms(script.AckAll(420).Direction(), LimitState.Application), 419, 420);
    }

    // Resent at 20.3 ms, all acknowledged at 40.3 ms.
    [Fact]
    public void FastRetransmission_IsRecovery_UntilTheRecoveryPoint()
    {
        ConnectionDirection direction = new SenderScript().Send(0, 10)
            .Duplicate(20.1, 1, 2).Duplicate(20.2, 1, 3).Duplicate(20.28, 1, 4).Resend(20.3, 0)
            .Duplicate(21, 1, 10).AckAll(40.3).Direction();
        Assert.Equal(20, Ms(direction, LimitState.Recovery));
        Assert.Equal(0, Ms(direction, LimitState.Timeout));
    }

    // New data at 20.05 ms says that the window was cut for ECN (RFC 3168 §6.1.2); all sent by then is acknowledged at 40 ms.
    [Fact]
    public void CwrMark_IsRecovery_UntilTheRecoveryPoint()
    {
        ConnectionDirection direction = new SenderScript().Send(0, 4).AckAll(20).SendCwr(20.05).AckAll(40).Send(40.05, 2).AckAll(60).Direction();
        Assert.Equal(19.95, Ms(direction, LimitState.Recovery));
    }

    // Nothing after the sends at 0 until the timer at 300 ms; acknowledged at 320 ms.
    [Fact]
    public void SilenceUntilResent_IsTimeout()
    {
        ConnectionDirection direction = new SenderScript().Send(0, 3).Resend(300, 0).AckAll(320).Direction();
        Assert.Equal(299.98, Ms(direction, LimitState.Timeout)); // the third left 20 µs after the first
        Assert.Equal(20, Ms(direction, LimitState.Recovery));
    }

    // Ten of many segments at 0, acknowledged at 20 and answered; then nothing until a probe at 75 ms sends new data (RFC 8985 §7.3): more was left, and the
    // window held it until then.
    [Fact]
    public void SilenceUntilAProbeOfNewData_IsCongestionWindow()
    {
        ConnectionDirection direction = new SenderScript().Send(0, 10).AckAll(20).Send(20.02, 10).Send(75, 1).AckAll(95).Direction();
        Assert.Equal(95, Ms(direction, LimitState.CongestionWindow));
    }

    // At the receiver: ten segments, then nothing for 300 ms but what ends it is not the next packet that was sent: four were lost before it.
    [Theory]
    [InlineData(15, 300)]
    [InlineData(11, 0)]
    public void SilenceAtTheReceiver_IsTimeout_WhenPacketsWereLostInIt(ushort id, double timeout)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(Mss))
            .Packet(10, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(Mss))
            .Packet(20_000, FromClient(1, 1));
        for (uint i = 0; i < 10; i++)
        {
            trace.Packet(20_000 + (i * 10), FromClient(1 + (i * Mss), 1, Mss).Ip("10.0.0.1", "10.0.0.2", id: (ushort)(i + 1)));
        }

        ConnectionDirection direction = trace.Packet(20_100, FromServer(1, 1 + (10 * Mss)).Window(65535))
            .Packet(340_000, FromClient(1 + (10 * Mss), 1, Mss).Ip("10.0.0.1", "10.0.0.2", id: id))
            .Packet(340_010, FromServer(1, 1 + (11 * Mss)).Window(65535)).Analyze().Connections[0].FromClient;
        Assert.Equal(timeout, Ms(direction, LimitState.Timeout), tolerance: 2);
    }

    // The same silence of 300 ms with packets lost in it, and then the next flight: data was left all the time, so the first timer, of two round trips, sent
    // new data as a probe, and what was in flight held the sender up to then.
    [Fact]
    public void SilenceAtTheReceiver_WithDataLeft_BeginsWithAProbe()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(Mss))
            .Packet(10, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(Mss))
            .Packet(20_000, FromClient(1, 1));
        ushort[] ids = [1, 20, 30];
        long[] times = [20_000, 340_000, 360_100]; // µs
        for (int flight = 0; flight < times.Length; flight++)
        {
            for (int i = 0; i < 10; i++)
            {
                uint seq = (uint)(1 + (((flight * 10) + i) * Mss));
                trace.Packet(times[flight] + (i * 10), FromClient(seq, 1, Mss).Ip("10.0.0.1", "10.0.0.2", id: (ushort)(ids[flight] + i)));
            }

            trace.Packet(times[flight] + 100, FromServer(1, (uint)(1 + ((flight + 1) * 10 * Mss))).Window(65535));
        }

        ConnectionDirection direction = trace.Analyze().Connections[0].FromClient;
        Assert.Equal(260, Ms(direction, LimitState.Timeout), tolerance: 2);
        Assert.InRange(direction.Limits!.Uncertain, 38_000_000, 42_000_000);
    }

    // Resent at 20.3 ms. New data comes in at the receiver, but its acknowledgments of 41 to 43 ms tell of none of it; all acknowledged at 60 ms.
    [Fact]
    public void SacksWithoutNews_WhileDataArrives_AreReassembly()
    {
        ConnectionDirection direction = new SenderScript().Send(0, 10)
            .Duplicate(20.1, 1, 4).Resend(20.3, 0).Send(21, 3)
            .Duplicate(41, 1, 4).Duplicate(42, 1, 4).Duplicate(43, 1, 4).AckAll(60).Direction();
        Assert.Equal(19, Ms(direction, LimitState.Reassembly));
        Assert.Equal(20.7, Ms(direction, LimitState.Recovery));
    }

    // The same with two of them: as one acknowledgment that was overtaken and one of a copy would be.
    [Fact]
    public void TwoSacksWithoutNews_AreRecovery()
    {
        ConnectionDirection direction = new SenderScript().Send(0, 10)
            .Duplicate(20.1, 1, 4).Resend(20.3, 0).Send(21, 3)
            .Duplicate(41, 1, 4).Duplicate(42, 1, 4).AckAll(60).Direction();
        Assert.Equal(0, Ms(direction, LimitState.Reassembly));
        Assert.Equal(39.7, Ms(direction, LimitState.Recovery));
    }

    [Fact]
    public void NoData_HasNoLimits() => Assert.Null(new SenderScript().Direction().Limits);

    // At the receiver all has arrived, and was acknowledged; what is resent after 300 ms says that nothing was heard of the second flight. Its last segment
    // passed at 20.69 ms, and the acknowledgment that let it go was the last one heard.
    [Fact]
    public void AcknowledgedUnheard_AtTheReceiver_IsTimeoutSinceTheLatestData()
    {
        ConnectionDirection direction = new SenderScript(sender: 20).Send(0, 10).AckAll(0.5).Send(20.5, 20).AckAll(21).Resend(300, 10).AckAll(300.1)
            .Send(320.5, 10).AckAll(321).Direction();
        Assert.Equal(300 - 20.69, Ms(direction, LimitState.Timeout));
        Assert.Equal(0, Ms(direction, LimitState.Application));
    }

    // The same with nothing behind it: all had been sent, and the active time ended with the first acknowledgment of it.
    [Fact]
    public void AcknowledgedUnheard_AtTheEnd_IsNotOfTheActiveTime()
    {
        ConnectionDirection direction = new SenderScript(sender: 20).Send(0, 10).AckAll(0.5).Send(20.5, 20).AckAll(21).Resend(300, 29).AckAll(300.1)
            .Resend(900, 29).AckAll(900.1).Direction();
        Assert.Equal(21, Ms(direction, LimitState.CongestionWindow));
        Assert.Equal(0, Ms(direction, LimitState.Timeout));
    }

    // Ten segments a round trip. Echoes tell which acknowledgment the sender had: with room for two more it is not the window that holds it.
    [Theory]
    [InlineData(10, true)]
    [InlineData(11, true)]
    [InlineData(12, false)]
    public void RoomForTwoSegments_AtTheReceiver_IsNoFullWindow(int segments, bool isFull)
    {
        SenderScript script = new SenderScript(sender: 20).Echo(0).Window((ushort)(segments * Mss));
        for (int i = 0; i < 20; i++)
        {
            double ms = i * 20.5;
            script.Send(ms, 10).AckAll(ms + 0.4).Echo(ms + 0.4);
        }

        ConnectionDirection direction = script.Direction();
        Assert.Equal(isFull, Ms(direction, LimitState.ReceiveWindow) > 300);
        Assert.Equal(!isFull, Ms(direction, LimitState.ReceiveWindow) == 0);
    }

    // A window of eleven segments with ten in flight, and then of twelve. A stack may wait for room for a larger segment, but a congestion window may end there
    // as well: what is near to the edge once is not full, and twice in a row it is.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 20)]
    [InlineData(4, 60)]
    public void RoomForASegment_AgainAndAgain_IsAFullWindow(int near, double window)
    {
        var script = new SenderScript();
        for (int i = 0; i < 6; i++)
        {
            script.Window((ushort)((i < near ? 11 : 14) * Mss)).Send(i * 20, 10).AckAll((i * 20) + 20);
        }

        Assert.Equal(window, Ms(script.Direction(), LimitState.ReceiveWindow), tolerance: 0.2);
    }

    // Three segments in flight: a third of 4400 bytes is more than the 1400 left in it, which a stack may leave unused; of 4900 it is less.
    [Theory]
    [InlineData(4400, 80)]
    [InlineData(4900, 0)]
    public void RoomForASegment_OfASmallWindow_IsAFullWindowBelowAThird(int bytes, double window)
    {
        var script = new SenderScript();
        for (int i = 0; i < 6; i++)
        {
            script.Window((ushort)bytes).Send(i * 20, 3).AckAll((i * 20) + 20);
        }

        Assert.Equal(window, Ms(script.Direction(), LimitState.ReceiveWindow), tolerance: 20.2);
    }

    // At the receiver: the second half of a flight was lost on its way, and shows as missing before the next. Whether the flight had filled the receive window
    // does not show.
    [Theory]
    [InlineData(0, 0)]
    [InlineData(8, 20)]
    public void FlightOfWhichTheEndWasLost_AtTheReceiver_IsUncertain(int lost, double uncertain)
    {
        ConnectionDirection direction = new SenderScript(sender: 20).Send(0, 10).AckAll(0.2).Send(20.4, 10).AckAll(20.6).Miss(lost, isAcknowledged: false)
            .Send(41, 10).Resend(61.6, 20).AckAll(61.8).Direction();
        Assert.Equal(uncertain, direction.Limits!.Uncertain / 1e6, tolerance: 1);
    }

    // The acknowledgments of the sixth flight are lost behind the capture point. The sender's probe echoes none of them, and what follows answers that of the
    // probe, as data does that was left: not a program that wrote when more than half of the flight had been acknowledged.
    [Fact]
    public void ProbeAfterUnheardAcknowledgments_AtTheReceiver_IsNoPauseOfTheProgram()
    {
        SenderScript script = new SenderScript(sender: 20).Echo(0);
        for (int i = 0; i < 6; i++)
        {
            double ms = i * 20.5;
            script.Send(ms, 10).Ack(ms + 0.4, 4).Ack(ms + 2.4, 3).Ack(ms + 4.4, 3);
            script = i < 5 ? script.Echo(ms + 0.4) : script;
        }

        ConnectionDirection direction = script.Send(152, 1).Ack(152.4, 1).Echo(152.4).Send(172.5, 10).AckAll(172.9).Direction();
        Assert.Equal(0, Ms(direction, LimitState.Application));
        Assert.Equal(0, Ms(direction, LimitState.SendBuffer));
    }

    // The same behind a queue, in which the sixth flight was late: the silence before the probe is shorter than the sender's was.
    [Fact]
    public void ProbeAfterUnheardAcknowledgments_BehindAQueue_IsNoPauseOfTheProgram()
    {
        SenderScript script = new SenderScript(sender: 20).Echo(0);
        for (int i = 0; i < 5; i++)
        {
            double ms = i * 20.5;
            script.Send(ms, 10).Ack(ms + 0.4, 4).Ack(ms + 2.4, 3).Ack(ms + 4.4, 3).Echo(ms + 0.4);
        }

        for (int i = 0; i < 10; i++)
        {
            script.Send(102.5 + i, 1).Ack(102.9 + i, 1);
        }

        ConnectionDirection direction = script.Send(143, 1).Ack(143.4, 1).Echo(143.4).Send(163.5, 10).AckAll(163.9).Direction();
        Assert.Equal(0, Ms(direction, LimitState.Application));
    }

    // Round trips of 120 ms, the latest of which is not acknowledged. The retransmission timer of its first segment, at least 200 ms beyond a round trip, would
    // expire before twice that has passed: the probe of new data comes 190 ms after the latest send (RFC 8985 §7.2).
    [Fact]
    public void ProbeBeforeTwoRoundTrips_IsNoPauseOfTheProgram()
    {
        var script = new SenderScript();
        for (int i = 0; i <= 40; i++)
        {
            script.Send(i * 120.2, 10 + (i / 2));
            script = i < 40 ? script.AckAll((i * 120.2) + 120.1) : script;
        }

        double probe = (40 * 120.2) + 190;
        ConnectionDirection direction = script.Send(probe, 1).AckAll(probe + 120).Send(probe + 120.1, 10).AckAll(probe + 240).Direction();
        Assert.Equal(0, Ms(direction, LimitState.Application));
    }
}
