using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests;

public class ReorderingTests
{
    /// <summary>Ten packets, one per millisecond from 0 on, over a path of 10 ms.</summary>
    static VirtualLink SendTen(params string[] options)
    {
        VirtualLink link = new(["delay 10ms", .. options]);
        for (int i = 0; i < 10; i++)
        {
            link.Offer(i * Ms);
        }

        return link.Drain();
    }

    [Fact]
    public void Replace_ChosenPacket_ArrivesEarly()
    {
        // Packet 7 leaves at 6 ms and takes 1.5 ms: it arrives at 7.5 ms, before packet 1 at 10 ms.
        VirtualLink link = SendTen("reorder every:7:replace:1500us");

        Assert.Equal([7, 1, 2, 3, 4, 5, 6, 8, 9, 10], link.ArrivalOrder());
        Assert.Equal((7 * Ms) + (500 * Us), link.ArrivalTimes[0]);
    }

    [Fact]
    public void Replace_ChosenPacket_StillWaitsForTheBottleneck()
    {
        // Both come at 0; the second is serialised until 2 ms and then takes 5 ms instead of 100.
        VirtualLink link = new("rate 12mbit", "delay 100ms", "reorder every:2:replace:5ms");
        link.Offer(0);
        link.Offer(0);
        link.Drain();

        Assert.Equal([7 * Ms, 101 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void Add_ChosenPacket_ArrivesLate()
    {
        // Packet 7 would arrive at 16 ms, now at 18.5 ms: behind packet 9 (18 ms).
        VirtualLink link = SendTen("reorder every:7:add:2500us");

        Assert.Equal([1, 2, 3, 4, 5, 6, 8, 9, 7, 10], link.ArrivalOrder());
    }

    [Fact]
    public void Listed_Packets_MoveByTheirOwnAmounts()
    {
        // One each ms over 10 ms: packet 3 at 12 + 2.5 ms, behind packet 5; packet 8 at 17 − 4.5 ms, and packet 10 no earlier than it was sent, at 9 ms.
        LinkSettings settings = new()
        {
            DelayNanos = 10 * Ms,
            Reorderings = [new ListedReordering(new Dictionary<long, long> { [3] = 2_500 * Us, [8] = -4_500 * Us, [10] = -30 * Ms })],
        };
        VirtualLink link = new(new EmulatorSettings { Out = new(settings) });
        for (int i = 0; i < 10; i++)
        {
            link.Offer(i * Ms);
        }

        Assert.Equal([10, 1, 2, 8, 4, 5, 3, 6, 7, 9], link.Drain().ArrivalOrder());
        Assert.Equal(9 * Ms, link.ArrivalTimes[0]);
    }

    [Fact]
    public void Swap_ChosenPacket_LeavesRightBehindItsSuccessor()
    {
        VirtualLink link = SendTen("reorder every:4:swap");

        // 4 waits for 5; while it waits no packet is counted towards the next choice, so 9 is the next fourth one.
        Assert.Equal([1, 2, 3, 5, 4, 6, 7, 8, 10, 9], link.ArrivalOrder());
        Assert.Equal(14 * Ms, link.ArrivalTimes[4]);
    }

    [Fact]
    public void Swap_ThreeSuccessors_ArePassed() =>
        Assert.Equal([1, 2, 4, 5, 6, 3, 7, 8, 10, 9], SendTen("reorder every:3:swap:3").ArrivalOrder());

    // By jitter a successor may be due before the packet that waits for it: nothing leaves before its own time.
    [Fact]
    public void Swap_SuccessorIsDueEarlier_LeavesAtItsOwnTime()
    {
        var departures = new DepartureHeap(capacity: 2);
        var hold = new SwapHold(packets: 1);
        hold.Hold(departures.Push(new LinkPacket { DueAt = new(200) }), ownDue: new(100));
        hold.OnSuccessor(departures, due: new(60));

        Assert.Equal((new TraceTime(100), false), (departures.NextDue, hold.IsHolding));
    }

    [Fact]
    public void Swap_WithoutSuccessor_LeavesWhenTheLimitEnds()
    {
        VirtualLink link = new("delay 10ms", "reorder every:1:swap");
        link.Offer(0);
        link.Drain();

        // 10 ms of delay and 100 ms of waiting in vain.
        Assert.Equal([110 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void Swap_AfterItsLimit_ChoosesAgain()
    {
        VirtualLink link = new("reorder every:1:swap");
        link.Offer(0);
        link.Offer(200 * Ms);
        link.Offer(200 * Ms);
        link.Drain();

        Assert.Equal([1, 3, 2], link.ArrivalOrder());
    }

    [Fact]
    public void Ahead_ChosenPacket_OvertakesSoManyUnderWay()
    {
        // Packet 9 jumps in front of the five before it: behind 3, before 4.
        VirtualLink link = SendTen("reorder every:9:ahead:5");

        Assert.Equal([1, 2, 3, 9, 4, 5, 6, 7, 8, 10], link.ArrivalOrder());
        Assert.Equal((13 * Ms) - 1, link.ArrivalTimes[3]);
    }

    [Fact]
    public void Ahead_MoreThanAreUnderWay_LeavesAtOnce()
    {
        VirtualLink link = SendTen("reorder every:9:ahead:500");

        // It cannot arrive before it was sent, at 8 ms.
        Assert.Equal(9, link.ArrivalOrder()[0]);
        Assert.Equal(8 * Ms, link.ArrivalTimes[0]);
    }

    [Fact]
    public void Flush_OneEvent_SwapsTheBurstWithWhatFollows()
    {
        VirtualLink link = SendTen("reorder flush:5ms-5ms:2:2500us");

        // Event at 15 ms: packets 6 and 7 arrive at 17.5 and 18.5 ms, behind 8 (17 ms) and 9 (18 ms).
        Assert.Equal([1, 2, 3, 4, 5, 8, 6, 9, 7, 10], link.ArrivalOrder());
    }

    [Fact]
    public void Flush_TwoFlows_HaveEventsOfTheirOwn()
    {
        VirtualLink link = new("reorder flush:1s-10s:1:1ms", "seed 4");
        for (int i = 0; i < 30_000; i++)
        {
            link.Offer(i * Ms, flow: (uint)(i % 2));
        }

        link.Drain();
        long[] first = link.Decisions.Where(d => d.Action == ImpairmentAction.ReorderFlush && d.FlowHash == 0).Select(d => d.Time.Nanoseconds).ToArray();
        long[] second = link.Decisions.Where(d => d.Action == ImpairmentAction.ReorderFlush && d.FlowHash == 1).Select(d => d.Time.Nanoseconds).ToArray();

        // 30 s with an event every 1–10 s.
        Assert.InRange(first.Length, 3, 29);
        Assert.InRange(second.Length, 3, 29);
        Assert.All(first.Zip(first.Skip(1)), pair => Assert.InRange(pair.Second - pair.First, 1_000 * Ms, 10_002 * Ms));
    }

    [Theory]
    [InlineData("1pct:replace:5ms", ImpairmentAction.ReorderReplace, 0.01)]
    [InlineData("0.1pct:add:5ms", ImpairmentAction.ReorderAdd, 0.001)]
    [InlineData("1pct:ahead:3", ImpairmentAction.ReorderAhead, 0.01)]
    public void Chance_MillionPackets_ChoosesTheShareAskedFor(string reorder, ImpairmentAction action, double probability)
    {
        LinkEmulator emulator = new(Settings("delay 20us", $"reorder {reorder}", "seed 21"), default);
        for (int i = 0; i < 1_000_000; i++)
        {
            emulator.Offer(new LinkPacket { LengthBytes = 100 }, new(i * Us));
            while (emulator.TryTake(new(i * Us), out _))
            {
            }
        }

        Binomial.AssertPlausible(emulator.Counts(LinkDirection.Out)[action], 1_000_000, probability);
    }
}
