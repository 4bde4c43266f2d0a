using System;
using System.Threading;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>The time of day that a run takes at its start, from a source that is held up after it has read it.</summary>
public sealed class ShimClockTests
{
    const int HeldUpMilliseconds = 200;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(6)]
    public void Now_SomeReadingsAreHeldUp_IsTheTimeOfDay(int heldUp)
    {
        ShimClock clock = new(new HeldUpTime(heldUp));
        DateTimeOffset before = DateTimeOffset.UtcNow;
        TraceTime now = clock.Now;
        DateTimeOffset after = DateTimeOffset.UtcNow;

        TimeSpan slack = TimeSpan.FromMilliseconds(HeldUpMilliseconds / 4);
        Assert.InRange(now.Nanoseconds, Nanoseconds(before - slack), Nanoseconds(after + slack));
    }

    static long Nanoseconds(DateTimeOffset time) => (time - DateTimeOffset.UnixEpoch).Ticks * 100;

    sealed class HeldUpTime(int heldUp) : TimeProvider
    {
        int _readings;

        public override DateTimeOffset GetUtcNow()
        {
            DateTimeOffset now = base.GetUtcNow();
            if (_readings++ < heldUp)
            {
                using ManualResetEventSlim never = new();
                never.Wait(HeldUpMilliseconds);
            }

            return now;
        }
    }
}
