using System;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wire.Tests;

/// <summary>Reports of routers that a packet was too big, and what is none.</summary>
public sealed class PacketTooBigTests
{
    static readonly byte[] Quoted = new FrameBuilder().RawIp().Ip("10.0.0.1", "10.0.0.2").Tcp(50000, 443).PayloadLength(1460).Build();
    static readonly byte[] QuotedIpv6 = new FrameBuilder().RawIp().Ip("fd00::1", "fd00::2").Tcp(50000, 443).PayloadLength(1440).Build();

    // RFC 1191 §4: the MTU is in the last two of the eight bytes.
    [Fact]
    public void Ipv4_FragmentationNeeded_NamesConnectionAndMtu()
    {
        PacketTooBig? report = Read(new FrameBuilder().Ip("10.9.9.9", "10.0.0.1").Icmp([3, 4, 0, 0, 0, 0, 0x05, 0x78, .. Quoted.AsSpan(0, 28)]));
        Assert.Equal(new PacketTooBig(EndpointOf("10.0.0.1", 50000), EndpointOf("10.0.0.2", 443), 1400), report);
    }

    // RFC 4443 §3.2: four bytes.
    [Fact]
    public void Ipv6_PacketTooBig_NamesConnectionAndMtu()
    {
        PacketTooBig? report = Read(new FrameBuilder().Ip("fd00::9", "fd00::1").Icmp([2, 0, 0, 0, 0, 0, 0x05, 0x00, .. QuotedIpv6.AsSpan(0, 48)]));
        Assert.Equal(new PacketTooBig(EndpointOf("fd00::1", 50000), EndpointOf("fd00::2", 443), 1280), report);
    }

    [Theory]
    [InlineData(3, 1, 28)] // host unreachable
    [InlineData(8, 0, 28)] // echo request
    [InlineData(3, 4, 22)] // cut off before the ports
    [InlineData(3, 4, 0)]
    public void Others_AreNone(byte type, byte code, int quoted) => Assert.Null(
        Read(new FrameBuilder().Ip("10.9.9.9", "10.0.0.1").Icmp([type, code, 0, 0, 0, 0, 0x05, 0x78, .. Quoted.AsSpan(0, quoted)])));

    [Fact]
    public void Tcp_IsNone() => Assert.Null(Read(new FrameBuilder().PayloadLength(100)));

    static Endpoint EndpointOf(string address, ushort port) => new(IpAddress.TryParse(address, out IpAddress parsed) ? parsed : default, port);

    static PacketTooBig? Read(FrameBuilder builder)
    {
        byte[] frame = builder.Build();
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(frame, LinkType.Ethernet, ref packet));
        return PacketTooBig.TryRead(frame, packet, out PacketTooBig report) ? report : null;
    }
}
