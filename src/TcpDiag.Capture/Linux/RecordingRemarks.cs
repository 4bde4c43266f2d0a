using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Capture.Linux.SockDiag;

namespace TcpDiag.Capture.Linux;

/// <summary>What a recording lacks, in sentences for who reads it.</summary>
[SupportedOSPlatform("linux")]
static class RecordingRemarks
{
    const long NanosecondsPerTick = 100;

    /// <summary>Whether there are packets at all.</summary>
    /// <param name="sources">What was recorded from.</param>
    /// <param name="filter">What left some out again; null where nothing did.</param>
    /// <returns>True when there are.</returns>
    public static bool HasPackets(RecordingSources sources, ProcessFilter? filter) =>
        sources.Packets.Any(source => source.Interfaces.Any(place => place.Packets > (filter?.Packets(place.Id) ?? 0)));

    /// <summary>The remarks.</summary>
    /// <param name="settings">What was asked for.</param>
    /// <param name="sources">What was recorded from.</param>
    /// <param name="file">What was written.</param>
    /// <param name="filter">What was left out again; null where nothing was.</param>
    /// <param name="events">The events recorded.</param>
    /// <param name="mailbox">The samples recorded.</param>
    /// <returns>One sentence each.</returns>
    public static IEnumerable<string> Of(CaptureSettings settings, RecordingSources sources, RecordingFile file, ProcessFilter? filter, EventRecorder events, SampleMailbox mailbox)
    {
        string[] ofProcesses = [.. filter?.Remarks() ?? []];
        if (!HasPackets(sources, filter) && ofProcesses.Length == 0)
        {
            yield return $"no packet matched '{settings.Match}' at {string.Join(", ", settings.Interfaces)}: there was no such traffic, or it passes another interface, port or namespace";
        }
        else if (settings.WithEvents && filter is null && events.Events + events.Samples == 0)
        {
            yield return "no event of the TCP stack belongs to these packets: their connections end on other machines or in other namespaces, or are not TCP";
        }

        foreach (string name in sources.Tracepoints?.Missing ?? [])
        {
            yield return $"this kernel has no tracepoint {name}";
        }

        if (file.KeptFrom is { } kept)
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
