using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Capture.Linux.Packets;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Capture.Linux.Tracefs;

namespace TcpDiag.Capture.Linux;

/// <summary>Everything a recording reads from, opened together and closed together.</summary>
sealed class RecordingSources : IDisposable
{
    static int _recordings;

    readonly List<PacketSource> _packets = [];
    readonly List<SocketSampler> _samplers = [];

    RecordingSources()
    {
    }

    /// <summary>One source for each interface asked for.</summary>
    public IReadOnlyList<PacketSource> Packets => _packets;

    /// <summary>One sampler for each network namespace.</summary>
    public IReadOnlyList<SocketSampler> Samplers => _samplers;

    /// <summary>The kernel's events; null when they are not recorded.</summary>
    public TcpEventSource? Tracepoints { get; private set; }

    /// <summary>Whose connections are; null when processes do not matter for what is recorded.</summary>
    public OwnerTable? OwnerTable { get; private set; }

    /// <summary>Keeps that table up to date; null without it.</summary>
    public OwnerSearch? OwnerSearch { get; private set; }

    /// <summary>Finds the processes of sockets.</summary>
    public SocketOwners Owners { get; } = new();

    /// <summary>Opens everything; recording begins.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="selector">Which connections.</param>
    /// <returns>The sources.</returns>
    /// <exception cref="CaptureException">The machine does not let us record.</exception>
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
            foreach (CaptureInterface place in settings.Interfaces)
            {
                PacketSocket socket = NetworkNamespace.Run(
                    place.NetworkNamespace, () => PacketSocket.Open(place.Name, filter, settings.PacketBufferBytes));
                sources._packets.Add(new(socket, place, settings.SnapLength));
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

    /// <summary>Has what is told of a connection once told again, for a file that begins anew.</summary>
    public void AnnounceAgain() => _samplers.ForEach(sampler => sampler.AnnounceAgain());

    /// <summary>What to wait on.</summary>
    /// <returns>One entry for each packet source.</returns>
    public PollDescriptor[] Waits() =>
        [.. _packets.Select(source => new PollDescriptor { Descriptor = source.Descriptor, Events = PollDescriptor.PollIn })];

    /// <inheritdoc/>
    public void Dispose()
    {
        Tracepoints?.Dispose();
        OwnerSearch?.Dispose();
        _packets.ForEach(source => source.Dispose());
        _samplers.ForEach(sampler => sampler.Dispose());
    }

    static IEnumerable<string?> Namespaces(CaptureSettings settings) => settings.Interfaces.Select(place => place.NetworkNamespace).Distinct(StringComparer.Ordinal);

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
            _samplers.Add(new(NetworkNamespace.Run(name, NetlinkSocket.Open), selector, Owners));
        }
    }
}
