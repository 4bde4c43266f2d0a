using System.Collections.Generic;
using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Queues;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Rates;
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

    /// <summary>A recorded link in place of a rate; null for none.</summary>
    public RateTrace? Trace { get; init; }

    /// <summary>What the link layer adds to each packet.</summary>
    public LinkOverhead Overhead { get; init; } = LinkOverhead.None;

    /// <summary>Bytes that may pass at once after an idle time (token bucket); 0 serialises every packet.</summary>
    public long BurstBytes { get; init; }

    /// <summary>The queue in front of the rate; null takes 1000 packets, as Linux's txqueuelen, and 10,240 for FQ-CoDel.</summary>
    public QueueDepth? Queue { get; init; }

    /// <summary>How the queue is managed; null is first in, first out with tail drop.</summary>
    public QueueSettings? Discipline { get; init; }

    /// <summary>Other traffic through the same queue.</summary>
    public IReadOnlyList<CrossSettings> Cross { get; init; } = [];

    /// <summary>The depth of the queue from which ECN-capable packets are marked; null marks none.</summary>
    public QueueDepth? EcnThreshold { get; init; }

    /// <summary>One-way propagation delay in nanoseconds, at least 0.</summary>
    public long DelayNanos { get; init; }

    /// <summary>Variation of the delay; null for none.</summary>
    public JitterSettings? Jitter { get; init; }

    /// <summary>Instants at which the medium takes packets; null for any.</summary>
    public SlotSettings? Slots { get; init; }

    /// <summary>Packets that are sent together; null for none.</summary>
    public AggregationSettings? Aggregation { get; init; }

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

    /// <summary>
    /// What holds later in the run, by ascending time: of each the rate, delay, jitter, losses, reorderings, duplication and corruption count; the rest stays.
    /// </summary>
    public IReadOnlyList<LinkChange> Changes { get; init; } = [];
}

/// <summary>The settings of a segment from some time on.</summary>
/// <param name="AtNanos">From when on, ns since the start of the run.</param>
/// <param name="Settings">All that holds then; its own changes do not count.</param>
public sealed record LinkChange(long AtNanos, LinkSettings Settings);
