using System;

namespace TcpDiag.Store;

/// <summary>The time as stores write it.</summary>
static class StoreClock
{
    /// <summary>Nanoseconds since the Unix epoch.</summary>
    public static long NowNanos(this TimeProvider time) => (time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;
}
