using TcpDiag.Traces.Filtering;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Filtering;

public sealed class FilterValueTests
{
    [Theory]
    [InlineData("10.0.0.1", "10.0.0.1", true)]
    [InlineData("10.0.0.1", "10.0.0.2", false)]
    [InlineData("10.0.0.0/8", "10.255.255.255", true)]
    [InlineData("10.0.0.0/8", "11.0.0.0", false)]
    [InlineData("0.0.0.0/0", "203.0.113.7", true)]
    [InlineData("0.0.0.0/0", "2001:db8::1", false)]
    [InlineData("2001:db8::/32", "2001:db8:ffff::1", true)]
    [InlineData("2001:db8::/32", "2001:db9::1", false)]
    [InlineData("2001:db8::/127", "2001:db8::1", true)]
    [InlineData("2001:db8::/127", "2001:db8::2", false)]
    [InlineData("::/0", "10.0.0.1", true)]
    public void AddressRange_Contains_ComparesThePrefix(string range, string address, bool expected)
    {
        Assert.True(AddressRange.TryParse(range, out AddressRange parsed));
        Assert.True(IpAddress.TryParse(address, out IpAddress other));

        Assert.Equal(expected, parsed.Contains(other));
    }

    [Theory]
    [InlineData("")]
    [InlineData("example.org")]
    [InlineData("10.0.0.0/33")]
    [InlineData("2001:db8::/129")]
    [InlineData("10.0.0.0/-1")]
    [InlineData("10.0.0.0/8/8")]
    public void AddressRange_OtherText_IsRefused(string text) => Assert.False(AddressRange.TryParse(text, out _));

    [Theory]
    [InlineData("1.5", 1_500_000_000L)]
    [InlineData("0", 0L)]
    [InlineData("0.000000001", 1L)]
    [InlineData("12.5s", 12_500_000_000L)]
    [InlineData("200ms", 200_000_000L)]
    [InlineData("7us", 7_000L)]
    [InlineData("2min", 120_000_000_000L)]
    [InlineData("1H", 3_600_000_000_000L)]
    [InlineData("00:01:05", 65_000_000_000L)]
    [InlineData("25:00:00.5", 90_000_500_000_000L)]
    public void TimeBound_Seconds_CountFromTheStart(string text, long nanoseconds)
    {
        Assert.True(TimeBound.TryParse(text, out TimeBound bound));
        Assert.Equal(new TraceTime(100 + nanoseconds), bound.At(new TraceTime(100)));
    }

    [Theory]
    [InlineData("1970-01-01T00:00:02Z", 2_000_000_000L)]
    [InlineData("1970-01-01 00:00:02.5", 2_500_000_000L)]
    [InlineData("1970-01-01T01:00:00+01:00", 0L)]
    [InlineData("1970-01-01T00:00:00.123456789Z", 123_456_789L)]
    [InlineData("1970-01-01T01:00:00.000001+01:00", 1_000L)]
    [InlineData("1970-01-01 00:00:02.500 UTC", 2_500_000_000L)]
    public void TimeBound_Instant_IsUtcWithoutAZone(string text, long nanoseconds)
    {
        Assert.True(TimeBound.TryParse(text, out TimeBound bound));
        Assert.Equal(new TraceTime(nanoseconds), bound.At(new TraceTime(100)));
    }

    [Theory]
    [InlineData("9999-12-31T00:00:00Z", long.MaxValue)]
    [InlineData("2262-04-12T00:00:00Z", long.MaxValue)]
    [InlineData("0001-01-01", long.MinValue)]
    [InlineData("9000000000", long.MaxValue)]
    public void TimeBound_BeyondNanoseconds_IsTheFarthestTime(string text, long nanoseconds)
    {
        Assert.True(TimeBound.TryParse(text, out TimeBound bound));
        Assert.Equal(nanoseconds, bound.At(new TraceTime(1_800_000_000_000_000_000)).Nanoseconds);
    }

    [Theory]
    [InlineData("")]
    [InlineData("-1")]
    [InlineData("soon")]
    [InlineData("1,5")]
    [InlineData("10:24")]
    [InlineData("00:60:00")]
    [InlineData("00:00:60")]
    [InlineData("1:2:3:4")]
    [InlineData("s")]
    [InlineData("1 s")]
    [InlineData("1970-01-01T00:00:00.Z!")]
    [InlineData("99999999999999999999")]
    public void TimeBound_OtherText_IsRefused(string text) => Assert.False(TimeBound.TryParse(text, out _));
}
