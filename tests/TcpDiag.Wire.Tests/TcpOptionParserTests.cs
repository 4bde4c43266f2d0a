using System;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wire.Tests;

public sealed class TcpOptionParserTests
{
    static TcpOptions Parse(Action<FrameBuilder> build, int cut = 0)
    {
        FrameBuilder builder = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2);
        build(builder);
        byte[] frame = builder.Build();
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(frame.AsSpan(0, frame.Length - cut), LinkType.Ethernet, ref packet));
        return packet.Options;
    }

    // 02 04 05B4 | 01 03 03 08 | 04 02 | 08 0A TSval TSecr
    [Fact]
    public void Parse_SynOptions_GivesAllOfThem()
    {
        TcpOptions options = Parse(builder => builder.TcpOptionBytes(2, 4, 0x05, 0xB4, 1, 3, 3, 8, 4, 2, 8, 10, 0, 0, 1, 0, 0, 0, 0, 2));
        Assert.Equal(
            TcpOptionKinds.MaximumSegmentSize | TcpOptionKinds.WindowScale | TcpOptionKinds.SackPermitted | TcpOptionKinds.Timestamps,
            options.Kinds);
        Assert.Equal(1460, options.Mss);
        Assert.Equal(8, options.WindowScale);
        Assert.Equal(256u, options.TsVal);
        Assert.Equal(2u, options.TsEcr);
    }

    // MSS, SACK permitted, timestamps, no operation and window scale: 20 bytes, of which the timestamps begin behind 6.
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 3)]
    [InlineData(4, 4)]
    [InlineData(13, 14)]
    [InlineData(14, 14)]
    [InlineData(15, 16)]
    public void Parse_CutList_TellsHowMuchIsCut(int cut, int expected) => Assert.Equal(
        expected, Parse(builder => builder.TcpOptionBytes(2, 4, 0x05, 0xB4, 4, 2, 8, 10, 0, 0, 1, 0, 0, 0, 0, 2, 1, 3, 3, 8), cut).CutBytes);

    [Theory]
    [InlineData(19, 16, TcpOptionKinds.Md5Signature)]
    [InlineData(28, 2, TcpOptionKinds.UserTimeout)]
    [InlineData(29, 14, TcpOptionKinds.Authentication)]
    [InlineData(30, 10, TcpOptionKinds.Multipath)]
    [InlineData(34, 8, TcpOptionKinds.FastOpen)]
    [InlineData(34, 0, TcpOptionKinds.FastOpen)] // a request for a cookie
    [InlineData(172, 9, TcpOptionKinds.AccurateEcn)]
    [InlineData(174, 3, TcpOptionKinds.AccurateEcn)]
    [InlineData(254, 2, TcpOptionKinds.Other)]
    [InlineData(99, 4, TcpOptionKinds.Other)]
    [InlineData(2, 1, TcpOptionKinds.Incomplete)] // an MSS of one byte
    [InlineData(5, 9, TcpOptionKinds.Incomplete)] // SACK blocks of nine bytes
    public void Parse_OtherKinds_AreNamed(byte kind, int dataLength, TcpOptionKinds expected) =>
        Assert.Equal(expected, Parse(builder => builder.TcpOption(kind, new byte[dataLength])).Kinds);

    [Fact]
    public void Parse_ExperimentalFastOpen_IsNamed() =>
        Assert.Equal(TcpOptionKinds.FastOpen, Parse(builder => builder.TcpOption(254, 0xF9, 0x89, 1, 2)).Kinds);

    // One struct for all packets: nothing of the previous packet remains.
    [Fact]
    public void Parse_NoTimestampsBehindTimestamps_LeavesNoneOfThem()
    {
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(new FrameBuilder().Tcp(1, 2).TcpOptionBytes(1, 1).Timestamps(7_000, 9_000).Build(), LinkType.Ethernet, ref packet));
        Assert.Equal((7_000u, 9_000u), (packet.Options.TsVal, packet.Options.TsEcr));
        Assert.True(PacketParser.TryParse(new FrameBuilder().Tcp(1, 2).Build(), LinkType.Ethernet, ref packet));
        Assert.Equal((0u, 0u), (packet.Options.TsVal, packet.Options.TsEcr));
    }

    [Fact]
    public void Parse_TimestampsAlone_TakeTheShortWay()
    {
        TcpOptions options = Parse(builder => builder.TcpOptionBytes(1, 1, 8, 10, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 5));
        Assert.Equal(TcpOptionKinds.Timestamps, options.Kinds);
        Assert.Equal(uint.MaxValue, options.TsVal);
        Assert.Equal(5u, options.TsEcr);
    }

    [Fact]
    public void Parse_SackBlocks_AreReadFromTheFrame()
    {
        byte[] frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).TcpOptionBytes(1, 1).Sack(100, 200, 300, 400).Build();
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(frame, LinkType.Ethernet, ref packet));
        Assert.Equal(2, packet.Options.SackBlocks);
        Assert.Equal(new SackBlock(new(100), new(200)), SackBlock.Read(frame, packet.Options, 0));
        Assert.Equal(new SackBlock(new(300), new(400)), SackBlock.Read(frame, packet.Options, 1));
    }

    // RFC 2018 §3: n blocks take 8n + 2 bytes, and 40 bytes of options hold four.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Parse_AnyNumberOfSackBlocks_IsCounted(int blocks)
    {
        TcpOptions options = Parse(builder => builder.TcpOption(5, new byte[8 * blocks]));
        Assert.Equal((TcpOptionKinds.Sack, blocks), (options.Kinds, options.SackBlocks));
    }

    // The option list is 2 + 2 + 16 = 20 bytes; without its last 8 the first block is left.
    [Fact]
    public void Parse_SackCutByTheCapture_KeepsWholeBlocks()
    {
        TcpOptions options = Parse(builder => builder.TcpOptionBytes(1, 1).Sack(100, 200, 300, 400), cut: 8);
        Assert.Equal(TcpOptionKinds.Sack | TcpOptionKinds.Incomplete, options.Kinds);
        Assert.Equal(1, options.SackBlocks);
    }

    [Theory]
    [InlineData(new byte[] { 2, 0, 0, 0 })] // length 0
    [InlineData(new byte[] { 2, 1, 0, 0 })] // length 1
    [InlineData(new byte[] { 1, 1, 1, 2 })] // no length
    [InlineData(new byte[] { 2, 5, 5, 180 })] // longer than the header
    [InlineData(new byte[] { 5, 20, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0 })] // SACK blocks of a length they cannot have, longer than the header
    public void Parse_MalformedList_IsIncomplete(byte[] list) =>
        Assert.Equal(TcpOptionKinds.Incomplete, Parse(builder => builder.TcpOptionBytes(list)).Kinds);

    [Fact]
    public void Parse_EndOfList_StopsThere() =>
        Assert.Equal(TcpOptionKinds.None, Parse(builder => builder.TcpOptionBytes(0, 2, 4, 5)).Kinds);

    // What the capture has cut off stands behind the end of the list.
    [Fact]
    public void Parse_CutBehindTheEndOfList_IsComplete() =>
        Assert.Equal(TcpOptionKinds.None, Parse(builder => builder.TcpOptionBytes(0, 0, 0, 0, 0, 0, 0, 0), cut: 4).Kinds);

    [Fact]
    public void Parse_CutBetweenTwoOptions_IsIncomplete() =>
        Assert.Equal(
            TcpOptionKinds.MaximumSegmentSize | TcpOptionKinds.Incomplete,
            Parse(builder => builder.TcpOptionBytes(2, 4, 5, 180, 1, 1, 4, 2), cut: 4).Kinds);
}
