using System;
using System.Threading;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Watching;

/// <summary>
/// Up to when the events of a real-time session are known, by the clock they are stamped with: that clock drifts away from the machine's in days, and a
/// buffer with events may be under way. It stands still while nothing has to have arrived. Events come on one thread, the time is read on another.
/// </summary>
/// <param name="clock">Shows how long ago an event arrived.</param>
sealed class EventClock(TimeProvider clock)
{
    const long NanosecondsPerTick = 100;

    // The flush timer of a real-time session (EVENT_TRACE_PROPERTIES): without an event for as long, there was none.
    static readonly TimeSpan DeliveryTime = TimeSpan.FromSeconds(1);

    readonly Lock _lock = new();
    TraceTime _latest;
    TraceTime _now;
    long _arrived;

    /// <summary>Takes in that an event arrived.</summary>
    /// <param name="time">When it happened. Events of several processors arrive slightly out of order.</param>
    public void OnEvent(TraceTime time)
    {
        lock (_lock)
        {
            if (time > _latest)
            {
                (_latest, _arrived) = (time, clock.GetTimestamp());
            }
        }
    }

    /// <summary>The time; never before an earlier one.</summary>
    /// <returns>The default before the first event.</returns>
    public TraceTime Now()
    {
        lock (_lock)
        {
            if (_latest > default(TraceTime))
            {
                long overdue = (clock.GetElapsedTime(_arrived) - DeliveryTime).Ticks * NanosecondsPerTick;
                TraceTime now = _latest + Math.Max(overdue, 0);
                _now = now > _now ? now : _now;
            }

            return _now;
        }
    }
}
