using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>How long a sender paused, by its timestamps, where its data arrives evenly: ticks of 1 ms that the clock learns from the time since the first data.</summary>
public sealed class SenderClockTests
{
    const long Millisecond = 1_000_000;

    SenderClock _clock;

    // 100 ticks in 100 ms; of the 18 since the latest segment one may have been nearly none.
    [Fact]
    public void PauseBefore_IsATickLessThanTheClockSays()
    {
        _clock.OnSent(uint.MaxValue - 50, new TraceTime(0)); // across the wrap
        _clock.OnSent(31, new TraceTime(99 * Millisecond));
        Assert.Equal(17 * Millisecond, _clock.PauseBefore(49, new TraceTime(100 * Millisecond)));
    }

    // In the same tick and in the next one it need not have paused; what is older was sent before.
    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(20)]
    public void PauseBefore_ATickAtMost_IsNone(uint tsVal)
    {
        _clock.OnSent(1, new TraceTime(0));
        _clock.OnSent(31, new TraceTime(30 * Millisecond));
        Assert.Equal(0, _clock.PauseBefore(tsVal, new TraceTime(60 * Millisecond)));
    }

    [Fact]
    public void PauseBefore_WithoutTimestamps_IsNone()
    {
        _clock.OnSent(0, new TraceTime(0));
        Assert.Equal(0, _clock.PauseBefore(0, new TraceTime(60 * Millisecond)));
    }
}
