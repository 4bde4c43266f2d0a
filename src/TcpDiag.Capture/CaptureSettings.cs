using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Capture.Triggers;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture;

/// <summary>What to record, and when to stop.</summary>
public sealed record CaptureSettings
{
    /// <summary>Headers with room for the longest TCP options over IPv6: 14 + 4 (VLAN) + 40 + 60 bytes, rounded up.</summary>
    public const int HeaderSnapLength = 120;

    /// <summary>The traffic to record. Windows engines cannot filter by process: they record what the rest of the rule matches.</summary>
    public required MatchRule Match { get; init; }

    /// <summary>The interfaces.</summary>
    public IReadOnlyList<CaptureInterface> Interfaces { get; init; } = [new(CaptureInterface.Any)];

    /// <summary>Bytes kept of each packet, link header included.</summary>
    public int SnapLength { get; init; } = HeaderSnapLength;

    /// <summary>Maximum duration.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Size at which recording stops, bytes; the file may exceed it by what was recorded within 50 ms.</summary>
    public long MaxBytes { get; init; } = 1L << 30;

    /// <summary>Whether recording goes on at <see cref="MaxBytes"/>, keeping only the latest part.</summary>
    public bool IsRing { get; init; }

    /// <summary>How far a ring reaches back if its size allows; null for as far as that allows.</summary>
    public TimeSpan? RingTime { get; init; }

    /// <summary>Folder for the pieces of a ring while it is recorded (Linux), which must not exist; null for one in the temporary folder.</summary>
    public string? RingFolder { get; init; }

    /// <summary>Folder whose free disk space is watched (Linux); null for none.</summary>
    public string? DiskFolder { get; init; }

    /// <summary>Length at which a recording continues in a new trace, bytes; null for no limit.</summary>
    public long? SplitBytes { get; init; }

    /// <summary>Time after which a recording continues in a new trace (Linux); null for no limit.</summary>
    public TimeSpan? SplitTime { get; init; }

    /// <summary>Whether the recording is split into several traces.</summary>
    public bool IsSplit => SplitBytes is not null || SplitTime is not null;

    /// <summary>Conditions that end the recording, whichever comes first; empty for time and size alone.</summary>
    public IReadOnlyList<TriggerCondition> Until { get; init; } = [];

    /// <summary>How long to record after that.</summary>
    public TimeSpan After { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Speed of the fastest link that is up, bits per second; buffers of the etw engine are sized by it.</summary>
    public long LinkBitsPerSecond { get; init; } = LinkSpeed.Usual;

    /// <summary>Whether the stack's events and samples are recorded beside the packets.</summary>
    public bool WithEvents { get; init; } = true;

    /// <summary>Whether packets are recorded at every component they pass (pktmon), which shows where they are dropped.</summary>
    public bool WithDrops { get; init; }

    /// <summary>Whether each read of an application is recorded (Linux): one more event per call, without any number.</summary>
    public bool WithReads { get; init; }

    /// <summary>Time between two samples of each connection; zero for none. Longer where sampling itself takes long.</summary>
    public TimeSpan SampleInterval { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Memory for packets between kernel and recorder, per interface, bytes.</summary>
    public int PacketBufferBytes { get; init; } = 1 << 25;

    /// <summary>Memory for events between kernel and recorder, all processors together, bytes.</summary>
    public long EventBufferBytes { get; init; } = 1L << 25;

    /// <summary>Memory for sorting records by time, bytes; allocated twice.</summary>
    public int OrderBufferBytes { get; init; } = 1 << 25;
}

/// <summary>Where packets are recorded.</summary>
/// <param name="Name">The interface as the system names it, or <see cref="Any"/>.</param>
/// <param name="NetworkNamespace">Linux: the network namespace as <c>ip netns</c> names it; null for the caller's own.</param>
public sealed record CaptureInterface(string Name, string? NetworkNamespace = null)
{
    /// <summary>Stands for all interfaces, also those that appear later.</summary>
    public const string Any = "any";

    /// <summary>Reads <c>eth0</c>, <c>any</c>, or <c>NAMESPACE/eth0</c>; interface and namespace names cannot hold a slash.</summary>
    /// <param name="text">The text.</param>
    /// <returns>The interface.</returns>
    public static CaptureInterface Parse(string text)
    {
        int slash = text.IndexOf('/', StringComparison.Ordinal);
        return slash < 0 ? new(text) : new(text[(slash + 1)..], text[..slash]);
    }

    /// <inheritdoc/>
    public override string ToString() => NetworkNamespace is null ? Name : $"{NetworkNamespace}/{Name}";
}

/// <summary>Speeds of links, bits per second.</summary>
public static class LinkSpeed
{
    /// <summary>Assumed where no speed is known.</summary>
    public const long Usual = 1_000_000_000;

    /// <summary>The fastest of several.</summary>
    /// <param name="speeds">Speeds as reported; 0 or less for a link that reports none.</param>
    /// <returns>The highest; <see cref="Usual"/> where none is known.</returns>
    public static long FastestOf(IEnumerable<long> speeds) => speeds.Where(speed => speed > 0).DefaultIfEmpty(Usual).Max();
}
