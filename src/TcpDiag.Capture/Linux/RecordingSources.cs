using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Capture.Linux.Packets;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Capture.Linux;

/// <summary>Everything a recording reads from, opened and closed together.</summary>
sealed class RecordingSources : IDisposable
{
    static int _recordings;

    readonly List<PacketSource> _packets = [];
    readonly List<SocketSampler> _samplers = [];

    RecordingSources()
    {
    }

    /// <summary>One source for each requested interface.</summary>
    public IReadOnlyList<PacketSource> Packets => _packets;

    /// <summary>One sampler for each network namespace.</summary>
    public IReadOnlyList<SocketSampler> Samplers => _samplers;

    /// <summary>The kernel's events; null when they are not recorded.</summary>
    public TcpEventSource? Tracepoints { get; private set; }

    /// <summary>Whose connections are; null when processes do not matter for what is recorded.</summary>
    public OwnerTable? OwnerTable { get; private set; }

    /// <summary>Keeps that table up to date; null without it.</summary>
    public OwnerSearch? OwnerSearch { get; private set; }

    public SocketOwners Owners { get; } = new();

    /// <summary>Opens everything; recording begins.</summary>
    /// <exception cref="CaptureException">Recording is not possible.</exception>
    public static RecordingSources Open(CaptureSettings settings, ConnectionSelector selector)
    {
        var sources = new RecordingSources();
        try
        {
            if (settings.Match.NamesProcess)
            {
                sources.OwnerTable = new();
                sources.OwnerSearch = new(Namespaces(settings), sources.OwnerTable);
            }

            if (settings.WithEvents)
            {
                sources.OpenEvents(settings, selector);
            }

            BpfInstruction[] filter = PacketFilter.Create(selector.Match, selector.Excluded, settings.SnapLength);
            foreach (CaptureInterface device in settings.Interfaces)
            {
                PacketSocket socket = CaptureNamespace.Run(
                    device.NetworkNamespace, () => PacketSocket.Open(device.Name, filter, settings.PacketBufferBytes));
                sources._packets.Add(new(socket, device, settings.SnapLength));
            }

            return sources;
        }
        catch
        {
            sources.Dispose();
            throw;
        }
    }

    /// <summary>Ends recording; what the kernel still holds can be drained.</summary>
    public void Stop()
    {
        Tracepoints?.Stop();
        foreach (PacketSource source in _packets)
        {
            source.Stop();
        }
    }

    /// <summary>Repeats what is written once per connection, for a new file.</summary>
    public void AnnounceAgain() => _samplers.ForEach(sampler => sampler.AnnounceAgain());

    public PollDescriptor[] Waits() =>
        [.. _packets.Select(source => new PollDescriptor { Descriptor = source.Descriptor, Events = PollDescriptor.PollIn })];

    public void Dispose()
    {
        Tracepoints?.Dispose();
        OwnerSearch?.Dispose();
        _packets.ForEach(source => source.Dispose());
        _samplers.ForEach(sampler => sampler.Dispose());
    }

    static IEnumerable<string?> Namespaces(CaptureSettings settings) =>
        settings.Interfaces.Select(device => device.NetworkNamespace).Distinct(StringComparer.Ordinal);

    void OpenEvents(CaptureSettings settings, ConnectionSelector selector)
    {
        IReadOnlyList<Tracepoint> tracepoints = settings.WithReads ? [.. Tracepoint.Recorded, Tracepoint.DataRead] : Tracepoint.Recorded;
        Tracepoints = TcpEventSource.Open(tracepoints, selector, settings.EventBufferBytes, Interlocked.Increment(ref _recordings), OwnerTable);
        if (settings.SampleInterval <= TimeSpan.Zero)
        {
            return;
        }

        foreach (string? name in Namespaces(settings))
        {
            _samplers.Add(new(CaptureNamespace.Run(name, CaptureNamespace.OpenDiagnosis), selector, Owners));
        }
    }
}

/// <summary>What a recording lacks, in sentences for its reader.</summary>
[SupportedOSPlatform("linux")]
static class RecordingRemarks
{
    const long NanosecondsPerTick = 100;

    /// <summary>Whether there are packets at all.</summary>
    /// <param name="sources">What was recorded from.</param>
    /// <param name="filter">What left some out again; null where nothing did.</param>
    public static bool HasPackets(RecordingSources sources, ProcessFilter? filter) =>
        sources.Packets.Any(source => source.Interfaces.Any(device => device.Packets > (filter?.Packets(device.Id) ?? 0)));

    /// <summary>The remarks.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="sources">What was recorded from.</param>
    /// <param name="file">What was written.</param>
    /// <param name="filter">What was left out again; null where nothing was.</param>
    /// <param name="events">The events recorded.</param>
    /// <param name="mailbox">The samples recorded.</param>
    public static IEnumerable<string> Of(
        CaptureSettings settings, RecordingSources sources, RecordingFile file, ProcessFilter? filter, EventRecorder events, SampleMailbox mailbox)
    {
        string[] ofProcesses = [.. filter?.Remarks() ?? []];
        if (!HasPackets(sources, filter) && ofProcesses.Length == 0)
        {
            yield return $"no packet matched '{settings.Match}' at {string.Join(", ", settings.Interfaces)}: there was no such traffic, or it passes "
                + "another interface, port or namespace";
        }
        else if (settings.WithEvents && filter is null && events.Events + events.Samples == 0)
        {
            yield return "no event of the TCP stack belongs to these packets: their connections end on other machines or in other namespaces, or are not TCP";
        }

        foreach (string name in sources.Tracepoints?.Missing ?? [])
        {
            yield return $"this kernel has no tracepoint {name}";
        }

        if (file.KeptFromNanos is { } kept)
        {
            TimeSpan back = TimeSpan.FromTicks((Libc.Now(Libc.ClockRealtime) - kept) / NanosecondsPerTick);
            yield return FormattableString.Invariant($"the ring holds the last {back.TotalSeconds:F1} s; what is counted here is of the whole time")
                + (back < settings.RingTime ? ". It is shorter than asked for: raise --size" : string.Empty);
        }

        if (mailbox.Refused > 0)
        {
            yield return $"{mailbox.Refused} samples were lost: the recorder could not keep up";
        }

        foreach (string remark in ofProcesses)
        {
            yield return remark;
        }

        foreach (SocketSampler sampler in sources.Samplers)
        {
            if (sampler.Skipped > 0)
            {
                yield return $"more than {SocketSampler.MaxSockets} connections matched: the others were not sampled";
            }
        }
    }
}
