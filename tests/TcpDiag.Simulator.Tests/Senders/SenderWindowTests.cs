using System;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders;

/// <summary>What cwnd becomes, and what holds a sender.</summary>
[Trait(Tier.Name, Tier.Conformance)]
public sealed class SenderWindowTests
{
    // RFC 3465 §2.2 without a limit: every byte acknowledged counts, 10 → 20 → 40.
    [Fact]
    public void SlowStart_DoublesPerRound()
    {
        Timeline line = new Timeline().Write(200).At(100).Ack(10);
        Assert.Equal(20, line.CwndSegments);
        Assert.Equal(40, line.At(200).Ack(30).CwndSegments);
    }

    // RFC 9438 §5.8: of ten segments four are used, so nothing grows.
    [Fact]
    public void SlowStart_ApplicationLimited_StaysWhereItIs() => Assert.Equal(10, new Timeline().Write(4).At(100).Ack(4).CwndSegments);

    // RFC 3168 §6.1.2: two echoes of one window, one reduction; the third belongs to the next window. 10 → 5 of what is in flight.
    [Fact]
    public void Ecn_ReducesOncePerRound()
    {
        Timeline line = new Timeline().Write(40).At(100).Ack(1, ece: true).At(101).Ack(2, ece: true);
        Assert.Equal(1, line.Tcp.EcnReductions);
        Assert.Equal(10_000 / 2, line.Tcp.Ssthresh);
        line.At(110).Ack(10, ece: true);
        Assert.Equal(2, line.Tcp.EcnReductions);
    }

    // RFC 5681 §4.1: more than one RTO (1 s) without sending: 20 → 10 segments.
    [Theory]
    [InlineData(1_100.0, 20)]
    [InlineData(1_101.0, 10)]
    public void Idle_LongerThanTheTimeout_RestartsFromTheInitialWindow(double ms, int segments)
    {
        Timeline line = new Timeline(Timeline.Traits with { Congestion = Timeline.Reno with { RestartsAfterIdle = true } }).Write(10).At(100).Ack(10);
        Assert.Equal(20, line.CwndSegments);
        line.Write(1).At(150).Ack(11); // the last segment of 100 ms
        Assert.Equal(segments, line.At(ms).Write(1).CwndSegments);
    }

    // RFC 9438 §4.2: W_max 10, cwnd 7 after the loss, K = cbrt(3 / 0.4) = 1.957 s. At K seconds of acknowledgments every 10 ms the window is W_max again.
    [Fact]
    public void Cubic_FollowsTheCurve()
    {
        SenderTraits traits = new()
        {
            InitialWindowSegments = 100,
            Congestion = CongestionTraits.Rfc with { Exit = SlowStartExit.LossOnly, Increment = CubicIncrement.PerSegment }
        };
        Timeline line = new Timeline(traits).Write(100_000).At(100).Sack(0, (1, 100)).At(200).Ack(100);
        Assert.Equal(70, line.CwndSegments); // β = 0.7
        double k = Math.Cbrt(30 / 0.4); // 4.217 s
        int una = RunRounds(line, 100, from: 300, rounds: (int)(k * 10));
        Assert.InRange(line.CwndSegments, 97, 100.5);

        // t − K = 2 s: W_max + 0.4·2³ = 103.2
        RunRounds(line, una, from: 300 + ((int)(k * 10) * 100), rounds: 20);
        Assert.InRange(line.CwndSegments, 102, 105);
    }

    // Five CSS rounds after the delay grew by 5 ms (an eighth of 40): RFC 9406 §4.2.
    [Fact]
    public void HyStart_DelayGrows_LeavesSlowStart()
    {
        Timeline line = new Timeline(new SenderTraits { InitialWindowSegments = 20 }).Write(100_000);
        int una = 0;
        double ms = 0;
        for (int round = 0; round < 12 && line.Tcp.InSlowStart; round++)
        {
            ms += round < 2 ? 100 : 120; // 20 ms above 100: more than an eighth (12.5 ms)
            int end = una + (int)(line.Tcp.FlightBytes / Timeline.Smss);
            for (line.At(ms); una < end; una++)
            {
                line.Ack(una + 1);
            }
        }

        Assert.False(line.Tcp.InSlowStart);
        Assert.Equal(HyStartTrigger.Delay, line.Tcp.SlowStartExit);
        Assert.Equal(0, line.Tcp.Count().Recoveries);
    }

    [Fact]
    public void ReceiveWindow_HoldsWhatItDoesNotTake()
    {
        Timeline line = new Timeline(windowSegments: 4).Write(10);
        Assert.Equal("0 1 2 3", line.Sent());
        Assert.Equal(SendHold.ReceiveWindow, line.Tcp.HeldBy);
    }

    // RFC 9293 §3.8.6.2.1: no small segment because the window has little room, while something is outstanding.
    [Fact]
    public void ReceiveWindow_WithLittleRoom_SendsNoSmallSegment()
    {
        Timeline line = new Timeline(windowSegments: 2).Write(10).At(100);
        line.Sent();
        Assert.Equal(string.Empty, line.Ack(1, window: 1_500).Sent());
        Assert.Equal("2", line.Ack(2, window: 500).Sent());
    }

    [Fact]
    public void CongestionWindow_HoldsTheEleventh()
    {
        Timeline line = new Timeline().Write(11);
        Assert.Equal(SendHold.CongestionWindow, line.Tcp.HeldBy);
        Assert.Equal(1_000, line.Tcp.UnsentBytes);
    }

    [Fact]
    public void Application_HoldsWhenAllIsSent() => Assert.Equal(SendHold.Application, new Timeline().Write(9).Tcp.HeldBy);

    // Acknowledges a window at once, every 100 ms.
    static int RunRounds(Timeline line, int una, double from, int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            line.At(from + (100 * round));
            int end = una + (int)(line.Tcp.FlightBytes / Timeline.Smss);
            while (una < end)
            {
                una = Math.Min(una + 2, end);
                line.Ack(una);
            }
        }

        return una;
    }
}
