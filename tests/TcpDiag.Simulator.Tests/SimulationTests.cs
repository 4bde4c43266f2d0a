using System.Linq;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests;

/// <summary>Whole transfers, computed by hand: IW 10, RTT 100 ms, every second segment acknowledged.</summary>
public sealed class SimulationTests
{
    static readonly ReceiverTraits Prompt = new() { SegmentsPerAck = 1 };

    // Ten segments at 0, their acknowledgments at 100; twenty more by slow start, acknowledged at 200.
    [Fact]
    public void Lossless_TakesARoundTripPerWindow()
    {
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(30), []);
        Assert.Equal((true, 30_000, 200), (run.Result.IsComplete, run.Result.Bytes, run.DurationMs));
        Assert.Equal((30, 0), (run.Counts.Segments, run.Counts.Retransmissions));
        Assert.Equal((100, 100), (run.TruthMs(SenderState.CongestionWindow), run.TruthMs(SenderState.Application)));
        Assert.Equal(8 * 30_000 / 0.2, run.Result.GoodputBitsPerSecond);
    }

    // Segment 0 is lost: all others are SACKed at 100, where it is resent; acknowledged at 200.
    [Fact]
    public void OneLoss_IsRepairedInOneRoundTrip()
    {
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(10), [SimulatedRun.FirstData]);
        Assert.Equal("0:0 0:1 0:2 0:3 0:4 0:5 0:6 0:7 0:8 0:9 100:0", run.Data());
        Assert.Equal((200, 1, 1, 0), (run.DurationMs, run.Counts.Retransmissions, run.Counts.Recoveries, run.Counts.Timeouts));
        Assert.Equal((100, 100), (run.TruthMs(SenderState.Recovery), run.TruthMs(SenderState.Application)));
    }

    // 8 and 9 of ten are lost: the last acknowledgment at 100, the probe (9) 2·SRTT later at 300, its SACK at 400, where RACK resends 8; done at 500.
    [Fact]
    public void TailLoss_IsProbedNotTimedOut()
    {
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(10), [SimulatedRun.FirstData + 8, SimulatedRun.FirstData + 9]);
        Assert.EndsWith("0:9 300:9 400:8", run.Data(), System.StringComparison.Ordinal);
        Assert.Equal((500, 1, 0), (run.DurationMs, run.Counts.Probes, run.Counts.Timeouts));
        Assert.Equal(200, run.TruthMs(SenderState.Timeout)); // silence that a timer ended
    }

    // One segment, lost three times: sent again at 1, 3 and 7 s (RFC 6298 (5.5)); its acknowledgment is delayed by 40 ms.
    [Fact]
    public void RepeatedTimeouts_Double()
    {
        SimulatedFlow flow = SimulatedRun.Flow(1);
        flow = flow with { Sender = flow.Sender with { HasTailLossProbe = false } };
        SimulatedRun run = SimulatedRun.Losing(flow, [3, 4, 5]);
        Assert.Equal("0:0 1000:0 3000:0 7000:0", run.Data());
        Assert.Equal((7_140, 3), (run.DurationMs, run.Counts.Timeouts));
        Assert.Equal(7_000, run.TruthMs(SenderState.Timeout));
    }

    // RFC 8985: the retransmission (packet 23: SYN, ACK, 10 + 10 segments by limited transmit and slow start …) is lost and found by later SACKs.
    [Fact]
    public void LostRetransmission_CostsNoTimeout()
    {
        SimulatedRun first = SimulatedRun.Losing(SimulatedRun.Flow(100), [SimulatedRun.FirstData]);
        int[] data = [.. first.Seen.Where(seen => seen.Packet.IsFromSender).Select((seen, i) => (seen.Packet, Number: i + 1))
            .Where(packet => packet.Packet.Length > 0 && packet.Packet.Seq == first.Seen.First(seen => seen.Packet.Length > 0).Packet.Seq)
            .Select(packet => packet.Number)];
        Assert.Equal(2, data.Length);
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(100), [data[0], data[1]]);
        Assert.Equal((true, 0, 2), (run.Result.IsComplete, run.Counts.Timeouts, run.Counts.Retransmissions));
    }

    // RFC 9293 §3.5: a lost SYN, SYN/ACK or (in a download, where the sender waits for it) last segment of the handshake comes again after 1 s.
    [Theory]
    [InlineData(false, 1, 0)]
    [InlineData(false, 0, 1)]
    [InlineData(true, 0, 1)]
    [InlineData(true, 1, 0)]
    [InlineData(true, 2, 0)]
    public void Handshake_LosingASegment_ComesUp(bool isDownload, long toServer, long toClient)
    {
        // In a download the client is the near side too, and receives.
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(10) with { IsDownload = isDownload }, Lost(toServer), Lost(toClient));
        Assert.True(run.Result.IsComplete);
        Assert.Equal(10_000, run.Result.Bytes);
        Assert.Equal(0, run.Counts.Retransmissions);
        Assert.InRange(run.Seen.First(seen => seen.Packet.Length > 0).Nanos, 1_000 * SimulatedRun.Ms, 1_301 * SimulatedRun.Ms);
    }

    static long[] Lost(long id) => id == 0 ? [] : [id];

    // RFC 9293 §3.6: FIN both ways, each acknowledged; a lost one comes again.
    [Theory]
    [InlineData(0, 0)]
    [InlineData(13, 0)] // SYN, ACK, ten segments, then FIN
    [InlineData(14, 0)] // the acknowledgment of the receiver's FIN
    [InlineData(0, 7)] // SYN/ACK, five acknowledgments, then FIN
    public void Closing_IsAcknowledgedBothWays(long toReceiver, long toSender)
    {
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(10), Lost(toReceiver), Lost(toSender));
        Assert.True(run.Result.IsComplete);
        Assert.Equal(100, run.DurationMs);
        SimulatedPacket last = run.Seen.Last(seen => seen.Packet.IsFromSender).Packet;
        SimulatedPacket fin = run.Seen.Last(seen => !seen.Packet.IsFromSender).Packet;
        Assert.True((fin.Flags & TcpFlags.Fin) != 0);
        Assert.Equal(fin.Seq + 1, last.Ack.Una);
        Assert.Equal(fin.Ack.Una, last.Seq);
    }

    // A buffer of 10 000 bytes: ten segments per round trip, however large cwnd is.
    [Fact]
    public void ReceiveWindow_Limits()
    {
        SimulatedFlow flow = SimulatedRun.Flow(100) with { Receiver = new ReceiverTraits { BufferBytes = 10_000, WindowScale = 0 } };
        SimulatedRun run = SimulatedRun.Losing(flow, []);
        Assert.Equal(1_000, run.DurationMs);
        Assert.Equal(900, run.TruthMs(SenderState.ReceiveWindow));
    }

    // The program does not read for 5 s after 5000 bytes. The window of 10 segments fills, is probed after 1 and 3 s, and opens.
    [Theory]
    [InlineData(false)]
    [InlineData(true)] // the window update is lost: only a probe finds out
    public void ZeroWindow_Reopens(bool losesUpdate)
    {
        SimulatedFlow flow = SimulatedRun.Flow(40) with
        {
            Receiver = Prompt with { BufferBytes = 10_000, WindowScale = 0 },
            PauseAfterBytes = 5_000,
            PauseNanos = 5_000 * SimulatedRun.Ms,
        };
        SimulatedRun run = SimulatedRun.Losing(flow, [], point: SegmentPoint.Receiver);
        var acks = run.Seen.Where(seen => !seen.Packet.IsFromSender).ToList();
        int closed = acks.FindLastIndex(seen => seen.Packet.Ack.Window == 0);
        if (losesUpdate)
        {
            run = SimulatedRun.Losing(flow, [], [closed + 2]);
        }

        Assert.True(closed > 0);
        Assert.Equal((true, 40_000), (run.Result.IsComplete, run.Result.Bytes));
        Assert.Equal(losesUpdate ? 3 : 2, run.Counts.WindowProbes);
        Assert.True(run.TruthMs(SenderState.ReceiveWindow) > 4_900);
        Assert.Equal(0, run.Counts.Timeouts);
    }

    // 8 Mbit/s and 1000-byte segments: one each ms, whatever cwnd allows. Slow start has sent 10 + 20 + 40 + 80 by 400 ms; 850 ms for the others, 100 for the
    // last.
    [Fact]
    public void Pacing_Limits()
    {
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(1_000) with { PacingBitsPerSecond = 8_000_000 }, []);
        Assert.InRange(run.DurationMs, 1_340, 1_360);
        Assert.True(run.TruthMs(SenderState.Pacing) > 700);
    }

    // The send buffer holds 20 segments, but a writer is woken only when a third of it is free: 14 to 20 per round trip, 2.0 to 2.9 s.
    [Fact]
    public void SendBuffer_Limits()
    {
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(400) with { SendBufferBytes = 20_000, WriteBytes = 1_000 }, []);
        Assert.InRange(run.DurationMs, 2_000, 2_900);
        Assert.True(run.TruthMs(SenderState.SendBuffer) > 1_500, string.Join(' ', run.Result.Truth));
    }

    // Five bursts of ten segments, one per second; the last is acknowledged 100 ms after it.
    [Fact]
    public void Program_Limits()
    {
        SimulatedRun run = SimulatedRun.Losing(SimulatedRun.Flow(50) with { BurstBytes = 10_000, BurstNanos = 1_000 * SimulatedRun.Ms }, []);
        Assert.Equal(4_100, run.DurationMs);
        Assert.Equal(4_100, run.TruthMs(SenderState.Application));
    }

    // The program reads 800 kbit/s: 200 kB take two seconds; a window of 10 kB gives no more than that either in 100 ms.
    [Fact]
    public void SlowReader_SetsTheRate()
    {
        SimulatedFlow flow = SimulatedRun.Flow(
            200) with
        { Receiver = new ReceiverTraits { BufferBytes = 40_000, WindowScale = 0 }, ReadBitsPerSecond = 800_000 };
        SimulatedRun run = SimulatedRun.Losing(flow, []);
        Assert.True(run.Result.IsComplete);
        Assert.Equal(200_000, run.Result.Bytes);
        Assert.InRange(run.DurationMs, 1_600, 3_000);
    }

    // A queue that marks from 5 packets on: reductions, and nothing lost.
    [Fact]
    public void Ecn_SlowsWithoutLoss()
    {
        SimulatedRun run = SimulatedRun.Over(SimulatedRun.Flow(3_000) with { IsEcn = true }, "rate 10mbit", "rtt 40ms", "buffer 500pkt", "ecn 5pkt");
        Assert.True(run.Counts.EcnReductions is > 2 and < 100, $"{run.Counts.EcnReductions}");
        Assert.Equal(0, run.Counts.Retransmissions);
        Assert.Contains(run.Seen, seen => (seen.Packet.Flags & TcpFlags.Cwr) != 0 && seen.Packet.Length > 0);
    }

    // Being overtaken by fewer than three segments is noticed as reordering (RFC 8985 §6.2 step 3 wants originals); by more makes needless retransmissions,
    // DSACKs and undone recoveries.
    [Fact]
    public void Reordering_IsNoticedAndUndone()
    {
        SimulatedRun run = SimulatedRun.Over(
            SimulatedRun.Flow(3_000), "rtt 40ms", "rate 50mbit", "buffer 2bdp", "reorder 1pct:add:400us", "reorder 1pct:add:30ms");
        Assert.True(run.Tcp.ReorderingSeen);
        Assert.True(run.Counts.Dsacks > 0);
        Assert.True(run.Counts.Undone > 0, $"{run.Counts}");
    }

    // Late by 5 ms, within min_RTT/4 = 10 ms: three SACKed segments count as a loss only until reordering was seen. 5 % of 200 would be ten.
    [Fact]
    public void Reordering_WithinTheWindow_CostsTheFirstOnly()
    {
        SimulatedRun run = SimulatedRun.Over(SimulatedRun.Flow(200), "rtt 40ms", "reorder 5pct:add:5ms");
        Assert.True(run.Tcp.ReorderingSeen);
        Assert.InRange(run.Counts.Retransmissions, 0, 2);
    }

    [Fact]
    public void SameSeed_GivesTheSamePackets()
    {
        string[] path = ["rate 20mbit", "rtt 30ms", "loss 2pct", "jitter 3ms", "duplicate 1pct", "seed 7"];
        SimulatedRun one = SimulatedRun.Over(SimulatedRun.Flow(500), path);
        SimulatedRun other = SimulatedRun.Over(SimulatedRun.Flow(500), path);
        Assert.Equal(one.Seen.Select(Fields), other.Seen.Select(Fields));
        SimulatedRun third = SimulatedRun.Over(SimulatedRun.Flow(500), [.. path[..^1], "seed 8"]);
        Assert.NotEqual(one.Seen.Select(Fields), third.Seen.Select(Fields));
    }

    static (long, bool, TcpFlags, SequenceNumber, int, SequenceNumber) Fields((long Nanos, SimulatedPacket Packet) seen) =>
        (seen.Nanos, seen.Packet.IsFromSender, seen.Packet.Flags, seen.Packet.Seq, seen.Packet.Length, seen.Packet.Ack.Una);
}
