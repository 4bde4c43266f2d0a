using System.Collections.Generic;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment;

/// <summary>The settings of an emulated path.</summary>
public sealed record EmulatorSettings
{
    /// <summary>From the near to the far side.</summary>
    public PathSettings Out { get; init; } = new(new LinkSettings());

    /// <summary>From the far to the near side.</summary>
    public PathSettings In { get; init; } = new(new LinkSettings());

    /// <summary>The seed of every random stream.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>How many packets a segment may hold per direction, queued and propagating together; further ones are dropped, which voids the run.</summary>
    public int CapacityPackets { get; init; } = 262_144;

    /// <summary>Round-trip propagation time in nanoseconds, from which bandwidth–delay products are computed.</summary>
    public long RttNanos => Out.DelayNanos + In.DelayNanos;
}

/// <summary>One direction of a path: the segment in front of the observation point, and one behind it if there is any.</summary>
/// <param name="Before">The segment every packet crosses first.</param>
/// <param name="Behind">The segment behind <see cref="ObservationPoint.Between"/>, or null.</param>
public sealed record PathSettings(LinkSettings Before, LinkSettings? Behind = null)
{
    /// <summary>One-way propagation delay of the whole direction in nanoseconds, without jitter.</summary>
    public long DelayNanos => Before.DelayNanos + (Behind?.DelayNanos ?? 0);
}

/// <summary>One direction of one segment of a path. The default impairs nothing.</summary>
public sealed record LinkSettings
{
    /// <summary>Bit/s of IP packets, 1 … 10¹²; 0 does not limit.</summary>
    public long RateBitsPerSecond { get; init; }

    /// <summary>Bytes that may pass at once after an idle time (token bucket); 0 serialises every packet.</summary>
    public long BurstBytes { get; init; }

    /// <summary>The queue in front of the rate; null takes 1000 packets, as Linux's txqueuelen.</summary>
    public QueueDepth? Queue { get; init; }

    /// <summary>The depth of the queue from which ECN-capable packets are marked; null marks none.</summary>
    public QueueDepth? EcnThreshold { get; init; }

    /// <summary>One-way propagation delay in nanoseconds, at least 0.</summary>
    public long DelayNanos { get; init; }

    /// <summary>Variation of the delay; null for none.</summary>
    public JitterSettings? Jitter { get; init; }

    /// <summary>Loss models; each one sees the packets that the one before it let pass.</summary>
    public IReadOnlyList<LossSettings> Losses { get; init; } = [];

    /// <summary>Kinds of reordering, applied one after the other; at most one is a swap.</summary>
    public IReadOnlyList<ReorderSettings> Reorderings { get; init; } = [];

    /// <summary>Which packets are sent twice; null for none.</summary>
    public ChanceSettings? Duplication { get; init; }

    /// <summary>Which packets have a bit flipped; null for none.</summary>
    public ChanceSettings? Corruption { get; init; }

    /// <summary>Windows of time in which every packet is dropped.</summary>
    public IReadOnlyList<BlackoutWindow> Blackouts { get; init; } = [];
}
