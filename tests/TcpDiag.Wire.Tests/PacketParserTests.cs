using System;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wire.Tests;

public sealed class PacketParserTests
{
    const string Client = "10.0.0.1";
    const string Server = "192.0.2.9";
    const string FiveVlanTags = "8100" + "0001" + "8100" + "0001" + "8100" + "0001" + "8100" + "0001" + "8100" + "0001";
    const string FourLabels = "00010040" + "00010040" + "00010040" + "00010040"; // none of them the bottom of the stack

    static FrameBuilder Tcp() => new FrameBuilder().Ip(Client, Server, ttl: 63, id: 0x1234)
        .Tcp(50000, 443).Seq(0x01020304).AckNumber(0x0A0B0C0D).Flags(FrameBuilder.Ack | FrameBuilder.Psh).Window(0x2000)
        .Payload(1, 2, 3, 4, 5);

    static ParsedPacket Parse(byte[] frame, LinkType link = LinkType.Ethernet, int originalLength = 0)
    {
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(frame, link, Math.Max(originalLength, frame.Length), ref packet));
        return packet;
    }

    static void AssertIsTheSegment(in ParsedPacket packet, byte[] frame)
    {
        Assert.True(packet.IsTcp);
        Assert.Equal(new Endpoint(IpAddress.FromIpv4(0x0A000001), 50000), new Endpoint(packet.Source, packet.SourcePort));
        Assert.Equal(new Endpoint(IpAddress.FromIpv4(0xC0000209), 443), new Endpoint(packet.Destination, packet.DestinationPort));
        Assert.Equal(0x01020304u, packet.Sequence.Value);
        Assert.Equal(0x0A0B0C0Du, packet.Acknowledgment.Value);
        Assert.Equal(TcpFlags.Ack | TcpFlags.Psh, packet.Flags);
        Assert.Equal(0x2000, packet.Window);
        Assert.Equal(5, packet.PayloadLength);
        Assert.Equal([1, 2, 3, 4, 5], packet.CapturedPayload(frame).ToArray());
    }

    // 14 Ethernet: destination 02…, source 02…, type 0800. 20 IPv4: 45 00, total 45 = 0x2D, id 1234, DF, TTL 63, TCP.
    // 20 TCP: ports C350 01BB, sequence, acknowledgment, data offset 5, PSH ACK = 18, window 2000. 5 payload, 1 padding.
    [Fact]
    public void TryParse_HandComputedFrame_GivesEveryField()
    {
        byte[] frame = Convert.FromHexString(
            "020000000002020000000001" + "0800" +
            "4500002D1234400" + "03F06" + "0000" + "0A000001" + "C0000209" +
            "C35001BB" + "01020304" + "0A0B0C0D" + "5018" + "2000" + "0000" + "0000" +
            "0102030405" + "00");

        ParsedPacket packet = Parse(frame);

        AssertIsTheSegment(packet, frame);
        Assert.Equal(0x1234u, packet.IpId);
        Assert.Equal(63, packet.HopLimit);
        Assert.Equal(14, packet.NetworkOffset);
        Assert.Equal(34, packet.TransportOffset);
        Assert.Equal(54, packet.PayloadOffset);
        Assert.Equal(PacketTraits.HasTransport, packet.Traits);
    }

    public static TheoryData<LinkType, string> LinkHeaders => new()
    {
        { LinkType.Raw, string.Empty },
        { LinkType.RawBsd, string.Empty },
        { LinkType.Ipv4, string.Empty },
        { LinkType.Ethernet, "020000000002020000000001" + "0800" },
        { LinkType.Ethernet, "020000000002020000000001" + "8100" + "0064" + "0800" }, // 802.1Q, VLAN 100
        { LinkType.Ethernet, "020000000002020000000001" + "88A8" + "0001" + "8100" + "0064" + "0800" }, // QinQ
        { LinkType.Ethernet, "020000000002020000000001" + "8864" + "1100" + "0001" + "002F" + "0021" }, // PPPoE: session 1, 2 + 45 bytes, IPv4
        { LinkType.Ethernet, "020000000002020000000001" + "8100" + "0007" + "8864" + "1100" + "0001" + "002F" + "0021" }, // PPPoE in VLAN 7
        { LinkType.LinuxSll, "0000" + "0001" + "0006" + "020000000001" + "0000" + "8864" + "1100" + "0001" + "002F" + "0021" },
        { LinkType.Ethernet, "020000000002020000000001" + "8847" + "00010140" }, // MPLS: label 16, bottom of stack, TTL 64
        { LinkType.Ethernet, "020000000002020000000001" + "8848" + "00010040" + "00011140" }, // label 16, then 17 at the bottom
        { LinkType.Ethernet, "020000000002020000000001" + "0035" + "AAAA03000000" + "0800" }, // 802.3 length 53, LLC/SNAP
        { LinkType.LinuxSll, "0000" + "0001" + "0006" + "020000000001" + "0000" + "0800" },
        { LinkType.LinuxSll, "0000" + "0001" + "0006" + "020000000001" + "0000" + "8100" + "0064" + "0800" },
        { LinkType.LinuxSll2, "0800" + "0000" + "00000002" + "0001" + "00" + "06" + "0200000000010000" },
        { LinkType.Null, "02000000" }, // little-endian
        { LinkType.Null, "00000002" }, // big-endian
        { LinkType.Loop, "00000002" },
        { LinkType.Ieee80211, "0801" + "0000" + "020000000001020000000002020000000003" + "0000" + "AAAA03000000" + "0800" }, // data, to DS
        { LinkType.Ieee80211, "8802" + "0000" + "020000000001020000000002020000000003" + "0000" + "0000" + "AAAA03000000" + "0800" }, // QoS data
        { LinkType.Ieee80211, "0803" + "0000" + "020000000001020000000002020000000003" + "0000" + "020000000004" + "AAAA03000000" + "0800" }, // four addresses
        { LinkType.Ieee80211, "8883" + "0000" + "020000000001020000000002020000000003" + "0000" + "020000000004" + "0000" + "00000000"
            + "AAAA03000000" + "0800" }, // … QoS, HT control
        { LinkType.Ieee80211, "8801" + "0000" + "020000000001020000000002020000000003" + "0000" + "8000"
            + "020000000001020000000002" + "0035" + "AAAA03000000" + "0800" }, // A-MSDU
        { LinkType.Ieee80211Radiotap, "00000800" + "00000000" + "0801" + "0000" + "020000000001020000000002020000000003" + "0000" + "AAAA03000000" + "0800" },

        // Radiotap with TSFT (8 bytes) and flags 0x20: the 26 bytes of the QoS header are padded to 28.
        { LinkType.Ieee80211Radiotap, "00001100" + "03000000" + "0000000000000000" + "20" + "8801" + "0000"
            + "020000000001020000000002020000000003" + "0000" + "0000" + "0000" + "AAAA03000000" + "0800" },
    };

    [Theory]
    [MemberData(nameof(LinkHeaders))]
    public void TryParse_AnyLinkHeader_FindsTheSegment(LinkType link, string header)
    {
        byte[] frame = [.. Convert.FromHexString(header), .. Tcp().RawIp().Build()];
        AssertIsTheSegment(Parse(frame, link), frame);
    }

    [Theory]
    [InlineData(LinkType.Ethernet, "020000000002020000000001" + "0806")] // ARP
    [InlineData(LinkType.Ethernet, "020000000002020000000001" + FiveVlanTags + "0800")]
    [InlineData(LinkType.Ethernet, "020000000002020000000001" + "0035" + "424203")] // spanning tree
    [InlineData(LinkType.Ethernet, "020000000002020000000001" + "8863" + "1109" + "0000" + "0000" + "0021")] // PPPoE discovery
    [InlineData(LinkType.Ethernet, "020000000002020000000001" + "8864" + "11A7" + "0001" + "002F" + "0021")] // code of discovery
    [InlineData(LinkType.Ethernet, "020000000002020000000001" + "8864" + "1100" + "0001" + "002F" + "C021")] // PPP link control
    [InlineData(LinkType.Ethernet, "020000000002020000000001" + "8847" + "00010140" + "00000000")] // a pseudowire's control word
    [InlineData(LinkType.Ethernet, "020000000002020000000001" + "8847" + FourLabels + FourLabels + FourLabels + FourLabels + "00010140")]
    [InlineData(LinkType.LinuxSll, "0000")]
    [InlineData(LinkType.Null, "07000000")] // another family
    [InlineData(LinkType.Ieee80211, "8000" + "0000" + "020000000001020000000002020000000003" + "0000" + "AAAA03000000" + "0800")] // beacon
    [InlineData(LinkType.Ieee80211, "4801" + "0000" + "020000000001020000000002020000000003" + "0000" + "AAAA03000000" + "0800")] // null data
    [InlineData(LinkType.Ieee80211Radiotap, "0000FFFF" + "00000000")] // a header longer than the frame
    [InlineData((LinkType)9999, "")]
    public void TryParse_NoIp_IsFalse(LinkType link, string header)
    {
        byte[] frame = [.. Convert.FromHexString(header), .. Tcp().RawIp().Build()];
        var packet = default(ParsedPacket);
        Assert.False(PacketParser.TryParse(frame, link, ref packet));
    }

    [Fact]
    public void TryParse_Ipv4Options_FindsTheSegmentBehindThem()
    {
        byte[] frame = Tcp().Ipv4Options(7, 7, 4, 0, 0, 0, 0, 0).Build(); // record route, one entry
        ParsedPacket packet = Parse(frame);
        AssertIsTheSegment(packet, frame);
        Assert.Equal(PacketTraits.HasTransport | PacketTraits.HasIpOptions, packet.Traits);
        Assert.Equal(14 + 28, packet.TransportOffset);
    }

    [Fact]
    public void TryParse_FirstFragment_HasPortsAndItsOwnPayload()
    {
        byte[] frame = Tcp().Fragment(0, more: true).Build();
        ParsedPacket packet = Parse(frame);
        AssertIsTheSegment(packet, frame);
        Assert.Equal(PacketTraits.HasTransport | PacketTraits.IsFragment, packet.Traits);
    }

    [Theory]
    [InlineData(Client, Server)]
    [InlineData("2001:db8::1", "2001:db8::2")]
    public void TryParse_LaterFragment_HasNoPorts(string source, string destination)
    {
        byte[] frame = new FrameBuilder().Ip(source, destination).Tcp(1, 2).Fragment(1480, more: true).Build();
        ParsedPacket packet = Parse(frame);
        Assert.False(packet.IsTcp);
        Assert.Equal(IpProtocol.Tcp, packet.Protocol);
        Assert.Equal(0, packet.SourcePort);
        Assert.NotEqual(PacketTraits.None, packet.Traits & PacketTraits.IsFragment);
    }

    [Fact]
    public void TryParse_Ipv6WithExtensionHeaders_FindsTheSegment()
    {
        byte[] frame = new FrameBuilder().Ip("2001:db8::1", "2001:db8::2", ttl: 7, id: 9)
            .Ipv6Extension(0, 5, 2, 0, 0) // hop-by-hop: router alert
            .Ipv6Extension(60, 1, 4, 0, 0, 0, 0) // destination options: padding
            .Ipv6Extension(43, 0, 0, 0, 0) // routing
            .Fragment(0, more: true)
            .Tcp(50000, 443).Payload(9, 8).Build();

        ParsedPacket packet = Parse(frame);

        Assert.True(packet.IsTcp);
        Assert.Equal(50000, packet.SourcePort);
        Assert.Equal(2, packet.PayloadLength);
        Assert.Equal(9u, packet.IpId);
        Assert.Equal(7, packet.HopLimit);
        Assert.Equal(PacketTraits.HasTransport | PacketTraits.IsIpv6 | PacketTraits.IsFragment | PacketTraits.HasIpOptions, packet.Traits);
        Assert.Equal("2001:db8::1", packet.Source.ToString());
    }

    // RFC 4302: the length counts 32-bit words beyond two: 4 → 24 bytes.
    [Fact]
    public void TryParse_Ipv6AuthenticationHeader_IsSkipped()
    {
        byte[] segment = Tcp().RawIp().Build()[20..];
        byte[] header = Convert.FromHexString("6000000000003340" + "20010DB8000000000000000000000001" + "20010DB8000000000000000000000002");
        byte[] authentication = [6, 4, .. new byte[22]];
        byte[] frame = [.. header, .. authentication, .. segment];
        frame[5] = (byte)(authentication.Length + segment.Length);

        ParsedPacket packet = Parse(frame, LinkType.Raw);

        Assert.True(packet.IsTcp);
        Assert.Equal(64, packet.TransportOffset);
        Assert.Equal(5, packet.PayloadLength);
    }

    [Theory]
    [InlineData(Client, Server)]
    [InlineData("2001:db8::1", "2001:db8::2")]
    public void TryParse_OffloadedSegment_TakesLengthFromFrame(string source, string destination)
    {
        byte[] frame = new FrameBuilder().Ip(source, destination).Tcp(1, 2).PayloadLength(4000).Offloaded().Build();
        int header = frame.Length - 4000;

        ParsedPacket packet = Parse(frame[..(header + 10)], originalLength: frame.Length);

        Assert.True(packet.IsTcp);
        Assert.Equal(4000, packet.PayloadLength);
        Assert.NotEqual(PacketTraits.None, packet.Traits & PacketTraits.LengthFromFrame);
    }

    [Fact]
    public void TryParse_CutBySnapLength_KeepsTheLengthOfTheWire()
    {
        byte[] frame = new FrameBuilder().Ip(Client, Server).Tcp(1, 2).PayloadLength(1000).Build();
        byte[] cut = frame[..60];
        ParsedPacket packet = Parse(cut, originalLength: frame.Length);
        Assert.Equal(1000, packet.PayloadLength);
        Assert.Equal(6, packet.CapturedPayload(cut).Length); // 60 − 14 − 20 − 20
    }

    [Fact]
    public void TryParse_Udp_HasPortsAndLength()
    {
        byte[] frame = new FrameBuilder().Ip(Client, Server).Udp(5353, 53).Payload(1, 2, 3).Build();
        ParsedPacket packet = Parse([.. frame, 0, 0, 0]); // padding
        Assert.True(packet.IsUdp);
        Assert.Equal(5353, packet.SourcePort);
        Assert.Equal(53, packet.DestinationPort);
        Assert.Equal(3, packet.PayloadLength);
    }

    [Theory]
    [InlineData(0x4F)] // data offset 4 words
    [InlineData(0xF0)] // 15 words, more than there is
    public void TryParse_ImpossibleDataOffset_IsIpWithoutTransport(int dataOffset)
    {
        byte[] frame = Tcp().Build();
        frame[34 + 12] = (byte)dataOffset;
        Assert.False(Parse(frame).IsTcp);
    }

    [Fact]
    public void TryParse_ShortPath_AgreesWithTheGeneralOne()
    {
        byte[] frame = Tcp().Timestamps(7, 8).Build();
        ParsedPacket general = Parse([.. Convert.FromHexString("020000000002020000000001" + "8100" + "0064"), .. frame[12..]]);
        ParsedPacket quick = Parse(frame);
        general.NetworkOffset -= 4;
        general.TransportOffset -= 4;
        general.PayloadOffset -= 4;
        general.Options.SackOffset = quick.Options.SackOffset;
        Assert.Equal(general, quick);
    }

    [Fact]
    public void TryParse_EveryCutAndMutation_NeverThrows()
    {
        var mutator = new Mutator(20260101);
        byte[] segment = Tcp().Mss(1460).Sack(1, 2, 3, 4).RawIp().Build();
        byte[][] seeds = LinkHeaders.Select(row => (byte[])[.. Convert.FromHexString((string)row[1]), .. segment]).ToArray();
        LinkType[] links = LinkHeaders.Select(row => (LinkType)row[0]).ToArray();
        int parsed = 0;
        for (int i = 0; i < 20_000; i++)
        {
            byte[] frame = mutator.Mutate(seeds[i % seeds.Length]);
            var packet = default(ParsedPacket);
            if (PacketParser.TryParse(frame, links[i % links.Length], ref packet))
            {
                parsed++;
                Assert.True(packet.PayloadLength >= 0);
                Assert.True(packet.CapturedPayload(frame).Length <= frame.Length);
                Assert.True(packet.Options.SackBlocks == 0 || SackBlock.Read(frame, packet.Options, packet.Options.SackBlocks - 1) is { });
            }
        }

        Assert.True(parsed > 1000);
    }

    [Fact]
    public void TryParse_ManyPackets_AllocatesNothing()
    {
        byte[] frame = Tcp().Timestamps(1, 2).Build();
        var packet = default(ParsedPacket);
        long min = long.MaxValue;
        for (int round = 0; round < 5; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 1000; i++)
            {
                _ = PacketParser.TryParse(frame, LinkType.Ethernet, ref packet);
            }

            min = Math.Min(min, GC.GetAllocatedBytesForCurrentThread() - before); // the runtime allocates while it recompiles
        }

        Assert.Equal(0, min);
    }
}
