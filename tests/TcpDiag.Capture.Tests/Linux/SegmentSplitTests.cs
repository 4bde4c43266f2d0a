using System;
using System.IO;
using TcpDiag.Capture.Linux;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux;

public sealed class SegmentSplitTests
{
    const long Second = 1_000_000_000;

    [Fact]
    public void IsDue_Size_GoesByTheLengthOfThePiece()
    {
        SegmentSplit split = Create(bytes: 100, time: null);
        split.Begin(0, headBytes: 10, previousBytes: 0);

        Assert.False(split.IsDue(1L << 60, 99));
        Assert.True(split.IsDue(0, 100));
        split.Begin(5, headBytes: 10, previousBytes: 103);
        split.Begin(9, headBytes: 10, previousBytes: 104);
        Assert.Equal(103 + 104, split.CompleteBytes);
    }

    [Fact]
    public void IsDue_Time_GoesByTheFirstRecordOfThePiece()
    {
        SegmentSplit split = Create(bytes: null, TimeSpan.FromSeconds(2));
        split.Begin(Second, headBytes: 10, previousBytes: 0);

        Assert.False(split.IsDue((3 * Second) - 1, 1L << 40));
        Assert.True(split.IsDue(3 * Second, 0));
        split.Begin(3 * Second, headBytes: 10, previousBytes: 0);
        Assert.False(split.IsDue((5 * Second) - 1, 0));
    }

    static SegmentSplit Create(long? bytes, TimeSpan? time) =>
        new(new CaptureSettings { Match = new MatchAll(), SplitBytes = bytes, SplitTime = time }, static () => Stream.Null);
}
