using TcpDiag.Traces.Etl;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

public sealed class EtlClockTests
{
    // FILETIME of 1970-01-01.
    const long Epoch = 116_444_736_000_000_000;

    [Theory]
    [InlineData(10_000_000, 1_000, 3_000, 200_000)] // 2000 ticks of 100 ns
    [InlineData(10_000_000, 3_000, 1_000, -200_000)]
    [InlineData(3_000_000_000, 0, 3_000_000_001, 1_000_000_000)] // a third of a nanosecond is cut off
    [InlineData(1, 0, 5, 5_000_000_000)]
    [InlineData(10_000_000, 0, long.MaxValue, long.MaxValue)] // 29,000 years
    [InlineData(10_000_000, 0, long.MinValue, long.MinValue)]
    [InlineData(10_000_000, long.MinValue, long.MaxValue, long.MaxValue)] // the difference itself has 65 bits
    [InlineData(10_000_000, long.MaxValue, long.MinValue, long.MinValue)]
    [InlineData(1, 0, long.MaxValue, long.MaxValue)]
    [InlineData(10_000_000, 0, 92_233_720_368_547_758, 9_223_372_036_854_775_800)] // the last tick that fits
    [InlineData(10_000_000, 0, 92_233_720_368_547_759, long.MaxValue)]
    public void ToTime_Counter_IsExactOrAtTheEnd(long frequency, long startTicks, long ticks, long expected) =>
        Assert.Equal(expected, new EtlClock(EtlClockType.Qpc, startTicks, Epoch, frequency).ToTime(ticks).Nanoseconds);

    [Fact]
    public void ToTime_NoStart_CountsFrom1970() => Assert.Equal(200, new EtlClock(EtlClockType.Qpc, 5, 0, 10_000_000).ToTime(7).Nanoseconds);

    [Theory]
    [InlineData(Epoch + 7, 700)]
    [InlineData(long.MaxValue, long.MaxValue)]
    [InlineData(0, long.MinValue)] // 1601 is before what nanoseconds can tell
    [InlineData(long.MinValue, long.MinValue)]
    public void ToTime_SystemTime_IsExactOrAtTheEnd(long ticks, long expected)
    {
        TraceTime time = new EtlClock(EtlClockType.SystemTime, 0, Epoch, 1).ToTime(ticks);
        Assert.Equal(expected, time.Nanoseconds);
        Assert.Equal(expected is long.MaxValue or long.MinValue, time.IsBeyond);
    }
}
