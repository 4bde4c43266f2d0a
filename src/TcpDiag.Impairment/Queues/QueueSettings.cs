namespace TcpDiag.Impairment.Queues;

/// <summary>Which packets a queue lets go first, and which it drops before it is full.</summary>
public abstract record QueueSettings
{
    private protected QueueSettings(bool marksEcn) => MarksEcn = marksEcn;

    /// <summary>Whether an ECN-capable packet is marked CE where another one would be dropped early.</summary>
    public bool MarksEcn { get; }

    /// <summary>The packets it holds when the path text names no buffer.</summary>
    internal virtual int DefaultPackets => 1000;
}

/// <summary>CoDel (RFC 8289).</summary>
/// <param name="TargetNanos">TARGET: the sojourn time that may stand, ns.</param>
/// <param name="IntervalNanos">INTERVAL: for how long it may be exceeded, ns.</param>
/// <param name="MarksEcn">Whether ECN-capable packets are marked.</param>
public sealed record CodelSettings(long TargetNanos = CodelSettings.DefaultTarget, long IntervalNanos = CodelSettings.DefaultInterval, bool MarksEcn = false)
    : QueueSettings(MarksEcn)
{
    /// <summary>5 ms (RFC 8289 §4.4).</summary>
    public const long DefaultTarget = 5_000_000;

    /// <summary>100 ms (RFC 8289 §4.3).</summary>
    public const long DefaultInterval = 100_000_000;
}

/// <summary>FQ-CoDel (RFC 8290): flows take turns by bytes, new ones first, each with a CoDel of its own.</summary>
/// <param name="TargetNanos">TARGET of each flow, ns.</param>
/// <param name="IntervalNanos">INTERVAL of each flow, ns.</param>
/// <param name="MarksEcn">Whether ECN-capable packets are marked; RFC 8290 §5.2.7 enables it by default in Linux.</param>
public sealed record FqCodelSettings(long TargetNanos = CodelSettings.DefaultTarget, long IntervalNanos = CodelSettings.DefaultInterval, bool MarksEcn = false)
    : QueueSettings(MarksEcn)
{
    internal override int DefaultPackets => 10_240; // RFC 8290 §5.2.3
}

/// <summary>PIE (RFC 8033): packets are dropped on arrival, with a probability that follows the queueing delay.</summary>
/// <param name="ReferenceNanos">QDELAY_REF: the queueing delay aimed at, ns.</param>
/// <param name="UpdateNanos">T_UPDATE: how often the probability is computed, ns.</param>
/// <param name="MarksEcn">Whether ECN-capable packets are marked while the probability is at most 10 % (RFC 8033 §5.1).</param>
public sealed record PieSettings(long ReferenceNanos = PieSettings.DefaultReference, long UpdateNanos = PieSettings.DefaultUpdate, bool MarksEcn = false)
    : QueueSettings(MarksEcn)
{
    /// <summary>15 ms (RFC 8033 §4.2).</summary>
    public const long DefaultReference = 15_000_000;

    /// <summary>15 ms (RFC 8033 §4.2).</summary>
    public const long DefaultUpdate = 15_000_000;
}
