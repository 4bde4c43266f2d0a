using System.Linq;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Queues;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests.Queues;

[Trait("Tier", "Conformance")]
public class CodelTests
{
    // 12 Mbit/s: 1500 bytes take 1 ms.
    static VirtualLink OfferAtOnce(int packets, EcnCodepoint ecn, params string[] options)
    {
        VirtualLink link = new(["rate 12mbit", .. options]);
        for (int i = 0; i < packets; i++)
        {
            link.Offer(0, ecn: ecn);
        }

        return link.Drain();
    }

    static long[] TimesMs(VirtualLink link, ImpairmentAction action) =>
        [.. link.Decisions.Where(d => d.Action == action).Select(d => d.Time.Nanoseconds / Ms)];

    [Theory]
    [InlineData(1, 100_000_000)]
    [InlineData(2, 70_710_678)] // 100 ms / √2
    [InlineData(3, 57_735_026)]
    [InlineData(4, 50_000_000)]
    [InlineData(100, 10_000_000)]
    public void ControlLaw_IsIntervalOverRootOfCount(uint count, long nanos) => // RFC 8289 §5.4
        Assert.Equal(7 + nanos, CodelQueue.ControlLaw(new(7), 100 * Ms, count).Nanoseconds);

    [Fact]
    public void Dequeue_StandingQueue_DropsByTheControlLaw()
    {
        // A packet is taken every ms. The one of 5 ms has waited TARGET: first_above_time = 105 ms, where the first is dropped. Then after 100 ms, 100/√2,
        // 100/√3 and 100/√4 ms: 205, 275.7, 333.4, 383.4 ms, each found at the next whole millisecond.
        VirtualLink link = OfferAtOnce(450, EcnCodepoint.NotEct, "aqm codel");

        Assert.Equal([105, 205, 276, 334, 384], TimesMs(link, ImpairmentAction.DropAqm).Take(5));
        Assert.All(link.Holds.Values, held => Assert.Equal(0, held));
    }

    [Fact]
    public void Dequeue_EcnCapable_IsMarkedAtTheSameTimes()
    {
        VirtualLink link = OfferAtOnce(450, EcnCodepoint.Ect0, "aqm codel:ecn");

        Assert.Equal([105, 205, 276, 334, 384], TimesMs(link, ImpairmentAction.MarkEcn).Take(5));
        Assert.Empty(TimesMs(link, ImpairmentAction.DropAqm));
        Assert.Equal(450, link.Arrivals.Count);
    }

    [Fact]
    public void Dequeue_OtherTargetAndInterval_AreUsed()
    {
        // First above at 10 ms, dropped at 10 + 20 = 30 ms, then 20 ms later.
        VirtualLink link = OfferAtOnce(100, EcnCodepoint.NotEct, "aqm codel:10ms:20ms");

        Assert.Equal([30, 50], TimesMs(link, ImpairmentAction.DropAqm).Take(2));
    }

    [Fact]
    public void Dequeue_SojournBelowTarget_DropsNothing()
    {
        // Four packets every 4 ms: none waits longer than 3 ms, for a second.
        VirtualLink link = new("rate 12mbit", "aqm codel");
        for (int i = 0; i < 1000; i++)
        {
            link.Offer(i / 4 * 4 * Ms);
        }

        Assert.Equal(1000, link.Drain().Arrivals.Count);
    }

    [Fact]
    public void Dequeue_OnePacketWaiting_IsNeverDropped()
    {
        // RFC 8289 §5.6: at 120 kbit/s a packet takes 100 ms, so the second always waits 100 ms; with no more than MAXPACKET behind it it is spared.
        VirtualLink link = new("rate 120kbit", "aqm codel");
        for (int i = 0; i < 40; i++)
        {
            link.Offer(i * 100 * Ms);
            link.Offer(i * 100 * Ms, length: 1);
        }

        Assert.Empty(TimesMs(link.Drain(), ImpairmentAction.DropAqm));
    }

    [Fact]
    public void Dequeue_AboveTargetAgainSoon_GoesOnAtItsRate()
    {
        // RFC 8289 §5.5: the first cycle ends with count = 5 (drops at 105 … 384 ms), so delta = 4. Soon above TARGET again, count begins at 4:
        // the second drop of the second cycle comes 100/√4 = 50 ms after its first.
        VirtualLink link = new("rate 12mbit", "aqm codel");
        OfferMany(link, 0, 400);
        OfferMany(link, 500 * Ms, 400);
        long[] drops = TimesMs(link.Drain(), ImpairmentAction.DropAqm);
        long first = drops.First(drop => drop > 500);

        Assert.Equal(605, first);
        Assert.Equal(50, drops.First(drop => drop > first) - first);
    }

    [Fact]
    public void Enqueue_FullQueue_DropsTheNewcomer()
    {
        VirtualLink link = OfferAtOnce(20, EcnCodepoint.NotEct, "aqm codel", "buffer 10pkt");

        Assert.Equal(9, TimesMs(link, ImpairmentAction.DropQueue).Length); // 1 on the wire, 10 wait
    }

    static void OfferMany(VirtualLink link, long at, int packets)
    {
        for (int i = 0; i < packets; i++)
        {
            link.Offer(at);
        }
    }
}
