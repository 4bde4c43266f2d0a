using TcpDiag.Traces.Filtering;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Filtering;

public sealed class TimeWindowTests
{
    const long Second = 1_000_000_000;

    // The first record is where the trace begins, though it lies outside.
    [Fact]
    public void Contains_SecondsSinceTheStart_CountFromTheFirstRecord()
    {
        var window = new TimeWindow(new TimeBound(null, Second), new TimeBound(null, 2 * Second));
        Assert.False(window.Contains(new TraceTime(10 * Second)));
        Assert.True(window.Contains(new TraceTime(11 * Second)));
        Assert.True(window.Contains(new TraceTime(12 * Second)));
        Assert.False(window.Contains(new TraceTime((12 * Second) + 1)));
        Assert.Equal(new TraceTime(10 * Second), window.Start);
        Assert.Equal(new TraceTime((12 * Second) + 1), window.End);
    }

    [Fact]
    public void Contains_OneBound_LeavesTheOtherSideOpen()
    {
        Assert.True(new TimeWindow(null, new TimeBound(new TraceTime(5), 0)).Contains(new TraceTime(5)));
        Assert.False(new TimeWindow(new TimeBound(new TraceTime(6), 0), null).Contains(new TraceTime(5)));
    }
}
