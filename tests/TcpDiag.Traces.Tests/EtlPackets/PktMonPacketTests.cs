using System;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.EtlPackets;

public sealed class PktMonPacketTests
{
    const ushort In = 1;
    const ushort Out = 2;
    const ushort Miniport = 2;
    const ushort Filter = 3;

    static readonly byte[] Frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1000, 2000).PayloadLength(20).Build();

    [Fact]
    public void Packet_AtComponents_IsOneWithItsAdapterCounting()
    {
        PacketRun run = PacketRun.Over(
            Packet(160, group: 5, appearance: 1, Out, component: 21),
            Packet(160, group: 5, appearance: 2, Out, component: 7),
            Component(7, Miniport, "Ethernet"),
            Component(21, Filter, "Filter"));

        Assert.Equal([5UL, 5UL], run.Packets.Select(packet => packet.PacketId));
        Assert.Equal([1, 2], run.Packets.Select(packet => (int)packet.Appearance));
        Assert.Equal([true, false], run.Packets.Select(packet => packet.IsRepeat));
        Assert.Equal(["Ethernet", "Filter"], run.Map.Interfaces.Select(i => i.Name));
    }

    [Theory]
    [InlineData(Out, false)] // it never reaches the adapter, so it counts here
    [InlineData(In, true)] // it was at the adapter before
    public void Drop_AboveTheAdapter_CountsOnTheWayOutOnly(ushort direction, bool isRepeat)
    {
        PacketRun run = PacketRun.Over(
            Packet(160, 1, 1, In, 7), Packet(170, 2, 1, direction, 21, reason: 8, location: 0xE0001001), Component(7, Miniport, "Ethernet"));

        Assert.Equal(isRepeat, run.Packets[1].IsRepeat);
        Assert.True(run.Packets[1].IsDropped);
        Assert.Equal(new PacketDrop(8, 0xE000_1001), run.Packets[1].Drop);
        Assert.Equal("component 21", run.Map.Interfaces[1].Name);
        Assert.Equal([0L, 1L], run.Map.Interfaces.Select(i => i.Dropped));
    }

    [Fact]
    public void Packet_WithoutRundown_CountsWhereItAppearsFirst()
    {
        PacketRun run = PacketRun.Over(Packet(160, 1, 1, Out, 21), Packet(160, 1, 2, Out, 7));

        Assert.Equal([false, true], run.Packets.Select(packet => packet.IsRepeat));
    }

    [Fact]
    public void Component_OnAVirtualSwitch_TellsItsName()
    {
        PacketRun run = PacketRun.Over(
            EventBytes.PktMon(73).U16(7, 3).Text("Default Switch"),
            Component(7, 2, "Adapter"),
            EventBytes.PktMon(160).U64(1).U16(1, 1, 1, 1, 7, 0, 0).U32(0, 0).U16((ushort)Frame.Length, (ushort)Frame.Length).Bytes(Frame));

        Assert.Equal("Adapter description (switch Default Switch)", run.Map.Interfaces[0].Description);
    }

    [Fact]
    public void Component_Rundown_GivesAddressesMacAndDropCounter()
    {
        PacketRun run = PacketRun.Over(
            Packet(160, 1, 1, In, 7),
            Component(7, Miniport, "Ethernet"),
            EventBytes.PktMon(65).U16(7, 13).Bytes([10, 77, 1, 2]),
            EventBytes.PktMon(66).U16(7, 13).Bytes([0xFE, 0x80, .. new byte[13], 1]),
            EventBytes.PktMon(70).U16(7, 6).U32(6).Bytes([2, 0x77, 0, 0, 0, 2]),
            EventBytes.PktMon(80).U16(7, 3).U64(4, 400).U16(4).U64(5, 500));

        TraceInterface made = Assert.Single(run.Map.Interfaces);
        Assert.Equal(["10.77.1.2", "fe80::1"], made.Addresses.Select(address => address.ToString()));
        Assert.Equal([2, 0x77, 0, 0, 0, 2], made.MacAddress);
        Assert.Equal("Ethernet description", made.Description);
        Assert.Equal(9, made.Dropped); // 4 in + 5 out
    }

    [Theory]
    [InlineData("NULL", "component 7")] // what build 20348 writes for none
    [InlineData("", "component 7")]
    [InlineData("NULL.sys", "NULL.sys")]
    public void Component_WithoutName_IsNamedByItsNumber(string name, string expected)
    {
        PacketRun run = PacketRun.Over(Packet(160, 1, 1, In, 7), EventBytes.PktMon(20).U16(7, Filter).Text(name).Text("NETVSCVFPP"));

        TraceInterface made = Assert.Single(run.Map.Interfaces);
        Assert.Equal(expected, made.Name);
        Assert.Equal("NETVSCVFPP", made.Description);
    }

    [Fact]
    public void Packet_IpPayload_IsAnInterfaceOfItsOwn()
    {
        PacketRun run = PacketRun.Over(Packet(160, 1, 1, In, 41, type: 1), Packet(160, 1, 2, In, 41, type: 3));

        Assert.Equal([LinkType.Ethernet, LinkType.Raw], run.Map.Interfaces.Select(i => i.LinkType));
        Assert.Equal([0, 1], run.Packets.Select(packet => packet.InterfaceIndex));
    }

    [Fact]
    public void Drop_SaidToBeWifiButEthernet_IsEthernet()
    {
        byte[] ipv6 = new FrameBuilder().Ip("2001:db8::1", "2001:db8::2").Tcp(1000, 2000).PayloadLength(20).Build();
        byte[] arp = [.. Frame.AsSpan(0, 12), 8, 6, 0, 1, 8, 0, 6, 4, 0, 1, .. new byte[20]];
        byte[] cut = Frame[..40];

        foreach (byte[] frame in (byte[][])[Frame, ipv6, arp, cut])
        {
            PacketRun run = PacketRun.Over(Wifi(170, frame, Frame.Length));

            Assert.Equal(LinkType.Ethernet, Assert.Single(run.Packets).LinkType);
            Assert.Equal(LinkType.Ethernet, Assert.Single(run.Map.Interfaces).LinkType);
            Assert.Equal(frame, run.Packets[0].Data);
        }
    }

    [Fact]
    public void Packet_Wifi_StaysWifi()
    {
        // QoS data to the distribution system; its second address holds what would be the EtherType of IPv4.
        byte[] frame = [0x88, 1, 0, 0, 2, 0, 0, 0, 0, 1, 2, 0, 8, 0, 0, 2, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0xAA, 0xAA, 3, 0, 0, 0, 8, 0, .. Frame.AsSpan(14)];

        foreach (byte[] wifi in (byte[][])[frame, frame[..30], Frame[..12]])
        {
            Assert.Equal(LinkType.Ieee80211, Assert.Single(PacketRun.Over(Wifi(170, wifi, wifi.Length)).Packets).LinkType);
        }
    }

    [Fact]
    public void Packet_FromAboveIp_IsCountedAndLeftOut()
    {
        PacketRun run = PacketRun.Over(Packet(160, 1, 1, In, 41, type: 5));

        Assert.Empty(run.Packets);
        Assert.Equal(1, run.Scan.NotFrames);
    }

    [Theory]
    [InlineData(0, PacketDirection.Unknown)]
    [InlineData(1, PacketDirection.Inbound)]
    [InlineData(2, PacketDirection.Outbound)]
    [InlineData(3, PacketDirection.Inbound)]
    [InlineData(4, PacketDirection.Outbound)]
    [InlineData(5, PacketDirection.Inbound)]
    [InlineData(6, PacketDirection.Outbound)]
    [InlineData(7, PacketDirection.Unknown)]
    public void Direction_Tag_IsOddForReceived(int tag, PacketDirection expected)
    {
        Assert.Equal(expected, PacketRun.Over(Packet(160, 1, 1, (ushort)tag, 7)).Packets[0].Direction);
    }

    [Fact]
    public void Packet_CutByPktMon_KeepsItsOriginalSize()
    {
        EventBytes cut = EventBytes.PktMon(160).U64(1).U16(1, 1, In, 1, 7, 1, 0).U32(0, 0).U16(1514, 60).Bytes(Frame.AsSpan(0, 60));

        SeenPacket packet = Assert.Single(PacketRun.Over(cut).Packets);

        Assert.Equal(60, packet.Data.Length);
        Assert.Equal(1514, packet.OriginalLength);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(34 + 59)]
    public void Payload_ShorterThanItSays_IsDamaged(int kept)
    {
        byte[] whole = [.. Enumerable.Repeat((byte)0, 32), 60, 0, .. Frame.AsSpan(0, 60)];

        PacketRun run = PacketRun.Over(EventBytes.PktMon(160).Bytes(whole.AsSpan(0, kept)));

        Assert.Empty(run.Packets);
        Assert.Equal(1, run.Scan.DamagedEvents);
    }

    [Fact]
    public void Rundown_CutAtEveryByte_IsReadAsFarAsItGoes()
    {
        byte[] mac = [7, 0, 6, 0, 6, 0, 0, 0, 2, 0x77, 0, 0, 0, 2];
        for (int length = 0; length < mac.Length; length++)
        {
            PacketRun run = PacketRun.Over(Packet(160, 1, 1, In, 7), EventBytes.PktMon(70).Bytes(mac.AsSpan(0, length)));
            Assert.Empty(run.Map.Interfaces[0].MacAddress);
        }
    }

    static EventBytes Component(ushort id, ushort type, string name) =>
        EventBytes.PktMon(20).U16(id, type).Text(name).Text(name + " description");

    static EventBytes Wifi(ushort id, byte[] data, int size) =>
        EventBytes.PktMon(id).U64(1).U16(1, 1, Out, 2, 7, 1, 0).U32(8, 0xE0001001).U16((ushort)size, (ushort)data.Length).Bytes(data);

    static EventBytes Packet(ushort id, ulong group, ushort appearance, ushort direction, ushort component, ushort type = 1, uint reason = 0, uint location = 0)
    {
        ReadOnlySpan<byte> data = type == 1 ? Frame : Frame.AsSpan(14);
        return EventBytes.PktMon(id).U64(group).U16(1, appearance, direction, type, component, 1, 0)
            .U32(reason, location).U16((ushort)data.Length, (ushort)data.Length).Bytes(data);
    }
}

public sealed class PktMonNamesTests
{
    [Theory]
    [InlineData(8u, 26100, "Filtered")]
    [InlineData(201u, 26100, "Pause")]
    [InlineData(404u, null, "VMBusError")]
    [InlineData(101u, 17763, "Pause")] // numbered 101 in the first build
    [InlineData(204u, 17763, "VMBusError")] // numbered 204 in the first build
    [InlineData(101u, 26100, null)]
    public void ReasonOf_Number_DependsOnTheFirstBuild(uint reason, int? build, string? expected) =>
        Assert.Equal(expected, PktMonNames.ReasonOf(reason, build));

    [Fact]
    public void Describe_UnknownNumbers_ShowsThem() =>
        Assert.Equal("reason (99999@0x00000007)", PktMonNames.Describe(new PacketDrop(99999, 7), 26100));

    [Fact]
    public void Describe_KnownNumbers_NamesThem() =>
        Assert.Equal("Filtered at NDIS_FAKE_FILTER_SEND (8@0xE0001001)", PktMonNames.Describe(new PacketDrop(8, 0xE000_1001), null));
}
