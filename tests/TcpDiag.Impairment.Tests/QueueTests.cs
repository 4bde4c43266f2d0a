using System.Linq;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Stages;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests;

public class QueueTests
{
    static long Dropped(VirtualLink link) => link.Emulator.Counts(LinkDirection.Out)[ImpairmentAction.DropQueue];

    static VirtualLink OfferAtOnce(VirtualLink link, int packets, EcnCodepoint ecn = EcnCodepoint.NotEct)
    {
        for (int i = 0; i < packets; i++)
        {
            link.Offer(0, ecn: ecn);
        }

        return link.Drain();
    }

    [Fact]
    public void Offer_QueueOfThreePackets_DropsFromTheFifthOn()
    {
        // One is on the wire, three wait, six of ten are dropped.
        VirtualLink link = OfferAtOnce(new("rate 12mbit", "buffer 3pkt"), 10);

        Assert.Equal(6, Dropped(link));
        Assert.Equal([1, 2, 3, 4], link.ArrivalOrder());
    }

    [Fact]
    public void Offer_QueueOfBytes_CountsBytes()
    {
        // 4000 bytes hold two packets of 1500, not three.
        VirtualLink link = OfferAtOnce(new("rate 12mbit", "buffer 4000b"), 10);

        Assert.Equal(7, Dropped(link));
    }

    [Fact]
    public void Offer_QueueOfOneBdp_HoldsRateTimesRoundTrip()
    {
        // 12 Mbit/s × 20 ms = 30,000 bytes = 20 packets, and one on the wire.
        VirtualLink link = OfferAtOnce(new("rate 12mbit", "rtt 20ms", "buffer 1bdp"), 100);

        Assert.Equal(100 - 21, Dropped(link));
    }

    [Fact]
    public void Offer_QueueDrains_TakesPacketsAgain()
    {
        VirtualLink link = new("rate 12mbit", "buffer 1pkt");
        link.Offer(0);
        link.Offer(0);

        // At 1 ms the second packet is on the wire and its slot in the queue is free; one nanosecond earlier it is not.
        link.Offer((1 * Ms) - 1);
        link.Offer(1 * Ms);
        link.Drain();

        Assert.Equal([1, 2, 4], link.ArrivalOrder());
    }

    [Fact]
    public void Offer_NoQueueAtAll_StillSendsWhatNeedsNotWait()
    {
        VirtualLink link = new("rate 12mbit", "buffer 0pkt");
        link.Offer(0);
        link.Offer(500 * Us);
        link.Offer(1 * Ms);
        link.Drain();

        Assert.Equal([1, 3], link.ArrivalOrder());
    }

    [Fact]
    public void Offer_NoBufferGiven_HoldsThousandPackets()
    {
        VirtualLink link = OfferAtOnce(new("rate 12mbit"), 1500);

        Assert.Equal(1500 - 1001, Dropped(link));
    }

    [Fact]
    public void Offer_DeepQueue_MarksOnlyEcnCapablePackets()
    {
        // Packets 1 (on the wire), 2 and 3 (queue of 0 and 1) stay unmarked, 4 finds two waiting.
        VirtualLink capable = OfferAtOnce(new("rate 12mbit", "ecn 2pkt"), 5, EcnCodepoint.Ect0);
        VirtualLink other = OfferAtOnce(new("rate 12mbit", "ecn 2pkt"), 5);

        Assert.Equal([4L, 5L], capable.Arrivals.Where(p => p.Marks == PacketMarks.CongestionExperienced).Select(p => p.Id));
        Assert.Equal(2, capable.Decisions.Count(d => d.Action == ImpairmentAction.MarkEcn));
        Assert.DoesNotContain(other.Arrivals, p => p.Marks != PacketMarks.None);
    }

    [Fact]
    public void Backlog_GrowsAcrossItsSeam_KeepsOrderAndBytes()
    {
        Backlog backlog = new();
        for (int i = 1; i <= 200; i++)
        {
            backlog.Add(new(i), 10);
        }

        backlog.Advance(new(150));
        for (int i = 201; i <= 700; i++)
        {
            backlog.Add(new(i), 10);
        }

        backlog.Advance(new(600));

        Assert.Equal(100, backlog.Packets);
        Assert.Equal(1000, backlog.Bytes);
    }
}
