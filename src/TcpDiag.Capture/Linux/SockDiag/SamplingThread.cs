using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>
/// Samples on a thread of its own: the kernel answers only once nobody else works on the socket, which takes long when a
/// busy application does, and meanwhile packets and events must be read.
/// </summary>
sealed class SamplingThread : IDisposable
{
    const int LastMilliseconds = 1000;

    // sched(7); the lowest real-time priority, for a thread that works a tenth of the time at most.
    const int SchedFifo = 1;
    const int Priority = 1;
    const long NanosecondsPerMillisecond = 1_000_000;

    readonly SamplingSchedule[] _schedules;
    readonly SocketOwners _owners;
    readonly SampleMailbox _mailbox;
    readonly ManualResetEvent _stop = new(initialState: false);
    readonly Thread _thread;

    /// <summary>Starts sampling.</summary>
    /// <param name="samplers">One for each network namespace.</param>
    /// <param name="owners">Finds the processes.</param>
    /// <param name="interval">Time between two samples.</param>
    /// <param name="mailbox">Takes the samples.</param>
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

    /// <summary>Whether samples may still come.</summary>
    public bool IsAlive => _thread.IsAlive;

    /// <summary>Has every open connection sampled once more, and ends soon after.</summary>
    public void Finish() => _stop.Set();

    /// <inheritdoc/>
    public void Dispose()
    {
        // A thread that is still in the kernel keeps the event; it goes with the process.
        _stop.Set();
        if (!_thread.IsAlive || _thread.Join(LastMilliseconds))
        {
            _stop.Dispose();
        }
    }

    void Run()
    {
        // The lock of a busy socket is free for a moment only: whoever is not there at once waits for the next one, and is woken in vain by every segment
        // meanwhile. Where real-time priority is refused sampling goes on without it.
        _ = Libc.SetScheduler(0, SchedFifo, Priority);
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
