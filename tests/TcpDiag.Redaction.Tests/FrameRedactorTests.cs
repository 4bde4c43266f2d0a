using System;
using System.Linq;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Redaction.Packets;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Redaction.Tests;

public sealed class FrameRedactorTests : IDisposable
{
    const string Client = "192.168.1.10";
    const string Server = "198.51.100.7";

    readonly Pseudonyms _names = new(TestKeys.First);

    public void Dispose() => _names.Dispose();

    [Fact]
    public void Redact_Tcp_LosesItsPayloadAndItsAddresses()
    {
        byte[] frame = new FrameBuilder().Ip(Client, Server, id: 7).Tcp(50_000, 443).Seq(1000).AckNumber(2000).Timestamps(5, 6)
            .Payload("secret"u8.ToArray()).Build();
        (ParsedPacket before, ParsedPacket after, byte[] redacted) = Redact(frame);
        Assert.Equal(_names.Map(before.Source), after.Source);
        Assert.Equal(_names.Map(before.Destination), after.Destination);
        Assert.Equal(
            (before.SourcePort, before.DestinationPort, before.Sequence, before.Acknowledgment, before.PayloadLength, before.IpId),
            (after.SourcePort, after.DestinationPort, after.Sequence, after.Acknowledgment, after.PayloadLength, after.IpId));
        Assert.Equal((5u, 6u), (after.Options.TsVal, after.Options.TsEcr));
        Assert.False(redacted.AsSpan(after.PayloadOffset).ContainsAnyExcept((byte)0));
        Assert.False(redacted.AsSpan(0, 12).SequenceEqual(frame.AsSpan(0, 12)));
    }

    [Theory]
    [InlineData("224.10.0.1", true)]
    [InlineData("239.10.0.1", true)]
    [InlineData("233.10.0.1", false)]
    [InlineData("234.10.0.1", false)]
    public void Redact_ToAGroup_LinkAddressGoesWithTheGroup(string group, bool stays)
    {
        byte[] frame = new FrameBuilder().Ip(Client, group).Udp(5000, 5000).Build();
        Convert.FromHexString("01005E0A0001").CopyTo(frame, 0);
        (_, ParsedPacket after, byte[] redacted) = Redact(frame);

        Assert.Equal(stays, Convert.ToHexString(redacted.AsSpan(0, 6)) is "01005E0A0001");
        Assert.Equal(0x01_005E00_0000 | (after.Destination.Low & 0x7F_FFFF), LinkAddressMap.Read(redacted));
    }

    [Theory]
    [InlineData(Client, Server)]
    [InlineData("2001:db8::10", "2001:db8:1::7")]
    public void Redact_Checksums_StayWhatTheyWere(string source, string destination)
    {
        byte[] right = new FrameBuilder().Ip(source, destination).Tcp(1, 2).Payload(1, 2, 3).Build();
        int field = right.Length - 3 - 4; // urgent pointer behind it, then three bytes of payload
        byte[] wrong = [.. right];
        wrong[field] ^= 0x40;
        byte[] zero = [.. right];
        zero.AsSpan(field, 2).Clear();
        Assert.Equal(ChecksumState.Correct, StateOf(Redact(right)));
        Assert.Equal(ChecksumState.Wrong, StateOf(Redact(wrong)));
        Assert.Equal(ChecksumState.NotFilledIn, StateOf(Redact(zero)));
    }

    [Fact]
    public void Redact_PartialChecksumOfAnOffload_StaysPartial()
    {
        byte[] frame = new FrameBuilder().Ip(Client, Server).Tcp(1, 2).Payload(1, 2, 3, 4).Build();
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(frame, LinkType.Ethernet, ref packet));
        ushort pseudo = InternetChecksum.PseudoHeader(packet.Source, packet.Destination, IpProtocol.Tcp, 24);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(packet.TransportOffset + 16), pseudo);
        Assert.Equal(ChecksumState.NotFilledIn, StateOf(Redact(frame)));
    }

    [Fact]
    public void Redact_CutFrame_GetsTheChecksumOfZeros()
    {
        byte[] frame = new FrameBuilder().Ip(Client, Server).Tcp(1, 2).Payload("0123456789"u8.ToArray()).Build();
        byte[] cut = frame[..^10];
        new FrameRedactor(_names).Redact(cut, LinkType.Ethernet, frame.Length);
        byte[] filled = [.. cut, .. new byte[10]];
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(filled, LinkType.Ethernet, ref packet));
        Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyTransport(filled, packet));
    }

    [Fact]
    public void Redact_TcpOptions_KeepWhatTheAnalysisReads()
    {
        byte[] frame = new FrameBuilder().Ip(Client, Server).Tcp(1, 2).Mss(1460).WindowScale(7)
            .TcpOption(34, 9, 8, 7, 6, 5, 4).TcpOption(30, 0x30, 10, 0, 0, 7, 1).Build();
        (_, ParsedPacket after, byte[] redacted) = Redact(frame);
        Assert.Equal((1460, 7), (after.Options.Mss, after.Options.WindowScale));
        Assert.True(after.Options.Kinds.HasFlag(TcpOptionKinds.FastOpen | TcpOptionKinds.Multipath));
        Assert.DoesNotContain("090807060504", Convert.ToHexString(redacted), StringComparison.Ordinal);
    }

    [Fact]
    public void Redact_DnsAnswer_StillNamesTheServer()
    {
        byte[] message =
        [
            0, 1, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0, 3, .. "www"u8, 7, .. "example"u8, 0, 0, 1, 0, 1,
            0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 198, 51, 100, 7,
            0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 7, 6, .. "secret"u8,
        ];
        byte[] frame = new FrameBuilder().Ip(Server, Client).Udp(53, 40_000).Payload(message).Build();
        (_, ParsedPacket after, byte[] redacted) = Redact(frame);
        Assert.True(DnsReader.TryCreate(after.CapturedPayload(redacted), out DnsReader reader));
        Span<char> name = stackalloc char[DnsReader.MaxNameLength];
        Assert.True(reader.TryReadQuestion(name, out DnsQuestion question));
        byte[] www = "www"u8.ToArray();
        byte[] example = "example"u8.ToArray();
        _names.ReplaceLabel(www);
        _names.ReplaceLabel(example);
        Assert.Equal($"{Encoding.ASCII.GetString(www)}.{Encoding.ASCII.GetString(example)}", name[..question.NameLength].ToString());
        Assert.True(reader.TryReadRecord(name, out DnsRecord record) && record.TryGetAddress(out IpAddress address) && address == after.Source);
        Assert.False(redacted.AsSpan().IndexOf("secret"u8) >= 0);
        Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyTransport(redacted, after));
    }

    [Fact]
    public void Redact_IcmpError_RedactsThePacketItQuotes()
    {
        byte[] quoted = new FrameBuilder().RawIp().Ip(Client, Server).Tcp(50_000, 443).Seq(77).Payload("secret"u8.ToArray()).Build();
        byte[] frame = new FrameBuilder().Ip("203.0.113.1", Client).Udp(0, 0).Payload(quoted).Build();
        frame[23] = 1; // ICMP in place of UDP: destination unreachable, port; the header checksum is wrong now and stays so
        frame[34] = 3;
        frame[35] = 3;
        (_, _, byte[] redacted) = Redact(frame);
        var inner = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(redacted.AsSpan(42), LinkType.Raw, ref inner));
        Assert.Equal(_names.Map(Address(Client)), inner.Source);
        Assert.Equal(50_000, inner.SourcePort);
        Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyIpv4(redacted.AsSpan(42), inner));
        Assert.False(redacted.AsSpan().IndexOf("secret"u8) >= 0);
    }

    [Fact]
    public void Redact_Arp_MapsBothEnds()
    {
        byte[] frame =
        [
            .. Enumerable.Repeat((byte)255, 6), 0, 0x50, 0x56, 1, 2, 3, 8, 6,
            0, 1, 8, 0, 6, 4, 0, 1, 0, 0x50, 0x56, 1, 2, 3, 192, 168, 1, 10, 0, 0, 0, 0, 0, 0, 192, 168, 1, 1, .. "leftover"u8,
        ];
        byte[] redacted = [.. frame];
        int kept = new FrameRedactor(_names).Redact(redacted, LinkType.Ethernet, frame.Length);
        Assert.Equal(42, kept);
        Assert.Equal(_names.Map(Address(Client)), IpAddress.Read(redacted.AsSpan(28, 4)));
        Assert.Equal(redacted[6..12], redacted[22..28]);
        Assert.False(redacted.AsSpan(42).ContainsAnyExcept((byte)0));
    }

    [Fact]
    public void Redact_OtherTrafficOnAPortOfNames_LosesAllItsPayload()
    {
        byte[] frame = new FrameBuilder().Ip(Client, Server).Udp(40_000, 53).Payload("token=secret-of-somebody"u8.ToArray()).Build();
        (_, ParsedPacket after, byte[] redacted) = Redact(frame);
        Assert.False(redacted.AsSpan(after.PayloadOffset).ContainsAnyExcept((byte)0));
    }

    [Fact]
    public void Redact_UdpOfAnImpossibleLength_LosesItsChecksum()
    {
        byte[] frame = new FrameBuilder().Ip(Client, Server).Udp(40_000, 443).Payload(1, 2, 3).Build();
        frame[39] = 7; // UDP length, at least 8
        (_, _, byte[] redacted) = Redact(frame);
        Assert.Equal(frame[34..40], redacted[34..40]);
        Assert.False(redacted.AsSpan(40).ContainsAnyExcept((byte)0));
    }

    [Theory]
    [InlineData("d4000000005056010203aabbccdd", 10)] // acknowledgement, then the checksum of the frame
    [InlineData("c4000000005056010203aabbccdd", 10)] // clear to send
    [InlineData("b4000000005056010203005056010204aabbccdd", 16)] // request to send
    [InlineData("0802000000505601020300505601", 10)] // cut within the second address
    public void Redact_WirelessFrame_KeepsWholeAddressesAlone(string hex, int expected)
    {
        byte[] frame = Convert.FromHexString(hex);
        Assert.Equal(expected, new FrameRedactor(_names).Redact(frame, LinkType.Ieee80211, frame.Length));
    }

    [Fact]
    public void Redact_RadiotapLongerThanTheFrame_KeepsNothing()
    {
        byte[] frame = [0, 0, 0xFF, 0xFF, 0, 0, 0, 0, .. "secret"u8];
        Assert.Equal(0, new FrameRedactor(_names).Redact(frame, LinkType.Ieee80211Radiotap, frame.Length));
    }

    [Theory]
    [InlineData(LinkType.Ethernet)]
    [InlineData(LinkType.LinuxSll)]
    [InlineData(LinkType.LinuxSll2)]
    [InlineData(LinkType.Ieee80211)]
    [InlineData(LinkType.Ieee80211Radiotap)]
    [InlineData(LinkType.Raw)]
    [InlineData(LinkType.Null)]
    [InlineData((LinkType)9999)]
    public void Redact_AnyBytes_AreCutOrUnderstood(LinkType link)
    {
        var redactor = new FrameRedactor(_names);
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), bytes =>
        {
            byte[] redacted = [.. bytes];
            int kept = redactor.Redact(redacted, link, bytes.Length);
            Assert.InRange(kept, 0, bytes.Length);
            Assert.False(redacted.AsSpan(kept).ContainsAnyExcept((byte)0));
            bool wasIp = TryParse(bytes, link, out ParsedPacket before);
            Assert.Equal(wasIp, TryParse(redacted, link, out ParsedPacket after));
            Assert.Equal(wasIp ? before.PayloadLength : 0, wasIp ? after.PayloadLength : 0);
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void Redact_AnyPayload_IsGone()
    {
        var redactor = new FrameRedactor(_names);
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), ArbMap.Default.ArbFor<ushort>(), (payload, port) =>
        {
            byte[] frame = new FrameBuilder().Vlan(5).Ip("2001:db8::1", "2001:db8::2").Ipv6Extension(0, 1, 4, 9, 9, 9, 9)
                .Tcp(port, 443).Payload(payload).Build();
            Assert.Equal(frame.Length - payload.Length, redactor.Redact(frame, LinkType.Ethernet, frame.Length));
        }).QuickCheckThrowOnFailure();
    }

    static bool TryParse(byte[] bytes, LinkType link, out ParsedPacket packet)
    {
        packet = default;
        return PacketParser.TryParse(bytes, link, ref packet);
    }

    static ChecksumState StateOf((ParsedPacket Before, ParsedPacket After, byte[] Redacted) result) =>
        InternetChecksum.VerifyTransport(result.Redacted, result.After);

    static IpAddress Address(string text) => IpAddress.TryParse(text, out IpAddress address) ? address : throw new FormatException(text);

    (ParsedPacket Before, ParsedPacket After, byte[] Redacted) Redact(byte[] frame)
    {
        byte[] redacted = [.. frame];
        new FrameRedactor(_names).Redact(redacted, LinkType.Ethernet, frame.Length);
        Assert.True(TryParse(frame, LinkType.Ethernet, out ParsedPacket before));
        Assert.True(TryParse(redacted, LinkType.Ethernet, out ParsedPacket after));
        return (before, after, redacted);
    }
}
