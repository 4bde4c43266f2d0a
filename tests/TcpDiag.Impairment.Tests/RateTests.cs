using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests;

public class RateTests
{
    [Fact]
    public void Offer_ThreePacketsAtOnce_AreSerialisedOneAfterTheOther()
    {
        VirtualLink link = new("rate 12mbit", "rtt 20ms");
        link.Offer(0);
        link.Offer(0);
        link.Offer(0, length: 750);
        link.Drain();

        // 1500 B × 8 / 12 Mbit/s = 1 ms each, 750 B 0.5 ms; half of the round trip is 10 ms.
        Assert.Equal([11 * Ms, 12 * Ms, (12 * Ms) + (500 * Us)], link.ArrivalTimes);
    }

    [Fact]
    public void Offer_AfterIdleTime_StartsAtOnce()
    {
        VirtualLink link = new("rate 12mbit");
        link.Offer(0);
        link.Offer(5 * Ms);
        link.Drain();

        Assert.Equal([1 * Ms, 6 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void Offer_RateThatDividesBadly_KeepsTheFractionsOfNanoseconds()
    {
        // 1 byte at 3 bit/s takes 8/3 s: after 3 bytes exactly 8 s, however the thirds were cut.
        VirtualLink link = new("rate 3bit");
        link.Offer(0, length: 1);
        link.Offer(0, length: 1);
        link.Offer(0, length: 1);
        link.Drain();

        Assert.Equal([2_666_666_666, 5_333_333_333, 8_000_000_000], link.ArrivalTimes);
    }

    // 8/3 s for a byte at 3 bit/s, as above. At 10 s the link was idle: the two thirds of a nanosecond that the first has left say nothing of the second.
    [Fact]
    public void Offer_AfterIdleTime_OwesNoFraction()
    {
        VirtualLink link = new("rate 3bit");
        link.Offer(0, length: 1);
        link.Offer(10_000 * Ms, length: 1);
        link.Drain();

        Assert.Equal([2_666_666_666, 12_666_666_666], link.ArrivalTimes);
    }

    [Fact]
    public void Offer_ManyPacketsBackToBack_TakeExactlyTheTimeOfTheirBytes()
    {
        VirtualLink link = new("rate 97mbit", "buffer 1000000pkt");
        for (int i = 0; i < 97_000; i++)
        {
            link.Offer(0, length: 1000);
        }

        link.Drain();

        // 97,000 × 8,000 bit / 97 Mbit/s = 8 s.
        Assert.Equal(8_000 * Ms, link.ArrivalTimes[^1]);
    }

    [Fact]
    public void Offer_WithBurst_LetsTheBucketThroughAndThenTheRate()
    {
        // A bucket of 3000 bytes: two packets at once; the third waits for 1500 bytes of tokens, 1 ms.
        VirtualLink link = new("rate 12mbit", "burst 3kb");
        link.Offer(0);
        link.Offer(0);
        link.Offer(0);
        link.Offer(0);
        link.Drain();

        Assert.Equal([0, 0, 1 * Ms, 2 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void Offer_BurstHalfRefilled_WaitsForTheOtherHalf()
    {
        VirtualLink link = new("rate 12mbit", "burst 1500b");
        link.Offer(0);
        link.Offer(500 * Us);
        link.Drain();

        Assert.Equal([0, 1 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void Offer_Directions_HaveLinksOfTheirOwn()
    {
        VirtualLink link = new("rate out:12mbit", "rate in:6mbit");
        link.Offer(0, direction: LinkDirection.In);
        link.Offer(0, direction: LinkDirection.Out);
        link.Drain();

        Assert.Equal([1 * Ms, 2 * Ms], link.ArrivalTimes);
        Assert.Equal(LinkDirection.Out, link.Arrivals[0].Direction);
    }

    [Fact]
    public void Offer_ClockStepsBack_CountsAsTheLatestTime()
    {
        VirtualLink link = new("delay 1ms");
        link.Offer(5 * Ms);
        link.Emulator.Offer(new LinkPacket { Handle = 0, LengthBytes = 100 }, new TraceTime(2 * Ms));
        link.Holds[0]++;
        link.Drain();

        Assert.Equal([6 * Ms, 6 * Ms], link.ArrivalTimes);
        Assert.Equal(0, link.Emulator.Counts(LinkDirection.Out)[ImpairmentAction.DropCapacity]);
    }
}
