using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Limits.SenderScript;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>A full send buffer among what looks like one: writes of 5500 bytes over a path of 20 ms, with segments of 1000 bytes.</summary>
public sealed class SendBufferStateTests
{
    // Woken 60 ms late now and then: the buffer was as full as before the writes that came at once.
    [Fact]
    public void WriterWokenLateNowAndThen_IsSendBuffer_AndPartlyUncertain()
    {
        ConnectionDirection direction = Writes(60, 3, 8, 10);
        Assert.Equal((direction.ActiveTime ?? 0) / 1e6, Ms(direction, LimitState.SendBuffer), 3);
        Assert.Equal(3 * 80_000_000, direction.Limits?.UncertainSendBuffer);
    }

    // 250 ms are more than the RTO of 200 ms and a round trip: a pause for TCP itself.
    [Fact]
    public void PauseBeyondTheRto_IsApplication() => Assert.Equal(3 * 270, Ms(Writes(250, 3, 8, 10), LimitState.Application), tolerance: 0.2);

    // Twenty writes of 300 bytes at once, many of them in flight, so Nagle's algorithm does not hold them; then room for all of them, 105 or 120 µs before the
    // next.
    [Fact]
    public void SmallWrites_BehindAcknowledgments_AreASendBuffer()
    {
        var script = new SenderScript();
        for (int i = 0; i < 20; i++)
        {
            script.Send(i * 20.3, 20, push: true, bytes: 300).AckAll((i * 20.3) + 20.18 + (0.015 * (i % 2)));
        }

        ConnectionDirection direction = script.Direction();
        Assert.Equal((direction.ActiveTime ?? 0) / 1e6, Ms(direction, LimitState.SendBuffer), 3);
    }

    // Two full segments and one of 200 bytes, each right behind the acknowledgment of its like one round trip before. That of 200 bytes, 20 µs
    // behind, was held back by Nagle's algorithm: nothing else was left. What is woken by the same acknowledgment writes more at once.
    [Theory]
    [InlineData(0, 3.5, LimitState.Application)]
    [InlineData(9, 17.5, LimitState.SendBuffer)]
    public void ReleaseByNagle_IsApplication_WhereNothingFollowsIt(double first, double second, LimitState state)
    {
        var script = new SenderScript();
        List<(double Ms, Action Take)> events = [];
        for (int i = 0; i < 15; i++)
        {
            double last = 17 + (i * 20.02);
            events.Add((last, () => script.Send(last, 1, push: true, bytes: 200)));
            events.Add((last + 20, () => script.Ack(last + 20, 1, bytes: 200)));
            foreach (double full in (double[])[first + (i * 20.1), second + (i * 20.1)])
            {
                events.Add((full, () => script.Send(full, 1)));
                events.Add((full + 20, () => script.Ack(full + 20, 1)));
            }
        }

        events.OrderBy(one => one.Ms).ToList().ForEach(one => one.Take());
        ConnectionDirection direction = script.Direction();
        Assert.InRange(Ms(direction, state), 0.8 * (direction.ActiveTime ?? 0) / 1e6, double.MaxValue);
    }

    // Full segments are acknowledged one by one, 50 µs apart, and none is answered but the last: nothing was left, though the burst ended full. There are two
    // more each round, as in a congestion window that grows.
    [Fact]
    public void UnansweredAcknowledgments_OfFullBursts_AreASendBuffer()
    {
        var script = new SenderScript();
        double ms = 0;
        for (int segments = 20; segments < 40; segments += 2)
        {
            script.Send(ms, segments);
            ms += 20;
            for (int i = 0; i < segments; i++, ms += 0.05)
            {
                script.Ack(ms, 1);
            }
        }

        ConnectionDirection direction = script.Direction();
        Assert.Equal((direction.ActiveTime ?? 0) / 1e6, Ms(direction, LimitState.SendBuffer), 3);
        Assert.Null(direction.Cwnd);
    }

    // Seen at the receiver, two segments more each round, all full: half is acknowledged at once, the rest 3 ms later. Data that echoes the later
    // acknowledgment was not let go by the earlier one, so nothing had been left; data that echoes the earlier one was held by the congestion window.
    [Theory]
    [InlineData(3, LimitState.SendBuffer)]
    [InlineData(0, LimitState.CongestionWindow)]
    public void FullBursts_SeenAtTheReceiver_AreHeldByWhatTheirEchoesTell(double echo, LimitState state)
    {
        SenderScript script = new SenderScript(sender: 20).Echo(0);
        double ms = 0;
        for (int segments = 20; segments < 40; segments += 2)
        {
            script.Send(ms, segments).Ack(ms + 0.5, segments / 2).Ack(ms + 3.5, segments / 2).Echo(ms + echo + 0.5);
            ms += 20.6 + echo;
        }

        ConnectionDirection direction = script.Direction();
        Assert.Equal((direction.ActiveTime ?? 0) / 1e6, Ms(direction, state), tolerance: 21);
    }

    // Seen at the receiver: rounds of 10, 20 and 40 segments, then always 48, a send buffer. The 40 may be its as well, or those of a congestion window of
    // slow start.
    [Theory]
    [InlineData(20, 20)]
    [InlineData(0, 0)]
    public void LastRoundOfSlowStart_BeforeABuffer_IsUncertainFromAfar(double sender, double uncertain)
    {
        var script = new SenderScript(sender);
        double ms = 0;
        foreach (int segments in (int[])[10, 20, 40, .. Enumerable.Repeat(48, 18)])
        {
            script.Send(ms, segments).AckAll(ms + 20 - sender + 0.5);
            ms += 20.6;
        }

        ConnectionDirection direction = script.Direction();
        Assert.Equal(uncertain, (direction.Limits?.Uncertain ?? 0) / 1e6, tolerance: 1);
    }

    // A write each 100 ms, seen at the receiver: that the sender echoes the acknowledgment so late says nothing of the path.
    [Fact]
    public void WritesNowAndThen_SeenAtTheReceiver_AreApplication()
    {
        var script = new SenderScript(sender: 20);
        for (int i = 0; i < 20; i++)
        {
            script.Send(i * 100, 5).Send((i * 100) + 0.05, 1, push: true, bytes: 500).AckAll((i * 100) + 0.1);
        }

        Assert.Equal(1900.1, Ms(script.Direction(), LimitState.Application), tolerance: 0.2);
    }

    static SenderScript Write(SenderScript script, double ms, int segments, int rest) =>
        script.Send(ms, segments).Send(ms + 0.1, 1, push: true, bytes: rest).AckAll(ms + 20);

    // Twenty-four writes, 50 µs behind the acknowledgment that makes room, or so many milliseconds later behind those told.
    static ConnectionDirection Writes(double late, params int[] pauses)
    {
        var script = new SenderScript();
        double ms = 0;
        for (int i = 0; i < 24; i++)
        {
            script.Send(ms, 5).Send(ms + 0.05, 1, push: true, bytes: 500).AckAll(ms + 20);
            ms += 20 + (pauses.AsSpan().Contains(i) ? late : 0.05);
        }

        return script.Direction();
    }
}
