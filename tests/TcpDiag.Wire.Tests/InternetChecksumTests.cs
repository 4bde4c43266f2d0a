using System;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wire.Tests;

public sealed class InternetChecksumTests
{
    // RFC 1071 §3: the bytes 00 01 F2 03 F4 F5 F6 F7 add up to DDF2.
    [Fact]
    public void Add_ExampleOfTheRfc_GivesItsSum() =>
        Assert.Equal(0xDDF2, InternetChecksum.Add([0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7]));

    [Fact]
    public void Add_OddLength_TakesAZeroAfterIt() => Assert.Equal(0x0201 + 0x0300, InternetChecksum.Add([2, 1, 3]));

    [Fact]
    public void Add_AnyLength_AgreesWithTheSumOfWords()
    {
        var random = new Random(1);
        for (int length = 0; length < 300; length++)
        {
            byte[] bytes = new byte[length];
            random.NextBytes(bytes);
            long sum = bytes.Select((value, i) => (long)value << (i % 2 == 0 ? 8 : 0)).Sum();
            Assert.Equal(sum == 0 ? 0 : ((sum - 1) % 0xFFFF) + 1, InternetChecksum.Add(bytes));
        }
    }

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.2", true)]
    [InlineData("10.0.0.1", "10.0.0.2", false)]
    [InlineData("2001:db8::1", "2001:db8::2", true)]
    public void Verify_BuiltFrame_IsCorrectUntilAByteChanges(string source, string destination, bool isTcp)
    {
        FrameBuilder builder = new FrameBuilder().Ip(source, destination);
        byte[] frame = (isTcp ? builder.Tcp(1, 2) : builder.Udp(1, 2)).Payload(1, 2, 3).Build();
        Assert.Equal(ChecksumState.Correct, Verify(frame));
        frame[^1] ^= 0x40;
        Assert.Equal(ChecksumState.Wrong, Verify(frame));
    }

    [Fact]
    public void Verify_PseudoHeaderOnly_IsNotFilledIn()
    {
        byte[] frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).PayloadLength(100).Build();
        IpAddress source = IpAddress.FromIpv4(0x0A000001);
        IpAddress destination = IpAddress.FromIpv4(0x0A000002);
        foreach (int length in new[] { 120, 0 }) // checksum offload; segmentation offload
        {
            ushort partial = InternetChecksum.PseudoHeader(source, destination, IpProtocol.Tcp, length);
            frame[50] = (byte)(partial >> 8);
            frame[51] = (byte)partial;
            Assert.Equal(ChecksumState.NotFilledIn, Verify(frame));
        }
    }

    [Fact]
    public void Verify_CutFrame_IsNotVerifiable()
    {
        byte[] frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).PayloadLength(100).Build();
        Assert.Equal(ChecksumState.NotVerifiable, Verify(frame[..80]));
    }

    [Fact]
    public void VerifyIpv4_ChangedHeader_IsWrong()
    {
        byte[] frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).Build();
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(frame, LinkType.Ethernet, ref packet));
        Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyIpv4(frame, packet));
        frame[22]--;
        Assert.Equal(ChecksumState.Wrong, InternetChecksum.VerifyIpv4(frame, packet));
        frame[24] = 0;
        frame[25] = 0;
        Assert.Equal(ChecksumState.NotFilledIn, InternetChecksum.VerifyIpv4(frame, packet));
    }

    static ChecksumState Verify(byte[] frame)
    {
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(frame, LinkType.Ethernet, ref packet));
        return InternetChecksum.VerifyTransport(frame, packet);
    }
}
