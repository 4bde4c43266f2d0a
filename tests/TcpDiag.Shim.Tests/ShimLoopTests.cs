using System;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>The packet loop over a port in memory: no rights needed.</summary>
public class ShimLoopTests
{
    // 10.0.0.1:4660 → 10.0.0.2:443, TCP, ECT(0), 44 bytes.
    static readonly byte[] Packet = Convert.FromHexString("4502002c00004000400626c80a0000010a000002123401bb0000000100000002501001000000000061626364");

    static ShimLoop NewLoop(FakePort port, string match, params string[] options)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split(' ', 2);
            parser.Set(option, parts[0], parts[1]);
        }

        EmulatorSettings settings = parser.Build().Settings;
        ShimLoop loop = new(port, MatchParser.Parse(match), settings, new ShimClock(TimeProvider.System), new DelayErrorStatistics(), 2048);
        port.WhenDone = loop.Stop;
        return loop;
    }

    [Fact]
    public void Run_EveryPacket_IsCompletedExactlyOnce()
    {
        FakePort port = new(Packet, 10_000);
        ShimLoop loop = NewLoop(port, "tcp", "loss 10pct", "duplicate 5pct", "reorder 5pct:add:1ms", "delay 1ms");
        loop.Run();
        long copies = Sum(loop, ImpairmentAction.ForwardCopy);

        Assert.Equal(10_000, port.Completed);
        Assert.Equal(copies, port.Copies);
        Assert.Equal(Sum(loop, ImpairmentAction.DropLoss), port.Dropped);
        Assert.InRange(copies, 300, 600);
    }

    [Fact]
    public void Run_CorruptedPacketAndItsCopy_DifferFromTheOriginalInOneBit()
    {
        FakePort port = new(Packet, 1) { Sent = [] };
        NewLoop(port, "tcp", "corrupt every:1", "duplicate every:1").Run();

        Assert.Equal(2, port.Sent.Count);
        Assert.All(port.Sent, sent => Assert.Equal(1, DifferingBits(sent)));
    }

    [Theory]
    [InlineData("corrupt every:4", 25)]
    [InlineData("loss every:4", 0)]
    public void Run_PacketsThatAreChanged_AreMadeWholeBefore(string option, int prepared)
    {
        FakePort port = new(Packet, 200);
        NewLoop(port, "out", option).Run();

        Assert.Equal(prepared, port.Prepared);
    }

    [Fact]
    public void Run_PortInDoubt_IsVoid()
    {
        using CancellationTokenSource stop = new();
        FakePort port = new(Packet, 10) { Doubt = "It may have lost packets.", WhenDone = stop.Cancel };
        ShimOptions options = new() { TimeLimit = TimeSpan.FromMinutes(1) };
        ShimReport report = ShimRun.Run(port, MatchParser.Parse("udp"), new ImpairmentOptionsParser().Build(), options, stop.Token);

        Assert.Equal("It may have lost packets.", report.Fault);
    }

    [Fact]
    public void Run_NotMatched_PassesUntouched()
    {
        FakePort port = new(Packet, 100) { Sent = [] };
        ShimLoop loop = NewLoop(port, "udp", "loss 100pct");
        loop.Run();

        Assert.Equal(100, loop.Passed);
        Assert.All(port.Sent, sent => Assert.Equal(Packet, sent));
    }

    [Fact]
    public void Run_NoIpPacket_PassesUntouched()
    {
        FakePort port = new([0, 1, 2], 5);
        ShimLoop loop = NewLoop(port, "all", "loss 100pct");
        loop.Run();

        Assert.Equal((5, 0), (loop.Passed, port.Dropped));
    }

    [Fact]
    public void Run_AfterWarmUp_AllocatesNothingPerPacket()
    {
        long Allocated(int packets)
        {
            FakePort port = new(Packet, packets);
            ShimLoop loop = NewLoop(port, "tcp port 443 and host 10.0.0.0/8", "loss 1pct", "duplicate 1pct", "corrupt 1pct", "jitter 10us");
            long before = GC.GetAllocatedBytesForCurrentThread();
            loop.Run();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }

        // The buffers are allocated once, and now and then the runtime allocates a little for itself: so whole bytes per packet are counted.
        Allocated(1_000);
        Assert.Equal(0, (Allocated(105_000) - Allocated(5_000)) / 100_000);
    }

    [Fact]
    public void Ring_Full_CountsWhatItCannotHold()
    {
        DecisionRing ring = new();
        for (int i = 0; i < (1 << 17) + 3; i++)
        {
            ring.Record(new ImpairmentDecision(default, i, 0, 0, default, 0, ImpairmentAction.Forward, 0, 0));
        }

        int kept = 0;
        bool inOrder = true;
        while (ring.TryTake(out ImpairmentDecision decision))
        {
            inOrder &= decision.PacketId == kept++;
        }

        Assert.Equal((1 << 17, 3, true), (kept, ring.Lost, inOrder));
    }

    static long Sum(ShimLoop loop, ImpairmentAction action) =>
        loop.Emulator.Counts(LinkDirection.Out)[action] + loop.Emulator.Counts(LinkDirection.In)[action];

    static int DifferingBits(byte[] sent)
    {
        int bits = 0;
        for (int i = 0; i < Packet.Length; i++)
        {
            bits += int.PopCount(sent[i] ^ Packet[i]);
        }

        return bits;
    }
}
