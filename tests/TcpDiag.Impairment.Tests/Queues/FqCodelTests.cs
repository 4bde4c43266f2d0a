using System.Linq;
using TcpDiag.Impairment.Decisions;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests.Queues;

[Trait("Tier", "Conformance")]
public class FqCodelTests
{
    [Fact]
    public void Dequeue_SparseFlow_DoesNotWaitBehindABacklog()
    {
        // RFC 8290 §1: 60 packets of flow 1 wait for 60 ms; the one of flow 2 comes at 10.5 ms and leaves as soon as the packet on the wire is through.
        VirtualLink link = new("rate 12mbit", "aqm fq_codel");
        for (int i = 0; i < 60; i++)
        {
            link.Offer(0, flow: 1);
        }

        link.Offer((10 * Ms) + (500 * Us), flow: 2);
        link.Drain();

        Assert.Equal(12 * Ms, link.ArrivalTimes[link.Arrivals.FindIndex(p => p.FlowHash == 2)]);
    }

    [Fact]
    public void Dequeue_TwoBacklogs_ShareByBytesNotPackets()
    {
        // RFC 8290 §4.2: packets of 300 bytes against 1500: of the first 30,000 bytes each flow has about half, so five times as many small ones.
        VirtualLink link = new("rate 12mbit", "aqm fq_codel");
        for (int i = 0; i < 200; i++)
        {
            link.Offer(0, length: 300, flow: 1);
            link.Offer(0, length: 1500, flow: 2);
        }

        link.TakeUntil((20 * Ms) + 1);
        long small = link.Arrivals.Where(p => p.FlowHash == 1).Sum(p => p.LengthBytes);
        long large = link.Arrivals.Where(p => p.FlowHash == 2).Sum(p => p.LengthBytes);

        Assert.InRange(small - large, -2 * 1514, 2 * 1514);
    }

    [Fact]
    public void Dequeue_NewFlowThatRanEmpty_WaitsAmongTheOldOnce()
    {
        // RFC 8290 §4.2, 300 bytes in 0.2 ms: flow 1 sends six packets for its first quantum, until 1.2 ms; then flow 2's first goes, as it is new. Found empty
        // at 1.4 ms, its queue moves behind the old one of flow 1; so the packet of 1.5 ms is not new again, and waits for the rest of flow 1's next quantum:
        // 1228 bytes, five packets, until 2.4 ms.
        VirtualLink link = new("rate 12mbit", "aqm fq_codel");
        for (int i = 0; i < 40; i++)
        {
            link.Offer(0, length: 300, flow: 1);
        }

        link.Offer(500 * Us, length: 300, flow: 2);
        link.Offer(1_500 * Us, length: 300, flow: 2);
        link.Drain();
        long[] times = [.. link.Arrivals.Zip(link.ArrivalTimes).Where(p => p.First.FlowHash == 2).Select(p => p.Second)];

        Assert.Equal([1_400 * Us, 2_600 * Us], times);
    }

    [Fact]
    public void Enqueue_Full_TakesHalfOfTheLongestFromItsHead()
    {
        // RFC 8290 §4.1.1: flow 1 has 10 waiting when the 11th packet, of flow 2, comes: 5 of flow 1 go, the oldest first (2 to 6; 1 is on the wire).
        VirtualLink link = new("rate 12mbit", "aqm fq_codel", "buffer 10pkt");
        for (int i = 0; i < 11; i++)
        {
            link.Offer(0, flow: 1);
        }

        link.Offer(0, flow: 2);
        link.Drain();

        Assert.Equal([2, 3, 4, 5, 6], link.Decisions.Where(d => d.Action == ImpairmentAction.DropQueue).Select(d => d.PacketId));
        Assert.All(link.Holds.Values, held => Assert.Equal(0, held));
    }

    [Fact]
    public void Dequeue_EachFlow_HasACodelOfItsOwn()
    {
        // Two flows share 12 Mbit/s, so each queue stands; packets of a third, one every 10 ms, are never dropped.
        VirtualLink link = new("rate 12mbit", "aqm fq_codel");
        for (int i = 0; i < 400; i++)
        {
            link.Offer(0, flow: 1);
            link.Offer(0, flow: 2);
        }

        for (int i = 1; i < 50; i++)
        {
            link.Offer(i * 10 * Ms, flow: 3);
        }

        link.Drain();
        ILookup<uint, ImpairmentDecision> drops = link.Decisions.Where(d => d.Action == ImpairmentAction.DropAqm).ToLookup(d => d.FlowHash);

        Assert.NotEmpty(drops[1]);
        Assert.NotEmpty(drops[2]);
        Assert.Empty(drops[3]);
    }
}
