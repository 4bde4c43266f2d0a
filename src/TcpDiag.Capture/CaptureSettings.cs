using System;
using System.Collections.Generic;
using TcpDiag.Capture.Triggers;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture;

/// <summary>What to record, and when to stop.</summary>
public sealed record CaptureSettings
{
    /// <summary>Headers with room for the longest TCP options over IPv6: 14 + 4 (VLAN) + 40 + 60 bytes, rounded up.</summary>
    public const int HeaderSnapLength = 120;

    /// <summary>Which traffic. Engines of Windows cannot tell processes apart: they record what the rest of it matches.</summary>
    public required MatchRule Match { get; init; }

    /// <summary>Where.</summary>
    public IReadOnlyList<CaptureInterface> Interfaces { get; init; } = [new(CaptureInterface.Any)];

    /// <summary>Bytes kept of each packet, link header included.</summary>
    public int SnapLength { get; init; } = HeaderSnapLength;

    /// <summary>Longest duration.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>Size at which recording stops, bytes; the file may exceed it by what was recorded within 50 ms.</summary>
    public long MaxBytes { get; init; } = 1L << 30;

    /// <summary>Whether the last of what was recorded is kept, at most <see cref="MaxBytes"/>, instead of ending there.</summary>
    public bool IsRing { get; init; }

    /// <summary>How far a ring reaches back if its size allows; null as far as that does.</summary>
    public TimeSpan? RingTime { get; init; }

    /// <summary>Folder for the pieces of a ring while it is recorded (Linux), which must not be there; null for one with the temporary files.</summary>
    public string? RingFolder { get; init; }

    /// <summary>Folder whose disk is watched while the recording goes there (Linux); null when it goes nowhere that fills.</summary>
    public string? DiskFolder { get; init; }

    /// <summary>Length at which a recording goes on in another trace (Linux), bytes; null for no such limit.</summary>
    public long? SplitBytes { get; init; }

    /// <summary>Time after which a recording goes on in another trace (Linux); null for no such limit.</summary>
    public TimeSpan? SplitTime { get; init; }

    /// <summary>Whether the recording becomes several traces. A ring does not.</summary>
    public bool IsSplit => SplitBytes is not null || SplitTime is not null;

    /// <summary>What ends the recording when it happens, whichever comes first; none waits for time and size alone.</summary>
    public IReadOnlyList<TriggerCondition> Until { get; init; } = [];

    /// <summary>How long to go on after that.</summary>
    public TimeSpan After { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Speed of the fastest link that is up, bits per second; buffers of the etw engine are sized by it.</summary>
    public long LinkBitsPerSecond { get; init; } = LinkSpeed.Usual;

    /// <summary>Whether the stack's events and samples are recorded beside the packets.</summary>
    public bool WithEvents { get; init; } = true;

    /// <summary>Whether packets are recorded at every component they pass (pktmon), so that it shows which one drops them.</summary>
    public bool WithDrops { get; init; }

    /// <summary>Whether each read of an application is recorded (Linux): one more event per call, without a number in it.</summary>
    public bool WithReads { get; init; }

    /// <summary>Time between two samples of each connection; zero for none. Widened by itself where sampling takes long.</summary>
    public TimeSpan SampleInterval { get; init; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Memory for packets between kernel and recorder, per interface, bytes.</summary>
    public int PacketBufferBytes { get; init; } = 1 << 25;

    /// <summary>Memory for events between kernel and recorder, all processors together, bytes.</summary>
    public long EventBufferBytes { get; init; } = 1L << 25;

    /// <summary>Memory for putting records into the order of time, bytes; used twice.</summary>
    public int OrderBufferBytes { get; init; } = 1 << 25;
}
