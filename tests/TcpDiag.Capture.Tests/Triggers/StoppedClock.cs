using System;
using System.Threading;

namespace TcpDiag.Capture.Tests.Triggers;

/// <summary>A clock that goes on only when told to, and whose timers never ring.</summary>
sealed class StoppedClock : TimeProvider
{
    public DateTimeOffset Now { get; set; } = DateTimeOffset.UnixEpoch.AddDays(1);

    public override DateTimeOffset GetUtcNow() => Now;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        base.CreateTimer(callback, state, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
}
