using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>
/// Samples on a thread of its own: the kernel answers only when it gets the socket lock, which takes long under a
/// busy application, and meanwhile packets and events must be read.
/// </summary>
sealed class SamplingThread : IDisposable
{
    const int LastMilliseconds = 1000;

    // sched(7); the lowest real-time priority, for a thread that works a tenth of the time at most.
    const int Priority = 1;
    const long NanosecondsPerMillisecond = 1_000_000;

    readonly SamplingSchedule[] _schedules;
    readonly SocketOwners _owners;
    readonly SampleMailbox _mailbox;
    readonly ManualResetEvent _stop = new(initialState: false);
    readonly Thread _thread;

    public SamplingThread(IReadOnlyList<SocketSampler> samplers, SocketOwners owners, TimeSpan interval, SampleMailbox mailbox)
    {
        _schedules = [.. samplers.Select(sampler => new SamplingSchedule(sampler, interval))];
        _owners = owners;
        _mailbox = mailbox;
        _thread = new(Run) { IsBackground = true, Name = "tcp_info" };
        if (_schedules.Length > 0)
        {
            _thread.Start();
        }
    }

    public bool IsAlive => _thread.IsAlive;

    /// <summary>Samples every open connection once more, then ends.</summary>
    public void Finish() => _stop.Set();

    public void Dispose()
    {
        // A thread that is still in the kernel keeps the event, which ends with the process.
        _stop.Set();
        if (!_thread.IsAlive || _thread.Join(LastMilliseconds))
        {
            _stop.Dispose();
        }
    }

    void Run()
    {
        // The lock of a busy socket is free for a moment only: a waiter that does not run at once waits for the next moment, and every segment wakes it
        // in vain. Where real-time priority is refused, sampling goes on without it.
        _ = Libc.SetScheduler(0, Libc.SchedFifo, Priority);
        int pause = 0;
        while (!_stop.WaitOne(pause))
        {
            long now = Libc.Now(Libc.ClockMonotonic);
            long next = long.MaxValue;
            _mailbox.Begin();
            foreach (SamplingSchedule schedule in _schedules)
            {
                next = Math.Min(next, schedule.RunIfDue(now, _mailbox));
            }

            _mailbox.End();
            _owners.SearchIfDue(now);
            pause = (int)Math.Max((next - Libc.Now(Libc.ClockMonotonic) + NanosecondsPerMillisecond - 1) / NanosecondsPerMillisecond, 0);
        }

        _mailbox.Begin();
        foreach (SamplingSchedule schedule in _schedules)
        {
            schedule.RunLast(_mailbox);
        }

        _mailbox.End();
    }
}

/// <summary>
/// When a sampler samples and when it lists sockets: at the given interval, but never for more than a small part of the time. Waiting counts too:
/// while a thread waits for the socket of a busy sender, each segment wakes it in vain, which has halved the goodput of an unpaced transfer.
/// </summary>
sealed class SamplingSchedule(SocketSampler sampler, TimeSpan interval)
{
    const long NanosecondsPerTick = 100;

    // Sampling may take a tenth of the time, listing a fiftieth: it walks over all sockets of the namespace.
    const int SampleFactor = 10;
    const int ListFactor = 50;
    const long ListIntervalNanos = 250_000_000;

    readonly long _intervalNanos = interval.Ticks * NanosecondsPerTick;
    long _nextSampleNanos;
    long _nextListNanos;

    /// <summary>Does what is due.</summary>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    /// <param name="sink">Receives the samples.</param>
    /// <returns>When to come again, monotonic clock.</returns>
    public long RunIfDue(long now, IStackEventSink sink)
    {
        if (now >= _nextListNanos)
        {
            sampler.Discover();
            _nextListNanos = now + Pause(now, ListIntervalNanos, ListFactor);
        }

        if (now >= _nextSampleNanos)
        {
            long before = Libc.Now(Libc.ClockMonotonic);
            sampler.Sample(sink);
            _nextSampleNanos = before + Pause(before, _intervalNanos, SampleFactor);
        }

        return Math.Min(_nextListNanos, _nextSampleNanos);
    }

    /// <summary>Lists and samples once more, due or not: the final state of every open connection.</summary>
    public void RunLast(IStackEventSink sink)
    {
        sampler.Discover();
        sampler.Sample(sink);
    }

    static long Pause(long before, long interval, int factor) =>
        Math.Max(interval, (Libc.Now(Libc.ClockMonotonic) - before) * factor);
}

/// <summary>Passes samples from the sampling thread to the one that writes the file, encoded and in bounded memory.</summary>
/// <param name="watch">Sees each sample; null for none.</param>
sealed class SampleMailbox(IStackEventSink? watch) : IStackEventSink
{
    // About 10,000 samples; the writer empties the mailbox every few milliseconds.
    const int MaxBytes = 1 << 23;

    readonly Lock _gate = new();
    List<(TraceTime Time, int Length, bool IsSample)> _filling = [];
    List<(TraceTime Time, int Length, bool IsSample)> _emptying = [];
    byte[] _fillingBytes = new byte[1 << 16];
    byte[] _emptyingBytes = new byte[1 << 16];
    int _used;
    long _busySinceNanos = long.MaxValue;

    /// <summary>Entries dropped because the mailbox was full.</summary>
    public long Refused { get; private set; }

    /// <summary>Start of the sampling in progress, nanoseconds on the realtime clock; long.MaxValue when there is none.</summary>
    public long BusySinceNanos => Volatile.Read(ref _busySinceNanos);

    /// <summary>Marks the start of sampling.</summary>
    public void Begin() => Volatile.Write(ref _busySinceNanos, Libc.Now(Libc.ClockRealtime));

    /// <summary>Marks that all samples taken are in the mailbox.</summary>
    public void End() => Volatile.Write(ref _busySinceNanos, long.MaxValue);

    public void Add(StackEvent stackEvent)
    {
        watch?.Add(stackEvent);
        lock (_gate)
        {
            int room = JournalEncoder.MaxLength(stackEvent);
            if (_used + room > MaxBytes)
            {
                Refused++;
                return;
            }

            if (_used + room > _fillingBytes.Length)
            {
                Array.Resize(ref _fillingBytes, Math.Max(_fillingBytes.Length * 2, _used + room));
            }

            int length = JournalEncoder.Encode(stackEvent, _fillingBytes.AsSpan(_used));
            _filling.Add((stackEvent.Time, length, stackEvent.Kind == StackEventKind.CwndSample));
            _used += length;
        }
    }

    public void Empty(EventRecorder recorder)
    {
        lock (_gate)
        {
            (_filling, _emptying) = (_emptying, _filling);
            (_fillingBytes, _emptyingBytes) = (_emptyingBytes, _fillingBytes);
            _used = 0;
        }

        int offset = 0;
        foreach ((TraceTime time, int length, bool isSample) in _emptying)
        {
            recorder.AddEncoded(time, _emptyingBytes.AsSpan(offset, length), isSample);
            offset += length;
        }

        _emptying.Clear();
    }
}
