using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Simulator.Senders;

/// <summary>What happened to a sender so far.</summary>
public sealed record SenderCounts
{
    /// <summary>Data segments sent.</summary>
    public long Segments { get; init; }

    /// <summary>Of these, sent before.</summary>
    public long Retransmissions { get; init; }

    /// <summary>Tail loss probes.</summary>
    public int Probes { get; init; }

    /// <summary>Probes of a closed window.</summary>
    public int WindowProbes { get; init; }

    /// <summary>Expiries of the retransmission timer.</summary>
    public int Timeouts { get; init; }

    /// <summary>Fast recoveries.</summary>
    public int Recoveries { get; init; }

    /// <summary>Recoveries that proved needless and were undone.</summary>
    public int Undone { get; init; }

    /// <summary>DSACKs received.</summary>
    public int Dsacks { get; init; }

    /// <summary>Reductions by ECN echoes.</summary>
    public int EcnReductions { get; init; }

    /// <summary>Why slow start was left without loss.</summary>
    public HyStartTrigger SlowStartExit { get; init; }

    /// <summary>cwnd then, bytes; 0 if it was not.</summary>
    public long SlowStartExitCwnd { get; init; }
}

/// <summary>What a sender counts as it goes.</summary>
struct SenderCounters
{
    public long Segments;
    public long Retransmissions;
    public int Probes;
    public int WindowProbes;
    public int Timeouts;
    public int Dsacks;

    /// <summary>With what its recovery counted.</summary>
    public readonly SenderCounts Count(Recovery recovery) => new()
    {
        Segments = Segments,
        Retransmissions = Retransmissions,
        Probes = Probes,
        WindowProbes = WindowProbes,
        Timeouts = Timeouts,
        Recoveries = recovery.Recoveries,
        Undone = recovery.Undone,
        Dsacks = Dsacks,
        EcnReductions = recovery.EcnReductions,
        SlowStartExit = recovery.ExitTrigger,
        SlowStartExitCwnd = recovery.ExitCwnd,
    };
}
