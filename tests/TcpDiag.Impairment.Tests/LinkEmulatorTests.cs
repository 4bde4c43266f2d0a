using System;
using System.Collections.Generic;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests;

public class LinkEmulatorTests
{
    // Everything at once, in both directions and both segments.
    static readonly string[] Everything =
    [
        "rate 20mbit", "burst 3kb", "buffer 20pkt", "ecn 5pkt", "rtt 8ms", "jitter 1ms:normal:reorder", "loss 2pct:corr:20pct", "loss ge:1pct:30pct",
        "reorder 2pct:replace:1ms", "reorder 2pct:add:3ms", "reorder 2pct:swap", "reorder 1pct:ahead:5", "reorder flush:10ms-50ms:4:2ms",
        "duplicate 3pct", "corrupt 1pct", "blackout 20ms+3ms/60ms", "loss behind:1pct", "delay behind:2ms", "duplicate behind:1pct", "rate behind:in:15mbit",
    ];

    // The same with links that are served: managed queues, changes, cross traffic, slots.
    static readonly string[] Served =
    [
        .. Everything, "aqm codel:1ms:10ms:ecn", "rate at:100ms:5mbit", "loss at:150ms:5pct", "cross out:cubic:2:5ms", "cross in:cbr:2mbit",
        "slot in:1ms-3ms:4",
        "aggregate out:500us:3", "overhead ethernet", "rate behind:out:12mbit", "aqm behind:out:fq_codel", "aqm behind:in:pie:1ms:5ms",
    ];

    static VirtualLink RunEverything(ulong seed, int packets, bool isServed = false)
    {
        VirtualLink link = new([.. isServed ? Served : Everything, $"seed {seed}"]);
        for (int i = 0; i < packets; i++)
        {
            link.Offer(i * 300 * Us, 200 + (i % 1200), (uint)(i % 3), (LinkDirection)(i % 2), (EcnCodepoint)(i % 4));
        }

        return link;
    }

    [Fact]
    public void Run_SameSeed_WritesTheSameLog() => Assert.Equal(RunEverything(7, 5_000).Drain().Log(), RunEverything(7, 5_000).Drain().Log());

    [Fact]
    public void RunServed_SameSeed_WritesTheSameLog() =>
        Assert.Equal(RunEverything(7, 5_000, isServed: true).Drain().Log(), RunEverything(7, 5_000, isServed: true).Drain().Log());

    [Fact]
    public void Run_OtherSeed_WritesAnotherLog() => Assert.NotEqual(RunEverything(7, 500).Drain().Log(), RunEverything(8, 500).Drain().Log());

    [Fact]
    public void Run_OneImpairmentMore_LeavesTheOthersDecisionsAlone()
    {
        string[] losses = ["delay 1ms", "loss 5pct"];
        VirtualLink plain = SendThousand(losses);
        VirtualLink more = SendThousand([.. losses, "jitter 200us", "duplicate 5pct", "corrupt 5pct", "reorder 5pct:add:1ms", "loss in:9pct"]);

        Assert.Equal(Lost(plain), Lost(more));
        static long[] Lost(VirtualLink link) =>
            link.Decisions.Where(d => d.Action == ImpairmentAction.DropLoss && d.Direction == LinkDirection.Out).Select(d => d.PacketId).ToArray();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Run_Late_DecidesTheSame(bool isServed)
    {
        // Asked only every 10 ms the emulator gives longer delays, but decides and asks for the same.
        HashSet<(long, LinkDirection, ImpairmentAction, long)> Decide(long step)
        {
            Recorder recorder = new();
            LinkEmulator emulator = new(Settings([.. isServed ? Served : Everything]), default, recorder);
            for (long t = 0; t < 400 * Ms; t += 1 * Ms)
            {
                emulator.Offer(new LinkPacket { LengthBytes = 1000, FlowHash = 1 }, new(t));
                while (t % step == 0 && emulator.TryTake(new(t), out _))
                {
                }
            }

            while (emulator.TryTake(new(2_000 * Ms), out _))
            {
            }

            return recorder.Decisions.Where(d => d.Segment == 0).Select(d => (d.PacketId, d.Direction, d.Action, d.DelayAskedNanos)).ToHashSet();
        }

        Assert.Equal(Decide(1 * Ms), Decide(10 * Ms));
    }

    [Fact]
    public void Property_EveryPacketIsAccountedFor() => Prop.ForAll<int, byte, bool>((seed, count, isServed) =>
    {
        VirtualLink link = RunEverything((ulong)(uint)seed, count * 8, isServed);
        bool balanced = Balanced(link, LinkDirection.Out, count * 4) && Balanced(link, LinkDirection.In, count * 4);
        link.Drain();
        return balanced
            && link.Holds.Values.All(held => held == 0)
            && link.Emulator.Counts(LinkDirection.Out).UnderWay == 0
            && Ends(link).Count == count * 8;
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Property_WithoutReordering_FirstInIsFirstOut() => Prop.ForAll<int, byte>((seed, count) =>
    {
        VirtualLink link = new(
            "rate 10mbit", "burst 5kb", "rtt 10ms", "jitter 3ms:pareto", "loss 5pct", "buffer 10pkt", "duplicate 5pct",
            "delay behind:1ms", "jitter behind:1ms:normal", $"seed {(uint)seed}");
        for (int i = 0; i < count; i++)
        {
            link.Offer(i * 200 * Us, 100 + (i % 1400));
        }

        long[] order = link.Drain().ArrivalOrder();
        return order.SequenceEqual(order.Order());
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("codel")]
    [InlineData("pie")]
    public void Property_ManagedQueue_KeepsTheOrder(string queue) => Prop.ForAll<int, byte>((seed, count) =>
    {
        VirtualLink link = new(
            "rate 8mbit", $"aqm {queue}:1ms:10ms", "rtt 10ms", "jitter 3ms", "rate at:30ms:2mbit", "delay at:20ms:1ms", "cross cubic:2:5ms", "slot 1ms-2ms:3",
            "aggregate 3ms:5", $"seed {(uint)seed}");
        for (int i = 0; i < count * 4; i++)
        {
            link.Offer(i * 200 * Us, 100 + (i % 1400));
        }

        long[] order = link.Drain().ArrivalOrder();
        return order.SequenceEqual(order.Order());
    }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Run_AfterWarmUp_AllocatesNothing(bool isServed)
    {
        DelayErrorStatistics sink = new();
        LinkEmulator emulator = new(Settings([.. isServed ? Served : Everything]), default, sink);
        SendOn(emulator, 0, 50_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        SendOn(emulator, 50_000, 50_000);

        // Whole bytes per packet: now and then the runtime allocates a little for itself, while it recompiles.
        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / 50_000);
        Assert.True(sink.Count > (isServed ? 20_000 : 50_000));
    }

    [Fact]
    public void Offer_EmulatorFull_DropsAndSaysSo()
    {
        EmulatorSettings settings = Settings("delay 1ms", "duplicate every:2") with { CapacityPackets = 4 };
        VirtualLink link = new(settings);
        for (int i = 0; i < 10; i++)
        {
            link.Offer(0);
        }

        link.Drain();

        // 1, 2 and its copy, 3 fill it; of 4 to 10 nothing is duplicated.
        Assert.Equal([1, 2, 2, 3], link.ArrivalOrder());
        Assert.Equal(7, link.Emulator.Counts(LinkDirection.Out)[ImpairmentAction.DropCapacity]);
        Assert.All(link.Holds.Values, held => Assert.Equal(0, held));
    }

    [Fact]
    public void Duplicate_Copy_LeavesRightBehindItsOriginal()
    {
        VirtualLink link = new("delay 1ms", "duplicate every:2");
        link.Offer(0);
        link.Offer(0);
        link.Offer(0);
        link.Drain();

        Assert.Equal([1, 2, 2, 3], link.ArrivalOrder());
        Assert.Equal(PacketMarks.Copy, link.Arrivals[2].Marks);
        Assert.Equal(1, link.Decisions.Count(d => d.Action == ImpairmentAction.ForwardCopy));
    }

    [Fact]
    public void Observer_SeesPacketsBetweenTheSegments()
    {
        Observations seen = new();
        VirtualLink link = new(Settings("delay 2ms", "reorder behind:every:2:add:5ms", "delay behind:1ms"), seen);
        link.Offer(0);
        link.Offer(0);
        link.Offer(1 * Ms);
        link.Drain();

        // In front of the observation point the order is untouched, behind it packet 2 comes last.
        Assert.Equal([(1L, 2 * Ms), (2L, 2 * Ms), (3L, 3 * Ms)], seen.At(ObservationPoint.Between));
        Assert.Equal([(1L, 3 * Ms), (3L, 4 * Ms), (2L, 8 * Ms)], seen.At(ObservationPoint.Egress));
        Assert.Equal([(1L, 0L), (2L, 0L), (3L, 1 * Ms)], seen.At(ObservationPoint.Ingress));
    }

    [Fact]
    public void TryTake_Late_ErrorIsGivenMinusAsked()
    {
        VirtualLink link = new("delay 2ms");
        link.Offer(1 * Ms);
        link.Emulator.TryTake(new(5 * Ms), out _);

        ImpairmentDecision decision = Assert.Single(link.Decisions);
        Assert.Equal((2 * Ms, 2 * Ms), (decision.DelayAskedNanos, decision.DelayErrorNanos));
    }

    static VirtualLink SendThousand(string[] options)
    {
        VirtualLink link = new(options);
        for (int i = 0; i < 1000; i++)
        {
            link.Offer(i * 100 * Us);
        }

        return link.Drain();
    }

    static bool Balanced(VirtualLink link, LinkDirection direction, long offered)
    {
        DecisionCounts counts = link.Emulator.Counts(direction);
        return counts.Offered == offered && counts.UnderWay >= 0;
    }

    // A packet ends when it leaves, or is dropped; with copies it ends more than once.
    static HashSet<(LinkDirection, long)> Ends(VirtualLink link) => link.Decisions
        .Where(d => d.Action.IsDrop() || d.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy)
        .Select(d => (d.Direction, d.PacketId))
        .ToHashSet();

    static void SendOn(LinkEmulator emulator, int first, int count)
    {
        for (int i = first; i < first + count; i++)
        {
            TraceTime now = new(i * 300 * Us);
            emulator.Offer(new LinkPacket { LengthBytes = 1000, FlowHash = (uint)i, Direction = (LinkDirection)(i % 2), Ecn = EcnCodepoint.Ect0 }, now);
            while (emulator.TryTake(now, out _))
            {
            }
        }
    }

    sealed class Recorder : IDecisionSink
    {
        public List<ImpairmentDecision> Decisions { get; } = [];

        public void Record(in ImpairmentDecision decision) => Decisions.Add(decision);
    }

    sealed class Observations : IPacketObserver
    {
        readonly List<(ObservationPoint Point, long Id, long Time)> _seen = [];

        public (long Id, long Time)[] At(ObservationPoint point) => _seen.Where(s => s.Point == point).Select(s => (s.Id, s.Time)).ToArray();

        public void OnPacket(ObservationPoint point, in LinkPacket packet, TraceTime time) => _seen.Add((point, packet.Id, time.Nanoseconds));
    }
}
