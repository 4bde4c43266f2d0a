using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>Packets captured at several points of a machine or a network count once; retransmissions count.</summary>
public sealed class RepeatTests
{
    [Fact]
    public void Packet_AtTwoInterfaces_CountsOnce_ItsRetransmissionAgain()
    {
        MemoryTrace trace = new MemoryTrace();
        foreach (long time in new long[] { 0, 300_000 })
        {
            trace.Packet(time, FromClient(1, 1, 100).Ip("10.0.0.1", "10.0.0.2", id: 7), interfaceIndex: 0);
            trace.Packet(time + 5, FromClient(1, 1, 100).Ip("10.0.0.1", "10.0.0.2", ttl: 63, id: 7), interfaceIndex: 1);
        }

        TraceAnalysis analysis = trace.Analyze();
        Assert.Equal(2, analysis.RepeatedPackets);
        Assert.Equal(2, analysis.Connections.Single().FromClient.Packets);
        Assert.Equal(1, analysis.Connections.Single().FromClient.Retransmissions);
    }

    [Fact]
    public void Packet_AThousandOthersBetweenTwoInterfaces_CountsOnce()
    {
        MemoryTrace trace = new MemoryTrace();
        for (int at = 0; at < 2; at++)
        {
            for (int i = 0; i < 1000; i++)
            {
                trace.Packet((at * 10_000) + i, FromClient((uint)(1 + (i * 100)), 1, 100).Ip("10.0.0.1", "10.0.0.2", id: 7), interfaceIndex: at);
            }
        }

        TraceAnalysis analysis = trace.Analyze();
        Assert.Equal(1000, analysis.RepeatedPackets);
        Assert.Equal(1000, analysis.Connections.Single().FromClient.Packets);
    }

    [Fact]
    public void Packet_MarkedAsRepeat_IsLeftOut()
    {
        TraceAnalysis analysis = Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(30_001, FromClient(1, 1, 100), isRepeat: true).Analyze();
        Assert.Equal(1, analysis.RepeatedPackets);
        Assert.Equal(100, analysis.Connections.Single().FromClient.PayloadBytes);
    }

    // tcpdump -i any on a container host: a virtual port (7), its bridge (3) and the adapter (2), all "to us" for the first two.
    [Fact]
    public void Packet_OfThreeInterfacesInCookedHeaders_CountsOnce()
    {
        var trace = new MemoryTrace();
        for (uint i = 0; i < 20; i++)
        {
            foreach (byte number in new byte[] { 7, 3, 2 })
            {
                trace.Cooked((i * 100) + (10 - number), Sll2(number), Ipv6FromClient(1 + (i * 100)));
            }
        }

        AssertOnce(trace, repeated: 40, packets: 20);
    }

    // LINUX_SLL names no interface: virtual port and bridge look alike, the number of the packet tells that it is the same.
    [Fact]
    public void Packet_OfSeveralInterfacesUnderOneName_CountsOnce()
    {
        var trace = new MemoryTrace();
        for (ushort i = 0; i < 20; i++)
        {
            for (int at = 0; at < 3; at++)
            {
                trace.Cooked((i * 100) + at, Sll((byte)(at == 2 ? 4 : 0)), FromClient(1 + (i * 100u), 1, 100).Ip("10.0.0.1", "10.0.0.2", id: (ushort)(1 + i)));
            }
        }

        AssertOnce(trace, repeated: 40, packets: 20);
    }

    [Theory]
    [InlineData(63, 0)] // behind the router
    [InlineData(64, 5)] // in another VLAN
    public void Packet_OnBothSidesOfAMirroredRouter_CountsOnce(byte ttl, ushort vlan)
    {
        var trace = new MemoryTrace();
        for (uint i = 0; i < 20; i++)
        {
            FrameBuilder other = Ipv6FromClient(1 + (i * 100), ttl);
            trace.Packet(i * 100, Ipv6FromClient(1 + (i * 100))).Packet((i * 100) + 50, vlan == 0 ? other : other.Vlan(vlan));
        }

        AssertOnce(trace, repeated: 20, packets: 20);
    }

    // The same place, another IPv4 identification, another timestamp, or later than a router takes.
    [Theory]
    [InlineData(50, 64, 1, 5)]
    [InlineData(50, 63, 2, 5)]
    [InlineData(50, 63, 1, 6)]
    [InlineData(1_001, 63, 1, 5)]
    public void Retransmission_SoonAfter_Counts(long later, byte ttl, ushort id, uint tsVal)
    {
        TraceAnalysis analysis = new MemoryTrace()
            .Packet(0, FromClient(1, 1, 100).Ip("10.0.0.1", "10.0.0.2", id: 1).Timestamps(5, 9))
            .Packet(later, FromClient(1, 1, 100).Ip("10.0.0.1", "10.0.0.2", ttl, id).Timestamps(tsVal, 9))
            .Analyze();
        Assert.Equal(0, analysis.RepeatedPackets);
        Assert.Equal(2, analysis.Connections.Single().FromClient.Packets);
    }

    [Fact]
    public void Retransmission_OverIpv6WithoutTimestampsAtOnce_IsOne()
    {
        TraceAnalysis analysis = new MemoryTrace().Packet(0, Ipv6FromClient(1)).Packet(500, Ipv6FromClient(1)).Analyze();
        Assert.Equal(0, analysis.RepeatedPackets);
        Assert.Equal(1, analysis.Connections.Single().FromClient.Retransmissions);
    }

    // Each of two acknowledgments with the same numbers tells of another block.
    [Fact]
    public void Acknowledgments_WithOtherBlocks_AreNoRepeats()
    {
        TraceAnalysis analysis = new MemoryTrace()
            .Cooked(0, Sll(0), FromServer(1, 1).Timestamps(5, 9).Sack(unchecked(ClientIsn + 101), unchecked(ClientIsn + 201)))
            .Cooked(10, Sll(0), FromServer(1, 1).Timestamps(5, 9).Sack(unchecked(ClientIsn + 101), unchecked(ClientIsn + 301)))
            .Analyze();
        Assert.Equal(0, analysis.RepeatedPackets);
    }

    static void AssertOnce(MemoryTrace trace, int repeated, int packets)
    {
        TraceAnalysis analysis = trace.Analyze();
        ConnectionDirection direction = analysis.Connections.Single().FromClient;
        Assert.Equal(repeated, analysis.RepeatedPackets);
        Assert.Equal(packets, direction.Packets);
        Assert.Equal(packets * 100, direction.PayloadBytes);
        Assert.Equal(0, direction.Retransmissions);
    }

    static FrameBuilder Ipv6FromClient(uint seq, byte ttl = 64) => FromClient(seq, 1, 100).Ip("fd00::1", "fd00::2", ttl);

    static byte[] Sll2(byte number) => [0x86, 0xDD, 0, 0, 0, 0, 0, number, 0, 1, 0, 6, 2, 2, 2, 2, 2, 2, 0, 0];

    static byte[] Sll(byte kind) => [0, kind, 0, 1, 0, 6, 2, 2, 2, 2, 2, 2, 0, 0, 8, 0];
}
