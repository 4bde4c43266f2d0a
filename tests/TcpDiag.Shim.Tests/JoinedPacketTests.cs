using System.Collections.Generic;
using System.Linq;
using TcpDiag.Shim.Bridge;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>Packets that were handed over as one, taken apart: what a network card makes of them.</summary>
public class JoinedPacketTests
{
    static byte[] Payload(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)(i * 7))];

    static FrameBuilder Tcp(string source, string destination) => new FrameBuilder().RawIp().Ip(source, destination, id: 500)
        .Tcp(4000, 80).Seq(uint.MaxValue - 1000).Timestamps(1, 2).Flags(FrameBuilder.Ack | FrameBuilder.Psh | FrameBuilder.Fin | FrameBuilder.Cwr);

    static List<(byte[] Packet, ParsedPacket Headers)> TakeApart(byte[] packet, int segmentBytes)
    {
        JoinedPacket joined = new();
        Assert.True(joined.TryLoad(packet, segmentBytes));
        List<(byte[] Packet, ParsedPacket Headers)> parts = [];
        byte[] buffer = new byte[2048];
        while (joined.HasNext)
        {
            byte[] part = buffer[..joined.Next(buffer)];
            ParsedPacket headers = default;
            Assert.True(PacketParser.TryParse(part, LinkType.Raw, ref headers));
            parts.Add((part, headers));
        }

        return parts;
    }

    static byte[] PayloadOf((byte[] Packet, ParsedPacket Headers) part) => part.Packet[part.Headers.PayloadOffset..];

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.2")]
    [InlineData("fd00::1", "fd00::2")]
    public void TryLoad_Tcp_GivesWholeSegmentsInOrder(string source, string destination)
    {
        byte[] payload = Payload(3000);
        List<(byte[] Packet, ParsedPacket Headers)> parts = TakeApart(Tcp(source, destination).Payload(payload).Build(), 1400);

        Assert.Equal([1400, 1400, 200], parts.Select(part => part.Headers.PayloadLength));
        Assert.Equal(payload, parts.SelectMany(PayloadOf));

        // The sequence number wraps behind the first.
        Assert.Equal([uint.MaxValue - 1000, 399, 1799], parts.Select(part => part.Headers.Sequence.Value));
        Assert.All(parts, part => Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyTransport(part.Packet, in part.Headers)));
    }

    [Fact]
    public void TryLoad_TcpIpv4_CountsIdentificationsAndKeepsHeadersRight()
    {
        List<(byte[] Packet, ParsedPacket Headers)> parts = TakeApart(Tcp("10.0.0.1", "10.0.0.2").Payload(Payload(3000)).Build(), 1400);

        Assert.Equal([500, 501, 502], parts.Select(part => (part.Packet[4] << 8) | part.Packet[5]));
        Assert.All(parts, part => Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyIpv4(part.Packet, in part.Headers)));

        // CWR with the first, FIN and PSH with the last.
        Assert.Equal([0x90, 0x10, 0x19], parts.Select(part => (int)part.Packet[part.Headers.TransportOffset + 13]));
    }

    [Fact]
    public void TryLoad_Udp_GivesDatagrams()
    {
        byte[] payload = Payload(1000);
        byte[] packet = new FrameBuilder().RawIp().Ip("fd00::1", "fd00::2").Udp(4000, 443).Payload(payload).Build();
        List<(byte[] Packet, ParsedPacket Headers)> parts = TakeApart(packet, 600);

        Assert.Equal([600, 400], parts.Select(part => part.Headers.PayloadLength));
        Assert.Equal(payload, parts.SelectMany(PayloadOf));
        Assert.All(parts, part => Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyTransport(part.Packet, in part.Headers)));
    }

    [Fact]
    public void TryLoad_WhatCannotBeTakenApart_IsRefused()
    {
        JoinedPacket joined = new();
        Assert.False(joined.TryLoad(Tcp("10.0.0.1", "10.0.0.2").Payload(Payload(3000)).Build(), 0));
        Assert.False(joined.TryLoad(new FrameBuilder().RawIp().Icmp(8, 0, 0, 0).Build(), 1400));
        Assert.False(joined.TryLoad([0x45, 0], 1400));
        Assert.False(joined.HasNext);
    }

    [Fact]
    public void Next_PartLargerThanTheBuffer_IsLeftOut()
    {
        JoinedPacket joined = new();
        Assert.True(joined.TryLoad(Tcp("10.0.0.1", "10.0.0.2").Payload(Payload(3000)).Build(), 2000));
        Assert.Equal(0, joined.Next(new byte[1500]));
        Assert.Equal(1000, joined.Next(new byte[1500]) - 52);
        Assert.False(joined.HasNext);
    }
}
