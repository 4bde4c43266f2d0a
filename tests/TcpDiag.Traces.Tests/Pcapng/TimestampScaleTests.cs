using TcpDiag.Traces.Pcapng;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

public sealed class TimestampScaleTests
{
    [Theory]
    [InlineData(0, 3, 0, 3_000_000_000)] // seconds
    [InlineData(3, 1_500, 0, 1_500_000_000)] // 1500 ms
    [InlineData(6, 1_795_255_200_123_456, 0, 1_795_255_200_123_456_000)]
    [InlineData(9, 1_795_255_200_123_456_789, 0, 1_795_255_200_123_456_789)]
    [InlineData(12, 1_999, 0, 1)] // 1999 ps
    [InlineData(19, 12_345_678_901_234_567_890, 0, 1_234_567_890)] // 1.2345678901234567890 s
    [InlineData(127, ulong.MaxValue, 0, 1)] // finer than 64 bits can tell: as good as nothing
    [InlineData(0x80, 7, 0, 7_000_000_000)] // 2^0 seconds
    [InlineData(0x8A, 1_536, 0, 1_500_000_000)] // 1536/1024 s
    [InlineData(0xA0, 0x1_8000_0000, 0, 1_500_000_000)] // 32.32 fixed point: 1.5 s
    [InlineData(0xC0, 0x8000_0000_0000_0000, 0, 500_000_000)] // 2^63/2^64 s
    [InlineData(0xFF, ulong.MaxValue, 0, 0)] // 2^-127 s
    [InlineData(6, 1, 10, 10_000_001_000)]
    [InlineData(9, 5, -1, -999_999_995)]
    [InlineData(9, long.MaxValue, 0, long.MaxValue)] // the last that fits
    [InlineData(9, ulong.MaxValue, 0, long.MaxValue)] // beyond: the end, not the start of time
    [InlineData(6, 9_223_372_036_854_776, 0, long.MaxValue)] // 224 ns beyond
    [InlineData(6, 9_223_372_036_854_775, 0, 9_223_372_036_854_775_000)]
    [InlineData(0x80, ulong.MaxValue, 0, long.MaxValue)]
    [InlineData(0, 1, long.MaxValue, long.MaxValue)]
    [InlineData(0, 0, long.MinValue, long.MinValue)]
    [InlineData(9, 9_223_372_036_854_775_808, -1, 9_223_372_035_854_775_808)] // 2^63 ns less a second fits again
    public void ToNanoseconds_FollowsResolutionAndOffset(byte resolution, ulong units, long offsetSeconds, long expected) =>
        Assert.Equal(expected, new TimestampScale(resolution, offsetSeconds).ToNanoseconds(units));
}
