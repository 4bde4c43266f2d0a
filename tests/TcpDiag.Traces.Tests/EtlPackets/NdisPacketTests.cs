using System;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.EtlPackets;

public sealed class NdisPacketTests
{
    const ulong Start = 0x4000_0000;
    const ulong End = 0x8000_0000;
    const ulong Whole = Start | End;
    const ulong Send = 0x1_0000_0000;
    const ulong Receive = 0x2_0000_0000;
    const ulong Truncated = 0x200_0000;
    const ulong Native80211 = 0x1_0000;
    const ulong WirelessWan = 0x200;
    const ulong Channel = 0x8000_0000_0000_0000;

    static readonly byte[] Frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1000, 2000).PayloadLength(20).Build();

    [Fact]
    public void Packet_StartAndEndInOneEvent_IsToldAsItIs()
    {
        PacketRun run = PacketRun.Over(Packet(7, 7, Whole | Send | Channel, Frame).At(12));

        SeenPacket packet = Assert.Single(run.Packets);
        Assert.Equal(Frame, packet.Data);
        Assert.Equal(Frame.Length, packet.OriginalLength);
        Assert.Equal(PacketDirection.Outbound, packet.Direction);
        Assert.Equal(1200, packet.TimeNanos);
        Assert.Equal("eth:7:0", run.Map.Interfaces[0].Name);
        Assert.Equal(1, run.Scan.Packets);
    }

    [Fact]
    public void Packet_FlowWordsBehindIt_AreNoPartOfIt()
    {
        // Build 17763 and later: 16 bytes follow the packet.
        PacketRun run = PacketRun.Over(Packet(7, 7, Whole | Receive, Frame).U64(1, 2));

        Assert.Equal(Frame, Assert.Single(run.Packets).Data);
    }

    [Fact]
    public void Fragments_OfTwoProcessors_AreJoinedEach()
    {
        byte[] other = new FrameBuilder().Ip("10.0.0.3", "10.0.0.4").Tcp(3, 4).PayloadLength(9).Build();
        PacketRun run = PacketRun.Over(
            Packet(7, 7, Start | Send, Frame.AsSpan(0, 30)).At(1, processor: 0),
            Packet(7, 7, Start | Receive, other.AsSpan(0, 20)).At(2, processor: 1),
            Packet(7, 7, Send, Frame.AsSpan(30, 10)).At(3, processor: 0),
            Packet(7, 7, End | Receive, other.AsSpan(20)).At(4, processor: 1),
            Packet(7, 7, End | Send, Frame.AsSpan(40)).At(5, processor: 0));

        Assert.Equal([other, Frame], run.Packets.Select(packet => packet.Data));
        Assert.Equal([400L, 500L], run.Packets.Select(packet => packet.TimeNanos));
        Assert.Equal(0, run.Decoder.IncompletePackets);
        Assert.Equal(2, run.Scan.Packets);
    }

    [Fact]
    public void Fragments_NewStartWhileOneIsOpen_CountsTheOpenOne()
    {
        PacketRun run = PacketRun.Over(
            Packet(7, 7, Start | Send, Frame.AsSpan(0, 30)),
            Packet(7, 7, Start | Send, Frame.AsSpan(0, 40)),
            Packet(7, 7, End | Send, Frame.AsSpan(40)));

        Assert.Equal(Frame, Assert.Single(run.Packets).Data);
        Assert.Equal(1, run.Decoder.IncompletePackets);
    }

    [Fact]
    public void Fragments_EndWithoutStart_IsLeftOutAndCounted()
    {
        PacketRun run = PacketRun.Over(Packet(7, 7, End | Send, Frame));

        Assert.Empty(run.Packets);
        Assert.Equal(1, run.Decoder.IncompletePackets);
    }

    [Fact]
    public void Fragments_NeverEnded_IsCounted()
    {
        PacketRun run = PacketRun.Over(Packet(7, 7, Start | Send, Frame));

        Assert.Empty(run.Packets);
        Assert.Equal(1, run.Decoder.IncompletePackets);
    }

    [Fact]
    public void Fragments_MoreThanAnyPacketHas_AreGivenUp()
    {
        byte[] big = new byte[60_000];
        EventBytes[] events = [Packet(7, 7, Start, big), .. Enumerable.Range(0, 6).Select(_ => Packet(7, 7, 0, big)), Packet(7, 7, End, big)];

        PacketRun run = PacketRun.Over(events);

        // Given up at the fifth fragment (300,000 > 262,144); its end then finds nothing open.
        Assert.Empty(run.Packets);
        Assert.Equal(2, run.Decoder.IncompletePackets);
    }

    [Fact]
    public void Layers_AdapterItselfCaptured_OthersAreRepeats()
    {
        PacketRun run = PacketRun.Over(
            Packet(7, 12, Whole | Send, Frame),
            Packet(7, 9, Whole | Send, Frame),
            Packet(7, 7, Whole | Send, Frame),
            Packet(5, 6, Whole | Send, Frame));

        Assert.Equal(["eth:6:0", "eth:7:0", "eth:9:0", "eth:12:0"], run.Map.Interfaces.Select(i => i.Name));
        Assert.Equal(["LWF over IfIndex 5", null, "LWF over IfIndex 7", "LWF over IfIndex 7"], run.Map.Interfaces.Select(i => i.Description));
        Assert.Equal([true, true, false, false], run.Packets.Select(packet => packet.IsRepeat));
    }

    [Fact]
    public void Native80211_ProtectedBit_IsCleared()
    {
        byte[] frame = Wifi(0x08, 0x41);

        SeenPacket packet = Assert.Single(PacketRun.Over(Packet(3, 3, Whole | Receive | Native80211, frame)).Packets);

        Assert.Equal(LinkType.Ieee80211, packet.LinkType);
        Assert.Equal(0x01, packet.Data[1]);
        Assert.Equal(frame.AsSpan(2).ToArray(), packet.Data.AsSpan(2).ToArray());
    }

    [Theory]
    [InlineData(0x08, 0x01, 32)] // 24 + 8 (LLC/SNAP)
    [InlineData(0x88, 0x01, 34)] // + 2 (QoS)
    public void Native80211_CutFrame_GetsItsLengthFromIp(byte type, byte flags, int headers)
    {
        byte[] frame = Wifi(type, flags);

        SeenPacket packet = Assert.Single(PacketRun.Over(Packet(3, 3, Whole | Receive | Native80211, frame.AsSpan(0, headers + 40))).Packets);

        // IPv4 20 + TCP 20 + 100 payload behind the 802.11 and LLC headers
        Assert.Equal(headers + 140, packet.OriginalLength);
    }

    [Fact]
    public void Metadata_BeforePacket_BecomesItsNote()
    {
        EventBytes metadata = EventBytes.Ndis(1002, Receive).U32(3, 3, 48)
            .U32(0).U32(0x10, 7, 5180).U16(3, 0).U32(unchecked((uint)-61)).Bytes([108]).Bytes(new byte[23]);

        PacketRun run = PacketRun.Over(metadata, Packet(3, 3, Whole | Receive, Frame), Packet(3, 3, Whole | Receive, Frame));

        Assert.Equal("Packet Metadata: ReceiveFlags:0x10, PhyId:7, CenterCh:5180, NumMPDUsReceived:3, RSSI:-61, DataRate:108", run.Packets[0].Note);
        Assert.Equal(string.Empty, run.Packets[1].Note);
    }

    [Fact]
    public void WirelessWan_Packet_BeginsWithIp()
    {
        byte[] packet = new FrameBuilder().RawIp().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).PayloadLength(200).Build();

        PacketRun run = PacketRun.Over(Packet(4, 4, Whole | Send | WirelessWan, packet.AsSpan(0, 60)));

        Assert.Equal(LinkType.Raw, run.Packets[0].LinkType);
        Assert.Equal(240, run.Packets[0].OriginalLength); // 20 + 20 + 200, no link header
        Assert.Equal("mbb:4", run.Map.Interfaces[0].Name);
    }

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.2", 14 + 20 + 20 + 1000)]
    [InlineData("fe80::1", "fe80::2", 14 + 40 + 20 + 1000)]
    public void CutFrame_Ethernet_GetsItsLengthFromIp(string source, string destination, int expected)
    {
        byte[] frame = new FrameBuilder().Ip(source, destination).Tcp(1, 2).PayloadLength(1000).Build();

        SeenPacket packet = Assert.Single(PacketRun.Over(Packet(7, 7, Whole | Send | Truncated, frame.AsSpan(0, 80))).Packets);

        Assert.Equal(expected, packet.OriginalLength);
        Assert.False(packet.IsLengthMissing);
    }

    [Fact]
    public void CutFrame_VlanTag_IsPartOfTheLength()
    {
        byte[] frame = new FrameBuilder().Vlan(5).Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).PayloadLength(1000).Build();

        Assert.Equal(18 + 20 + 20 + 1000, PacketRun.Over(Packet(7, 7, Whole | Send, frame.AsSpan(0, 80))).Packets[0].OriginalLength);
    }

    [Theory]
    [InlineData(Truncated | Send, true)]
    [InlineData(Send, false)] // not cut: the bytes are all there
    [InlineData(Truncated | Receive, false)] // offload is for sending
    public void OffloadedFrame_CutOnTheWayOut_MissesItsLength(ulong keywords, bool isMissing)
    {
        byte[] frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).PayloadLength(9000).Offloaded().Build();

        SeenPacket packet = Assert.Single(PacketRun.Over(Packet(7, 7, Whole | keywords, frame.AsSpan(0, 120))).Packets);

        Assert.Equal(isMissing, packet.IsLengthMissing);
        Assert.Equal(120, packet.OriginalLength);
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(4u)]
    public void Payload_ShorterThanItSays_IsCountedAsDamaged(uint missing)
    {
        EventBytes hostile = EventBytes.Ndis(1001, Whole).U32(7, 7, missing == 0 ? uint.MaxValue : (uint)Frame.Length + missing).Bytes(Frame);

        PacketRun run = PacketRun.Over(hostile, EventBytes.Ndis(1001, Whole).U16(1));

        Assert.Empty(run.Packets);
        Assert.Equal(2, run.Scan.DamagedEvents);
    }

    [Fact]
    public void Interfaces_BeyondAnyRealNumber_AreNotAdded()
    {
        EventBytes[] events = [.. Enumerable.Range(0, 5000).Select(i => Packet(1, (uint)i, Whole, Frame))];

        Assert.Equal(4096, PacketRun.Over(events).Map.Interfaces.Count);
    }

    static EventBytes Packet(uint miniport, uint lower, ulong keywords, ReadOnlySpan<byte> frame) =>
        EventBytes.Ndis(1001, keywords).U32(miniport, lower, (uint)frame.Length).Bytes(frame);

    // Data frame to the access point (To DS) with 100 bytes of TCP payload.
    static byte[] Wifi(byte type, byte flags)
    {
        byte[] ip = new FrameBuilder().RawIp().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).PayloadLength(100).Build();
        byte[] qos = (type & 0x80) != 0 ? [0, 0] : [];
        return [type, flags, .. new byte[22], .. qos, 0xAA, 0xAA, 3, 0, 0, 0, 8, 0, .. ip];
    }
}
