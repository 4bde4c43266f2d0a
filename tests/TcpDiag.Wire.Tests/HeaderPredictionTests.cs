using System;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wire.Tests;

public sealed class HeaderPredictionTests
{
    // 14 bytes of Ethernet, 20 of IPv4, 20 of TCP, 12 of options.
    static readonly int[] MayDiffer =
    [
        .. Enumerable.Range(0, 12), // Ethernet addresses
        18, 19, 24, 25, // identification and checksum of IP; its length is looked at
        50, 51, 52, 53, // checksum and urgent pointer of TCP
        58, 59, 60, 61, // TSval
    ];

    static FrameBuilder Segment(uint sequence, int payload = 100, byte flags = FrameBuilder.Ack) => new FrameBuilder()
        .Ip("10.0.0.1", "192.0.2.9", id: 0x1234).Tcp(50000, 443)
        .Seq(sequence).AckNumber(77).Flags(flags).Window(0x2000).TcpOptionBytes(1, 1).Timestamps(5_000, 4_000).PayloadLength(payload);

    static HeaderPrediction After(FrameBuilder builder)
    {
        byte[] frame = builder.Build();
        var packet = default(ParsedPacket);
        Assert.True(PacketParser.TryParse(frame, LinkType.Ethernet, ref packet));
        var prediction = default(HeaderPrediction);
        prediction.Begin(frame, packet);
        return prediction;
    }

    [Theory]
    [InlineData(FrameBuilder.Ack, 0x10)]
    [InlineData(FrameBuilder.Ack | FrameBuilder.Psh, 0x18)]
    public void IsMet_NextSegment_TellsWhatIsNew(byte flags, int expected)
    {
        HeaderPrediction prediction = After(Segment(0xFFFF_FFF0));

        Assert.True(prediction.IsMet(Segment(0x54, 1_448, flags).Build(), out PredictedSegment segment));

        Assert.Equal(0x54u, segment.Sequence.Value); // 0xFFFFFFF0 + 100
        Assert.Equal(1_448, segment.PayloadLength);
        Assert.Equal(0x1234, segment.IpId);
        Assert.Equal(5_000u, segment.TsVal);
        Assert.Equal(expected, (int)segment.Flags);
    }

    [Fact]
    public void GoOn_SegmentMet_PredictsTheOneBehindIt()
    {
        HeaderPrediction prediction = After(Segment(1_000));
        byte[] third = Segment(1_300).Build();
        Assert.False(prediction.IsMet(third, out _));
        Assert.True(prediction.IsMet(Segment(1_100, 200).Build(), out PredictedSegment second));

        prediction.GoOn(second);

        Assert.True(prediction.IsMet(third, out _));
    }

    // The segment predicted, but for one bit: only what says nothing may differ.
    [Fact]
    public void IsMet_OneBitDiffers_OnlyWhereItMay()
    {
        HeaderPrediction prediction = After(Segment(1_000));
        byte[] next = Segment(1_100).Build();
        for (int bit = 0; bit < 8 * 66; bit++)
        {
            byte[] other = [.. next];
            other[bit / 8] ^= (byte)(1 << (bit % 8));
            bool isPush = bit == (8 * 47) + 3;
            bool isLength = bit / 8 is 16 or 17 && ((other[16] << 8) | other[17]) >= 52 + 2;
            Assert.True(prediction.IsMet(other, out _) == (isPush || isLength || MayDiffer.Contains(bit / 8)), $"byte {bit / 8}, bit {bit % 8}");
        }
    }

    [Fact]
    public void IsMet_OtherSegments_HaveToBeParsed()
    {
        HeaderPrediction prediction = After(Segment(1_000));
        byte[] next = Segment(1_100).Build();

        Assert.False(default(HeaderPrediction).IsMet(next, out _));
        Assert.False(prediction.IsMet(next.AsSpan(0, 65), out _)); // the capture cut its timestamps
        Assert.True(prediction.IsMet(next.AsSpan(0, 66), out _));
        Assert.False(prediction.IsMet(Segment(1_100, 1).Build(), out _)); // a keep-alive, or a probe
        Assert.False(prediction.IsMet(Segment(1_100, 0).Build(), out _));
        Assert.False(prediction.IsMet(Segment(1_101).Build(), out _));
        Assert.False(prediction.IsMet(Segment(1_100).Offloaded().Build(), out _));
    }

    [Fact]
    public void After_HeadersOfAnotherForm_PredictsNothing()
    {
        byte[] next = Segment(1_100).Build();
        Assert.All(
            [
                Segment(1_000).Vlan(100), Segment(1_000).Ipv4Options(1, 1, 1, 1), Segment(1_000).Offloaded(),
                Segment(1_000, flags: FrameBuilder.Ack | FrameBuilder.Fin), Segment(1_000, flags: FrameBuilder.Ack | FrameBuilder.Ece),
                Segment(1_000).TcpOptionBytes(1, 1, 1, 1), Segment(1_000).Ip("2001:db8::1", "2001:db8::2"),
            ],
            segment => Assert.False(After(segment).IsMet(next, out _)));
    }

    [Fact]
    public void IsMet_NoOptions_ComparesAPlainHeader()
    {
        FrameBuilder Plain(uint sequence) =>
            new FrameBuilder().Ip("10.0.0.1", "192.0.2.9").Tcp(50000, 443).Seq(sequence).AckNumber(77).Window(0x2000).PayloadLength(2);

        Assert.True(After(Plain(1_000)).IsMet(Plain(1_002).Build().AsSpan(0, 54), out PredictedSegment segment));

        Assert.Equal(0u, segment.TsVal);
        Assert.Equal(2, segment.PayloadLength);
        Assert.False(After(Plain(1_000)).IsMet(Plain(1_002).AckNumber(78).Build(), out _));
    }
}
