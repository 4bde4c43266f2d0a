using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Delivery;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>Memory follows open connections: nothing per packet, little per ended connection.</summary>
[Collection(nameof(Alone))]
public sealed class MemoryTests
{
    static SegmentObservers Followers => new(new LimitTracker(AnalysisOptions.Default, null), new PatternTracker(), []);

    // Each segment clears one, and the runtime clears no more without a call.
    [Fact]
    public void Segment_IsClearedWithoutACall() => Assert.InRange(Unsafe.SizeOf<Segment>(), 1, 128);

    // What is kept for a connection is fetched as a whole, up to 1 kB of each.
    [Fact]
    public void PooledStates_AreFetchedWhole() => Assert.InRange(
        Math.Max(Math.Max(Unsafe.SizeOf<SenderLimits>(), Unsafe.SizeOf<LossRecovery>()), Unsafe.SizeOf<ConnectionState>()), 1, 1024 - 56);

    [Fact]
    public void OnSegment_ConnectionExists_AllocatesNothing()
    {
        var table = new ConnectionTable(1, AnalysisOptions.Default, Followers);
        byte[] data = FromClient(1, 1, 1000).Build();
        byte[] acknowledgment = FromServer(1, 1001).Build();
        uint at = 0;
        Exchange(table, data, acknowledgment, ref at, 100); // makes the connection, its flight and its histogram

        // The runtime itself allocates now and then while it recompiles; what the code allocates, it allocates every time.
        long min = long.MaxValue;
        for (int round = 0; round < 5; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            Exchange(table, data, acknowledgment, ref at, 10_000);
            min = Math.Min(min, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, min);
    }

    // There may be a hundred thousand of each: the garbage collector would go through all of them (PoolChunk).
    [Fact]
    public void StateOfEveryConnection_HasNoReferences() => Assert.Equal(
        (false, false, false, false, false, false),
        (RuntimeHelpers.IsReferenceOrContainsReferences<ConnectionState>(), RuntimeHelpers.IsReferenceOrContainsReferences<Flight>(),
            RuntimeHelpers.IsReferenceOrContainsReferences<SenderLimits>(), RuntimeHelpers.IsReferenceOrContainsReferences<DeliveryRate>(),
            RuntimeHelpers.IsReferenceOrContainsReferences<SlowStartWatch>(), RuntimeHelpers.IsReferenceOrContainsReferences<PatternState>()));

    [Fact]
    public void EndedConnections_AreFolded()
    {
        var table = new ConnectionTable(1, AnalysisOptions.Default, Followers);
        var packet = default(ParsedPacket);
        for (int i = 0; i < 100_000; i++)
        {
            // Ten thousand connections a second, each refused at once.
            var time = new TraceTime(i * 100_000L);
            byte[] syn = FromClient((uint)i, 0, flags: FrameBuilder.Syn).Ip($"10.1.{i >> 8 & 0xFF}.{i & 0xFF}", "10.0.0.2").Tcp((ushort)(i >> 16), 443).Build();
            _ = PacketParser.TryParse(syn, LinkType.Ethernet, ref packet);
            table.OnSegment(packet, syn, syn.Length, time, time, i);
            (packet.Source, packet.Destination) = (packet.Destination, packet.Source);
            (packet.SourcePort, packet.DestinationPort) = (packet.DestinationPort, packet.SourcePort);
            packet.Flags = TcpFlags.Rst | TcpFlags.Ack;
            table.OnSegment(packet, syn, syn.Length, time, time, i);
        }

        Assert.Equal(100_000, table.Count);
        Assert.InRange(table.Held, 1, 20_100); // those of the last two seconds
        Assert.Equal(100_000, table.Finish(new TraceTime(10_000_000_000)).Count);
    }

    [Fact]
    public void OpenConnections_WithDataBothWays_TakeAboutAKilobyteEach()
    {
        const int connections = 50_000;
        var table = new ConnectionTable(1, AnalysisOptions.Default, new Nobody()); // without observers
        byte[] data = FromClient(1, 1, 100).Build();
        byte[] answer = FromServer(1, 101, 200).Build();
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int round = 0; round < 20; round++)
        {
            Send(table, data, round, connections);
            Send(table, answer, round, connections);
        }

        long bytes = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.Equal(connections, table.Held);
        Assert.InRange(bytes / connections, 1, 1100);
    }

    // The same segment of every connection, told apart by their ports; a round trip takes 50 ms.
    static void Send(ConnectionTable table, byte[] frame, int round, int connections)
    {
        var packet = default(ParsedPacket);
        _ = PacketParser.TryParse(frame, LinkType.Ethernet, ref packet);
        bool isAnswer = packet.SourcePort == 443;
        packet.Sequence += round * (isAnswer ? 200 : 100);
        packet.Acknowledgment += round * (isAnswer ? 100 : 200);
        var time = new TraceTime((round * 100_000_000L) + (isAnswer ? 50_000_000 : 0));
        for (int i = 0; i < connections; i++)
        {
            ushort port = (ushort)(10_000 + i);
            packet.SourcePort = isAnswer ? packet.SourcePort : port;
            packet.DestinationPort = isAnswer ? port : packet.DestinationPort;
            table.OnSegment(packet, frame, frame.Length, time, time, i);
        }
    }

    static void Exchange(ConnectionTable table, byte[] data, byte[] acknowledgment, ref uint at, int times)
    {
        var packet = default(ParsedPacket);
        for (int i = 0; i < times; i++, at += 1000)
        {
            _ = PacketParser.TryParse(data, LinkType.Ethernet, ref packet);
            packet.Sequence += unchecked((int)at);
            table.OnSegment(packet, data, data.Length, new TraceTime(at * 1000L), new TraceTime(at * 1000L), i);
            _ = PacketParser.TryParse(acknowledgment, LinkType.Ethernet, ref packet);
            packet.Acknowledgment += unchecked((int)at);
            table.OnSegment(packet, acknowledgment, acknowledgment.Length, new TraceTime((at * 1000L) + 20_000), new TraceTime((at * 1000L) + 20_000), i);
        }
    }

    sealed class Nobody : IDirectionObserver
    {
        public void OnSegment(ref ConnectionState connection, int from, ref EndState sender, ref EndState receiver, in Segment segment)
        {
        }

        public void Prefetch(in ConnectionState connection)
        {
        }

        public void Close()
        {
        }

        public void OnPredicted(ref ConnectionState connection, int from, ref EndState sender, ref EndState receiver, in Segment segment)
        {
        }

        public SequenceNumber CoalescingLimit(in EndState sender, in EndState receiver) => sender.Send.Space.SndMax;

        public void OnCoalesced(ref EndState sender, ref EndState receiver, in Segment segment, int lastPayload)
        {
        }

        public bool IsAtSender(ref readonly ConnectionState connection, int from) => false;

        public bool OnSenderHere(ref readonly ConnectionState connection, int from) => false;

        public void OnScaleShown(ref readonly ConnectionState connection, int from)
        {
        }

        public long? SenderDelay(ref readonly ConnectionState connection, int from) => null;

        public void OnClockStep(ref ConnectionState connection, TraceTime time)
        {
        }

        public void OnTooBig(ref ConnectionState connection, int from, int mtu, TracePosition position)
        {
        }

        public DirectionMeasures Measure(ref readonly ConnectionState connection, int from, in DirectionFacts facts, TraceTime end, bool isOver) => default;

        public void OnClosed(ref ConnectionState connection, Connection result)
        {
        }
    }
}
