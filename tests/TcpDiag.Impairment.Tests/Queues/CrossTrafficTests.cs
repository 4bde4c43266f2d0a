using System.Linq;
using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Decisions;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests.Queues;

public class CrossTrafficTests
{
    const long Second = 1000 * Ms;

    // Something small now and then, so that the clock goes on.
    static VirtualLink Run(long nanos, params string[] options)
    {
        VirtualLink link = new(options);
        for (long t = 0; t <= nanos; t += 10 * Ms)
        {
            link.Offer(t, length: 40);
        }

        return link.Drain();
    }

    static CrossReport[] Reports(VirtualLink link) => [.. link.Emulator.CrossReports(LinkDirection.Out)];

    [Theory]
    [InlineData("cubic")]
    [InlineData("reno")]
    public void Flows_Alone_FillTheLink(string algorithm)
    {
        // 20 Mbit/s for 20 s are 50 MB.
        VirtualLink link = Run(20 * Second, "rate 20mbit", "buffer 1bdp", "rtt 20ms", $"cross out:{algorithm}:2:20ms");

        Assert.InRange(Reports(link).Sum(r => r.DeliveredBytes), 0.9 * 50_000_000, 50_100_000);
        Assert.All(Reports(link), r => Assert.Equal(algorithm, r.Name));
        Assert.All(Reports(link), r => Assert.True(r.DroppedPackets > 0));
    }

    [Fact]
    public void Flows_OfOneKind_ShareEvenly()
    {
        // Jain's index (RFC 5166 §2.3) over a minute of four flows: 1 is even, 1/4 is one flow alone.
        VirtualLink link = Run(60 * Second, "rate 50mbit", "buffer 1bdp", "rtt 20ms", "cross out:cubic:4:20ms");
        double[] shares = [.. Reports(link).Select(r => (double)r.DeliveredBytes)];

        Assert.InRange(shares.Sum() * shares.Sum() / (4 * shares.Sum(s => s * s)), 0.9, 1);
    }

    [Fact]
    public void Flows_RenoWithHalfTheRoundTrip_GetsMore()
    {
        VirtualLink link = Run(60 * Second, "rate 20mbit", "buffer 50pkt", "cross out:reno:1:20ms", "cross out:reno:1:80ms");

        Assert.True(Reports(link)[0].DeliveredBytes > 1.5 * Reports(link)[1].DeliveredBytes);
    }

    [Fact]
    public void Constant_Rate_IsExact()
    {
        // 12 Mbit/s of 1500 bytes from 1 s on for 2 s: one a ms, 2000 packets.
        VirtualLink link = Run(5 * Second, "rate 100mbit", "cross out:cbr:12mbit:1s+2s");

        Assert.Equal(2000 * 1500, Reports(link).Single().DeliveredBytes);
    }

    [Fact]
    public void Constant_TakesItsPartOfTheQueue()
    {
        // 6 of 12 Mbit/s are taken: our 1000 packets at once need twice as long.
        VirtualLink link = new("rate 12mbit", "buffer 5000pkt", "aqm fq_codel:1s:10s", "cross out:cbr:6mbit");
        for (int i = 0; i < 1000; i++)
        {
            link.Offer(0, flow: 1);
        }

        link.Drain();
        Assert.InRange(link.ArrivalTimes[^1], 1_980 * Ms, 2_020 * Ms);
    }

    [Fact]
    public void Own_DecisionsAndCounts_HoldNothingOfOthers()
    {
        VirtualLink link = Run(2 * Second, "rate 10mbit", "buffer 20pkt", "cross out:cubic:3:10ms");

        Assert.Equal(201, link.Emulator.Counts(LinkDirection.Out).Offered);
        Assert.All(link.Decisions, d => Assert.InRange(d.PacketId, 1, 201));
        Assert.Equal(0, link.Emulator.Counts(LinkDirection.Out).UnderWay);
        Assert.All(link.Holds.Values, held => Assert.Equal(0, held));
    }

    [Fact]
    public void Fifo_WithoutEffectOfOthers_DecidesAsTheComputedQueue()
    {
        // Cross traffic that begins after the run makes the link a server; its tail drop must be the computed one's.
        string[] path = ["rate 10mbit", "buffer 7pkt", "loss 2pct", "delay 3ms", "ecn 3pkt"];
        VirtualLink computed = Bursts(new VirtualLink(path));
        VirtualLink served = Bursts(new VirtualLink([.. path, "cross out:cbr:1mbit:1000s+1s"]));

        Assert.Equal(Outcome(computed), Outcome(served));
        Assert.Contains(computed.Decisions, d => d.Action == ImpairmentAction.DropQueue);
        static (long, ImpairmentAction, long)[] Outcome(VirtualLink link) =>
            [.. link.Decisions.Select(d => (d.PacketId, d.Action, d.Action == ImpairmentAction.Forward ? d.DelayAskedNanos : 0)).OrderBy(d => d)];
    }

    static VirtualLink Bursts(VirtualLink link)
    {
        for (int i = 0; i < 5_000; i++)
        {
            link.Offer(i / 13 * 9 * Ms, length: 100 + (i * 37 % 1400), ecn: (EcnCodepoint)(i % 3));
        }

        return link.Drain();
    }
}
