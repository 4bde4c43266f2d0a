using System.Runtime.InteropServices;
using TcpDiag.Shim.Divert;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

/// <summary>The layout of WINDIVERT_ADDRESS, byte by byte.</summary>
public class DivertAddressTests
{
    [Fact]
    public void Size_IsThatOfTheStructure() => Assert.Equal(80, Marshal.SizeOf<DivertAddress>());

    [Fact]
    public void Network_Fields_AreWhereTheDriverPutsThem()
    {
        byte[] bytes = new byte[80];
        bytes[0] = 5;                // timestamp
        bytes[8] = 0;                // layer: network
        bytes[9] = 0;                // event: packet
        bytes[10] = 0b0001_0110;     // outbound, loopback, IPv6
        bytes[16] = 3;               // interface 3
        bytes[20] = 4;               // sub-interface 4
        DivertAddress address = MemoryMarshal.Read<DivertAddress>(bytes);

        Assert.Equal((5, DivertLayer.Network, DivertEvent.Packet), (address.Timestamp, address.Layer, address.Event));
        Assert.Equal((true, true, false, true, false), (address.IsOutbound, address.IsLoopback, address.IsImpostor, address.IsIpv6, address.HasChecksums));
        Assert.Equal(0x4_0000_0003UL, address.Interface);
    }

    [Fact]
    public void Flow_Fields_AreWhereTheDriverPutsThem()
    {
        byte[] bytes = new byte[80];
        bytes[8] = 2;                // layer: flow
        bytes[9] = 1;                // event: established
        bytes[32] = 77;              // process
        new byte[] { 2, 0, 0, 10, 0xFF, 0xFF }.CopyTo(bytes, 36); // ::ffff:10.0.0.2, lowest word first
        new byte[] { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xB8, 0x0D, 0x01, 0x20 }.CopyTo(bytes, 52); // 2001:db8::1
        bytes[68] = 0x90;            // local port 0x1F90 = 8080
        bytes[69] = 0x1F;
        bytes[70] = 0xBB;            // remote port 443
        bytes[71] = 0x01;
        bytes[72] = 6;               // TCP
        DivertAddress address = MemoryMarshal.Read<DivertAddress>(bytes);

        Assert.Equal((DivertLayer.Flow, DivertEvent.FlowEstablished, 77u), (address.Layer, address.Event, address.ProcessId));
        Assert.Equal(IpProtocol.Tcp, address.Flow.Protocol);
        Assert.Equal(("10.0.0.2", "2001:db8::1"), (address.Flow.Local.Address.ToString(), address.Flow.Remote.Address.ToString()));
        Assert.Equal((8080, 443), (address.Flow.Local.Port, address.Flow.Remote.Port));
    }

    [Theory]
    [InlineData("10.1.2.3")]
    [InlineData("2001:db8:1:2:3:4:5:6")]
    public void Flow_OfAnAddress_GivesItBack(string text)
    {
        Assert.True(IpAddress.TryParse(text, out IpAddress address));
        var ends = new FlowEnds(IpProtocol.Udp, new Endpoint(address, 1), new Endpoint(address, 2));
        Assert.Equal(ends, new DivertAddress { Flow = ends }.Flow);
    }

    [Fact]
    public void Flags_SetAndCleared_AreTheBitsOfTheDriver()
    {
        DivertAddress address = new() { IsOutbound = true, IsImpostor = true, HasChecksums = true, Event = DivertEvent.FlowDeleted, Layer = DivertLayer.Flow };
        Assert.Equal((uint)(2 | (2 << 8) | (1 << 17) | (1 << 19) | (7 << 21)), address.Bits);

        address.IsOutbound = address.IsImpostor = address.HasChecksums = false;
        Assert.Equal(2u | (2 << 8), address.Bits);
    }
}
