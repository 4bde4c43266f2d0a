using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.EtlPackets;

public sealed class VmSwitchAndWanPacketTests
{
    const ulong WholeReceive = 0x4000_0000 | 0x8000_0000 | 0x2_0000_0000;

    static readonly byte[] Frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1000, 2000).PayloadLength(20).Build();

    [Fact]
    public void VmSwitch_NoDestinations_GivesPortVlanAndHash()
    {
        // Slot 4 holds VLAN 42 above four bits of priority, slot 8 the hash.
        EventBytes seen = Port(destinations: 0).U32((uint)Frame.Length).Bytes(Frame).U32(9 * 8).U64(0, 0, 0, 0, 42 << 4 | 5, 0, 0, 0, 0xCAFE);

        PacketRun run = PacketRun.Over(seen);

        Assert.Equal(Frame, Assert.Single(run.Packets).Data);
        Assert.Equal("vNIC:Synthetic:Port A:9:42", run.Map.Interfaces[0].Name);
        Assert.Equal("LWF over IfIndex 8 VlanID=42", run.Map.Interfaces[0].Description);
        Assert.Equal("VlanId=42 SrcPortId=3 SrcNicType=Synthetic SrcNicName=Nic A SrcPortName=Port A DstNicCount=0 HashValue=0000cafe", run.Packets[0].Note);
    }

    [Fact]
    public void VmSwitch_32BitRecord_HasSlotsOfFourBytes()
    {
        EventBytes seen = Port(destinations: 0).As32Bit().U32((uint)Frame.Length).Bytes(Frame).U32(5 * 4).U32(0, 0, 0, 0, 7 << 4);

        Assert.Equal("vNIC:Synthetic:Port A:9:7", PacketRun.Over(seen).Map.Interfaces[0].Name);
    }

    [Fact]
    public void VmSwitch_UnknownDestinations_AreSteppedOver()
    {
        EventBytes seen = Port(destinations: 2).U32(11).Text("Port B").U32(12).Text("Port C")
            .U32((uint)Frame.Length).Bytes(Frame).U32(0);

        Assert.Equal(Frame, Assert.Single(PacketRun.Over(seen).Packets).Data);
    }

    [Fact]
    public void VmSwitch_NothingFitsBehindDestinations_IsDamaged()
    {
        PacketRun run = PacketRun.Over(Port(destinations: 2).Bytes(new byte[41]));

        Assert.Empty(run.Packets);
        Assert.Equal(1, run.Scan.DamagedEvents);
    }

    [Theory]
    [InlineData(5001, PacketDirection.Outbound)]
    [InlineData(5002, PacketDirection.Inbound)]
    public void NdisWan_Packet_HasNoMarksAndIsWhole(int id, PacketDirection direction)
    {
        PacketRun run = PacketRun.Over(EventBytes.NdisWan((ushort)id).Text("{domain}").Text("alice").U32((uint)Frame.Length).Bytes(Frame));

        SeenPacket packet = Assert.Single(run.Packets);
        Assert.Equal(Frame, packet.Data);
        Assert.Equal(direction, packet.Direction);
        Assert.Equal(LinkType.Ethernet, packet.LinkType);
        Assert.Equal("Rras:0:{domain}:alice", run.Map.Interfaces[0].Name);
    }

    [Fact]
    public void NdisWan_TextWithoutEnd_IsDamaged()
    {
        PacketRun run = PacketRun.Over(EventBytes.NdisWan(5001).U16('a', 'b', 'c'));

        Assert.Equal(1, run.Scan.DamagedEvents);
    }

    static EventBytes Port(uint destinations) => EventBytes.Ndis(1003, WholeReceive)
        .U32(8, 9, 3).Text("Port A").Text("Nic A").Text("Synthetic").U32(destinations);
}
