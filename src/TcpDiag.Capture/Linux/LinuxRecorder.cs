using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Capture.Linux.Packets;
using TcpDiag.Capture.Linux.Snapshots;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Capture.Triggers;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// Records packets, the stack's events and samples of its connections into one pcapng stream: one thread waits for
/// packets for at most 2 ms, empties every source, and writes what is old enough to be in order; a second one samples. Memory is bounded by the
/// settings. docs/capture-linux.md describes what is recorded and what it costs.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class LinuxRecorder : IDisposable
{
    const long PollNanos = 2_000_000;
    const long NanosecondsPerTick = 100;
    const long NanosecondsPerMillisecond = 1_000_000;

    // Events are read every 2 ms, or later on a busy processor; pending packets are peeked at. With a process filter, all records wait until the owners
    // of new connections should have been found.
    const long OrderWindowNanos = 20 * NanosecondsPerMillisecond;
    const long OwnerWindowNanos = 2000 * NanosecondsPerMillisecond;
    const long FlushIntervalNanos = 15 * NanosecondsPerMillisecond;
    const long DrainIntervalNanos = 1 * NanosecondsPerMillisecond;
    const long PairIntervalNanos = 1000 * NanosecondsPerMillisecond;

    // What a reader of the growing file, or of one left by a crash, misses at most.
    const long SaveIntervalNanos = 250 * NanosecondsPerMillisecond;

    // The kernel delivers its last packets after about 16 ms, or later on a busy processor.
    const long MaxFinalWaitNanos = 1000 * NanosecondsPerMillisecond;

    readonly CaptureSettings _settings;
    readonly RecordingSources _sources;
    readonly RecordingFile _file;
    readonly TimeOrder _order;
    readonly ProcessFilter? _filter;
    readonly EventRecorder _events;
    readonly TriggerWatch? _watch;
    readonly SampleMailbox _mailbox;
    readonly SamplingThread _sampling;
    readonly PollDescriptor[] _waits;
    readonly DiskWatch? _disk;
    readonly ClockPair _clock = new();
    readonly long _startNanos = Libc.Now(Libc.ClockMonotonic);
    readonly long _startRealtimeNanos = Libc.Now(Libc.ClockRealtime);
    long _nextFlushNanos;
    long _nextDrainNanos;
    long _nextPairNanos;
    long _nextSaveNanos;

    LinuxRecorder(CaptureSettings settings, RecordingSources sources, Func<Stream> open, string comment)
    {
        _settings = settings;
        _sources = sources;
        _file = new(open, settings, comment);
        _filter = sources.OwnerTable is null ? null : new(settings.Match, sources.OwnerTable, _file, _file.Interfaces);
        _order = new(settings.OrderBufferBytes, (IRecordWriter?)_filter ?? _file);
        _watch = TriggerWatch.For(settings, TimeProvider.System);
        IStackEventSink? watching = _watch is not null && _filter is not null ? new ProcessEvents(_filter, _watch) : _watch;
        _mailbox = new(watching);
        _events = new(_order, sources.Samplers, watching);
        _sampling = new(sources.Samplers, sources.Owners, settings.SampleInterval, _mailbox);
        _waits = sources.Waits();
        _disk = settings.DiskFolder is { } folder ? new(folder) : null;
    }

    /// <summary>Opens all sources; recording begins here.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="output">The stream to write to; closed with the recorder.</param>
    /// <returns>The recorder.</returns>
    /// <exception cref="CaptureException">Recording is not possible.</exception>
    public static LinuxRecorder Open(CaptureSettings settings, Stream output) => Open(settings, () => output);

    /// <summary>Opens all sources; recording begins here.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="open">Opens the output, once; in a split recording once per trace, after the previous one is closed. Closed with the recorder.</param>
    /// <returns>The recorder.</returns>
    /// <exception cref="CaptureException">Recording is not possible.</exception>
    public static LinuxRecorder Open(CaptureSettings settings, Func<Stream> open)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(open);
        RequireRecorded(settings.Until);
        var selector = new ConnectionSelector(settings.Match.ForAnyProcess(new MatchProtocol(IpProtocol.Tcp)), OwnConnections.Find());
        string comment = Describe(settings);
        DiskWatch.Require(settings.DiskFolder);
        return new(settings, RecordingSources.Open(settings, selector), open, comment);
    }

    /// <summary>Records until time or size is reached, or until cancelled.</summary>
    /// <param name="stop">Ends the recording; the file is completed all the same.</param>
    /// <returns>What was recorded.</returns>
    /// <exception cref="IOException">The file could not be written.</exception>
    public CaptureSummary Run(CancellationToken stop)
    {
        long end = _startNanos + (_settings.Duration.Ticks * NanosecondsPerTick);
        long now;
        StopReason? reason;
        while ((reason = StopsAt(now = Wait(), end, stop)) is null)
        {
            Turn(now);
        }

        Finish();
        return Summarize(reason.Value, now);
    }

    /// <summary>Removes sockets and tracing from the kernel and closes the file.</summary>
    public void Dispose()
    {
        try
        {
            _file.Dispose();
        }
        finally
        {
            _watch?.Dispose();
            _sampling.Dispose();
            _sources.Dispose();
        }
    }

    static void RequireRecorded(IEnumerable<TriggerCondition> conditions)
    {
        foreach (EventSeen condition in conditions.OfType<EventSeen>())
        {
            if (condition.WhyNotRecorded(onWindows: false) is { } why)
            {
                throw new CaptureException(why);
            }
        }
    }

    long Wait()
    {
        _ = Libc.Poll(_waits, (nuint)_waits.Length, Timespec.FromNanos(PollNanos));
        return Libc.Now(Libc.ClockMonotonic);
    }

    StopReason? StopsAt(long now, long end, CancellationToken stop)
    {
        if (stop.IsCancellationRequested)
        {
            return StopReason.Stopped;
        }

        if (_watch?.HasEnded(_settings.After) is true)
        {
            return StopReason.Trigger;
        }

        if (_file.IsFull)
        {
            return StopReason.Size;
        }

        if (_disk is { IsNearlyFull: true })
        {
            return StopReason.Disk;
        }

        return now >= end ? StopReason.Duration : null;
    }

    void Turn(long now)
    {
        // Read before anything is drained: whatever delays this turn, all that is older than the window will have arrived.
        long realtime = Libc.Now(Libc.ClockRealtime);
        if (now >= _nextPairNanos)
        {
            _clock.Pair();
            _nextPairNanos = now + PairIntervalNanos;
        }

        bool hasMore = DrainPackets();
        if (now >= _nextDrainNanos)
        {
            _sources.Tracepoints?.Drain(_clock, _events);
            _nextDrainNanos = now + DrainIntervalNanos;
        }

        long busySinceNanos = _mailbox.BusySinceNanos;
        _mailbox.Empty(_events);

        // Packets still in the ring are older than what has arrived: wait for them.
        if (now >= _nextFlushNanos && !hasMore)
        {
            long window = _filter is null ? OrderWindowNanos : OwnerWindowNanos;
            _order.Flush(new(Math.Min(Math.Min(realtime - window, busySinceNanos), OldestPending() ?? long.MaxValue)));
            _nextFlushNanos = now + FlushIntervalNanos;
            if (_file.TakeRotated())
            {
                _sources.AnnounceAgain();
            }
        }

        if (now >= _nextSaveNanos)
        {
            _file.Flush();
            _disk?.Look(_file.BytesToCollect);
            _nextSaveNanos = now + SaveIntervalNanos;
        }
    }

    long? OldestPending()
    {
        long? oldest = null;
        foreach (PacketSource source in _sources.Packets)
        {
            if (source.PeekPending() is { } time)
            {
                oldest = Math.Min(oldest ?? long.MaxValue, time.Nanoseconds);
            }
        }

        return oldest;
    }

    bool DrainPackets()
    {
        bool hasMore = false;
        foreach (PacketSource source in _sources.Packets)
        {
            hasMore |= source.Drain(_order, _file);
        }

        return hasMore;
    }

    void Finish()
    {
        if (_settings.IsRing || _settings.IsSplit)
        {
            // The last piece, which a ring always keeps, lists the connections.
            _sources.AnnounceAgain();
        }

        _sampling.Finish();
        _sources.Stop();
        DrainRest();
        _sources.OwnerSearch?.Finish();
        _order.Flush(new(long.MaxValue));
        WriteStatistics();
    }

    // What is ready is drained however long that takes: nothing new arrives. What the kernel has not delivered yet is waited for.
    void DrainRest()
    {
        long end = Libc.Now(Libc.ClockMonotonic) + MaxFinalWaitNanos;
        while (DrainPackets() || ((OldestPending() is not null || _sampling.IsAlive) && Wait() < end))
        {
        }

        _sources.Tracepoints?.Drain(_clock, _events);
        _sources.Tracepoints?.ReportLost(_clock, _events);
        _mailbox.Empty(_events);
    }

    void WriteStatistics()
    {
        var time = new TraceTime(Libc.Now(Libc.ClockRealtime));
        foreach (PacketSource source in _sources.Packets)
        {
            long dropped = source.ReadDropped();
            foreach (RecordedInterface device in source.Interfaces)
            {
                _file.WriteStatistics(device.Id, time, device.Packets + dropped, dropped);
                device.Dropped = dropped;
                dropped = 0;
            }
        }
    }

    CaptureSummary Summarize(StopReason reason, long end) => new()
    {
        Engine = "linux",
        Started = new(_startRealtimeNanos),
        Duration = TimeSpan.FromTicks((end - _startNanos) / NanosecondsPerTick),
        StopReason = reason,
        Trigger = _watch?.Firing,
        Bytes = _file.Length,
        Interfaces = [.. _sources.Packets.SelectMany(source => source.Interfaces)
            .Select(device => new InterfaceSummary(device.Name, device.Packets - (_filter?.Packets(device.Id) ?? 0), device.Dropped))],
        Events = _events.Events - (_filter?.Events ?? 0),
        Samples = _events.Samples - (_filter?.Samples ?? 0),
        LostEvents = _sources.Tracepoints?.Lost ?? 0,
        OutOfOrder = _order.OutOfOrder,
        IsWhole = RecordingRemarks.HasPackets(_sources, _filter),
        Remarks = [.. RecordingRemarks.Of(_settings, _sources, _file, _filter, _events, _mailbox)],
    };

    static string Describe(CaptureSettings settings) =>
        (settings.IsSplit || settings.IsRing ? FormattableString.Invariant($"pieces: {Libc.Now(Libc.ClockRealtime)}\n") : string.Empty)
        + FormattableString.Invariant($"match: {settings.Match}\nsnap length: {settings.SnapLength}\n")
        + (settings.WithEvents ? FormattableString.Invariant($"tcp_info every {settings.SampleInterval.TotalMilliseconds} ms\n") : string.Empty)
        + CaptureNamespace.Run(settings.Interfaces[0].NetworkNamespace, SystemReport.TcpSettings);
}
