using System;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>
/// When a sampler samples and when it lists sockets: as asked for, but never for more than a small part of the time. Waiting counts too: while a thread waits
/// for the socket of a busy sender, each segment wakes it in vain, which has halved the goodput of an unpaced transfer.
/// </summary>
/// <param name="sampler">The sampler.</param>
/// <param name="interval">Time between two samples.</param>
sealed class SamplingSchedule(SocketSampler sampler, TimeSpan interval)
{
    const long NanosecondsPerTick = 100;

    // Sampling may take a tenth of the time, listing a fiftieth: it walks over all sockets of the namespace.
    const int SampleFactor = 10;
    const int ListFactor = 50;
    const long ListInterval = 250_000_000;

    readonly long _interval = interval.Ticks * NanosecondsPerTick;
    long _nextSample;
    long _nextList;

    /// <summary>Does what is due.</summary>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    /// <param name="sink">Takes the samples.</param>
    /// <returns>When to come again, monotonic clock.</returns>
    public long RunIfDue(long now, IStackEventSink sink)
    {
        if (now >= _nextList)
        {
            sampler.Discover();
            _nextList = now + Pause(now, ListInterval, ListFactor);
        }

        if (now >= _nextSample)
        {
            long before = Libc.Now(Libc.ClockMonotonic);
            sampler.Sample(sink);
            _nextSample = before + Pause(before, _interval, SampleFactor);
        }

        return Math.Min(_nextList, _nextSample);
    }

    /// <summary>Lists and samples once more, due or not: how every open connection stands at the end.</summary>
    /// <param name="sink">Takes the samples.</param>
    public void RunLast(IStackEventSink sink)
    {
        sampler.Discover();
        sampler.Sample(sink);
    }

    static long Pause(long before, long interval, int factor) =>
        Math.Max(interval, (Libc.Now(Libc.ClockMonotonic) - before) * factor);
}
