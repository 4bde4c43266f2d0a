using System.Collections.Generic;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Reordering;

namespace TcpDiag.Impairment;

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
    public long DelayNs { get; init; }

    /// <summary>Variation of the delay; null for none.</summary>
    public JitterSettings? Jitter { get; init; }

    /// <summary>Loss models, each deciding on the packets the one before it let pass.</summary>
    public IReadOnlyList<LossSettings> Losses { get; init; } = [];

    /// <summary>Kinds of reordering, each acting on what the one before it decided; at most one is a swap.</summary>
    public IReadOnlyList<ReorderSettings> Reorderings { get; init; } = [];

    /// <summary>Which packets are sent twice; null for none.</summary>
    public ChanceSettings? Duplication { get; init; }

    /// <summary>Which packets have a bit flipped; null for none.</summary>
    public ChanceSettings? Corruption { get; init; }

    /// <summary>Times without any connection.</summary>
    public IReadOnlyList<BlackoutWindow> Blackouts { get; init; } = [];
}
