using Xunit;

namespace TcpDiag.Wire.Tests;

// RFC 9293 §3.4: the numbers cycle from 2³² − 1 to 0 again, and comparisons are modulo 2³².
public sealed class SequenceNumberTests
{
    [Theory]
    [InlineData(100u, 101u, 1)]
    [InlineData(uint.MaxValue, 0u, 1)]
    [InlineData(uint.MaxValue - 9, 10u, 20)]
    [InlineData(0u, int.MaxValue, int.MaxValue)] // the farthest that counts as later
    public void Compare_Later_IsGreaterByTheDistance(uint first, uint second, int distance)
    {
        SequenceNumber from = new(first);
        SequenceNumber to = new(second);

        Assert.Equal((distance, -distance, to), (to - from, from - to, from + distance));
        Assert.Equal((true, true, false, false), (to > from, to >= from, to < from, to <= from));
        Assert.Equal((false, false, true, true), (from > to, from >= to, from < to, from <= to));
    }

    [Fact]
    public void Compare_Same_IsNeitherGreaterNorLess()
    {
        SequenceNumber one = new(uint.MaxValue);
        SequenceNumber other = new(uint.MaxValue);
        Assert.Equal((false, true, false, true), (one < other, one <= other, one > other, one >= other));
    }
}
