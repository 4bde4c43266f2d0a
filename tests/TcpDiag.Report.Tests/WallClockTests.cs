using System;
using TcpDiag.Traces.Filtering;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class WallClockTests
{
    static readonly TimeZoneInfo Zone = TimeZoneInfo.CreateCustomTimeZone("test", new TimeSpan(5, 30, 0), "test", "test");

    // 2001-09-09T01:46:40Z is a thousand million seconds after 1970.
    [Fact]
    public void Of_Instant_IsIsoWithItsZone()
    {
        var time = new TraceTime(1_000_000_000_123_456_789);
        Assert.Equal("2001-09-09T01:46:40.123456Z", WallClock.Of(time, TimeZoneInfo.Utc));
        Assert.Equal("2001-09-09T07:16:40.123456+05:30", WallClock.Of(time, Zone));
    }

    [Fact]
    public void Of_Instant_IsReadBackByFromAndTo()
    {
        var time = new TraceTime(1_000_000_000_123_456_000);
        foreach (TimeZoneInfo zone in (TimeZoneInfo[])[TimeZoneInfo.Utc, Zone])
        {
            Assert.True(TimeBound.TryParse(WallClock.Of(time, zone), out TimeBound bound));
            Assert.Equal(time, bound.Instant);
        }
    }

    [Fact]
    public void Of_YearsBeforeTheEpoch_DoNotFail() => Assert.Equal("1969-12-31T23:59:59.500000Z", WallClock.Of(new TraceTime(-500_000_000), TimeZoneInfo.Utc));
}
