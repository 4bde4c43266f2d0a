using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Whose clock a writer keeps: bursts each 40 ms, times in microseconds.</summary>
public sealed class WriterClockTests
{
    // A timer of 40 ms, and acknowledgments that come 100 to 700 us before it: nothing changes but what it takes to follow them.
    [Fact]
    public void Timer_BesideAVaryingPath_IsItsOwnClock()
    {
        WriterClock clock = default;
        int[] delays = [100, 700, 300, 600, 200];
        for (int i = 0; i < delays.Length; i++)
        {
            Assert.False(clock.IsOwn);
            Add(ref clock, 40_000, delays[i]);
        }

        Assert.True(clock.IsOwn); // 600 + 400 + 300 + 400 against 0 and 5 times 20 us
    }

    // At first the initial window held one write back. What came then is no change of the clock: 20 ms would hide 300 us of each later one.
    [Fact]
    public void Timer_AfterOneOtherDistance_IsItsOwnClock()
    {
        WriterClock clock = default;
        Add(ref clock, 60_000, 40);
        for (int i = 0; i < 8; i++)
        {
            Add(ref clock, 40_000, 100 + (300 * (i & 1)));
        }

        Assert.True(clock.IsEven);
        Assert.True(clock.IsOwn);
    }

    // Four answers at even distances may be a clock's: what they ended is the buffer's only if none shows.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Answers_ThatMayKeepAClock_AreOpenUntilItShows(bool isOwn)
    {
        LimitTimeline timeline = default;
        timeline.Begin(1, new SenderExtras());
        WriterClock clock = default;
        BlockedWriter writer = default;
        for (int i = 0; i < 5; i++)
        {
            Add(ref clock, 40_000, isOwn ? 30 + (300 * (i & 1)) : 30);
            writer.OnClock(clock, ref timeline);
            OpenState state = writer.StateOf(8000, Answer.Immediate);
            timeline.Add(isOwn && clock.IsOwn ? OpenState.Application : state, new TraceTime(1 + i), new TraceTime(2 + i));
            writer.OnBurst(8000, Answer.Immediate, 40_000_000, ref timeline);
        }

        Assert.True(writer.IsKnown);
        Assert.Equal(0, timeline.In(OpenState.SendBuffer));
        writer.Settle(ref timeline);
        Assert.Equal(isOwn ? (0, 5) : (5, 0), (timeline.In(OpenState.SendBuffer), timeline.In(OpenState.Application)));
    }

    // A third of the distances is another: that is no clock.
    [Fact]
    public void Distances_OfTwoKinds_AreNoClock()
    {
        WriterClock clock = default;
        for (int i = 0; i < 60; i++)
        {
            Add(ref clock, i % 3 == 0 ? 60_000 : 40_000, 100 + (300 * (i & 1)));
        }

        Assert.False(clock.IsEven);
        Assert.False(clock.IsOwn);
    }

    // A writer that waits: it is woken within 30 to 50 us of each acknowledgment, and the round trip varies by hundreds.
    [Fact]
    public void Acknowledgments_FollowedClosely_AreItsClock()
    {
        WriterClock clock = default;
        int[] gaps = [40_000, 40_600, 39_900, 40_300, 40_000, 40_500];
        for (int i = 0; i < gaps.Length; i++)
        {
            Add(ref clock, gaps[i], 30 + (20 * (i & 1)));
        }

        Assert.False(clock.IsOwn);
    }

    // Nothing varies: 200 us behind each acknowledgment to the microsecond is a clock, 200 to 215 us may be a writer that has to be woken.
    [Theory]
    [InlineData(0, true)]
    [InlineData(15, false)]
    public void Delay_ThatIsAlwaysTheSame_IsItsOwnClock(int change, bool isOwn)
    {
        WriterClock clock = default;
        for (int i = 0; i < 10; i++)
        {
            Add(ref clock, 40_000, 200 + (change * (i & 1)));
        }

        Assert.Equal(isOwn, clock.IsOwn);
    }

    // Where neither varies, nothing shows: below 20 us a change is that of timers.
    [Fact]
    public void Clean_Path_ShowsNothing()
    {
        WriterClock clock = default;
        for (int i = 0; i < 200; i++)
        {
            Add(ref clock, 40_000, 30 + (15 * (i & 1)));
        }

        Assert.False(clock.IsOwn);
    }

    // What it did for long does not hide what it does now.
    [Fact]
    public void Clock_FollowsAChange()
    {
        WriterClock clock = default;
        for (int i = 0; i < 100; i++)
        {
            Add(ref clock, 40_000 + (300 * (i & 1)), 40);
        }

        Assert.False(clock.IsOwn);
        for (int i = 0; i < 200; i++)
        {
            Add(ref clock, 40_000, 100 + (900 * (i & 1)));
        }

        Assert.True(clock.IsOwn);
    }

    static void Add(ref WriterClock clock, int gapMicroseconds, int delayMicroseconds) => clock.Add(gapMicroseconds * 1000L, delayMicroseconds * 1000L);
}
