using System;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests.Captures;

/// <summary>The headers that captures hold, read back by the parser of real ones.</summary>
public sealed class FrameWriterTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Data_HasItsNumbersAndRightChecksums(bool isIpv6)
    {
        SimulatedPacket packet = Packet(TcpFlags.Ack | TcpFlags.Psh, length: 100);
        packet.Ecn = 2;
        packet.Ack.Window = 1 << 20;
        (byte[] frame, ParsedPacket parsed) = Write(packet, new SimulatedFlow { IsIpv6 = isIpv6 });
        Assert.Equal((1_000u, 2_000u, TcpFlags.Ack | TcpFlags.Psh, 100),
            (parsed.Sequence.Value, parsed.Acknowledgment.Value, parsed.Flags, parsed.PayloadLength));
        Assert.Equal((1 << 20) >> 7, parsed.Window); // the sender offers a scale of 7
        Assert.Equal((50_000, 443), (parsed.SourcePort, parsed.DestinationPort));
        Assert.Equal(isIpv6 ? "fd00::1" : "10.0.0.1", parsed.Source.ToString());
        Assert.Equal((2, 64), (parsed.TrafficClass & 3, parsed.HopLimit));
        Assert.Equal(isIpv6 ? 0u : 7u, parsed.IpId);
        Assert.Equal((77u, 88u), (parsed.Options.TsVal, parsed.Options.TsEcr));
        Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyTransport(frame, parsed));
        Assert.True(isIpv6 || InternetChecksum.VerifyIpv4(frame, parsed) == ChecksumState.Correct);
    }

    [Fact]
    public void Syn_OffersWhatTheFlowHas()
    {
        SimulatedPacket packet = Packet(TcpFlags.Syn, length: 0);
        packet.Ack.Window = 65_535;
        ParsedPacket parsed = Write(packet, new SimulatedFlow()).Parsed;
        Assert.Equal((1_460, 7, 65_535), (parsed.Options.Mss, parsed.Options.WindowScale, parsed.Window));
        Assert.True(parsed.Options.Has(TcpOptionKinds.SackPermitted));
        Assert.Equal(0u, parsed.Acknowledgment.Value);
    }

    // 1500 − 40 − 20, and 12 of timestamps less in each segment.
    [Fact]
    public void Ipv6_HasTwentyBytesLess()
    {
        SimulatedFlow flow = new() { IsIpv6 = true };
        Assert.Equal(1_440, Write(Packet(TcpFlags.Syn, length: 0), flow).Parsed.Options.Mss);
        Assert.Equal(1_428, flow.Smss);
    }

    [Fact]
    public void Sack_BlocksAreThere()
    {
        SimulatedPacket packet = Packet(TcpFlags.Ack, length: 0);
        packet.IsFromSender = false;
        packet.Ack.Add(new SackBlock(new(10), new(20)));
        packet.Ack.Add(new SackBlock(new(30), new(40)));
        packet.Ack.Add(new SackBlock(new(50), new(60)));
        (byte[] frame, ParsedPacket parsed) = Write(packet, new SimulatedFlow());
        Assert.Equal(3, parsed.Options.SackBlocks);
        Assert.Equal(new SackBlock(new(50), new(60)), SackBlock.Read(frame, parsed.Options, 2));
        Assert.Equal(443, parsed.SourcePort);
    }

    [Fact]
    public void HeaderBytes_AreThoseWritten()
    {
        SimulatedPacket packet = Packet(TcpFlags.Ack, length: 0);
        packet.Ack.Add(new SackBlock(new(10), new(20)));
        Assert.Equal(20 + 12 + 12, FrameWriter.HeaderBytes(packet));
        Assert.Equal(14 + 20 + 44, Write(packet, new SimulatedFlow()).Frame.Length);
    }

    static SimulatedPacket Packet(TcpFlags flags, int length) => new()
    {
        IsFromSender = true,
        Flags = flags,
        Seq = new(1_000),
        Length = length,
        TsVal = 77,
        IpId = 7,
        Ack = new() { Una = new(2_000), HasTimestamps = true, TsEcr = 88 },
    };

    static (byte[] Frame, ParsedPacket Parsed) Write(SimulatedPacket packet, SimulatedFlow flow)
    {
        byte[] room = new byte[2_000];
        int length = flow.Frames().Write(packet, room) + packet.Length; // the payload is zeros, as the room is
        ParsedPacket parsed = default;
        Assert.True(PacketParser.TryParse(room.AsSpan(0, length), LinkType.Ethernet, length, ref parsed));
        return (room[..length], parsed);
    }
}
