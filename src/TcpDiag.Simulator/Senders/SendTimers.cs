using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>
/// The timers of a sender. Each has an instant of its own, and only one of them runs (RFC 8985 §8): the reordering timer while a segment was overtaken, else
/// the probe timeout in an open tail, and none later than the retransmission timer. The persist timer runs when nothing is outstanding.
/// </summary>
struct SendTimers()
{
    const long MaxPersistNanos = 60_000_000_000; // Linux and BSD: TCP_RTO_MAX of 120 s and TCPTV_PERSMAX of 60 s

    int _windowProbes;

    /// <summary>When the retransmission timer expires (RFC 6298 §5).</summary>
    public TraceTime Rto { get; private set; } = TraceTime.Latest;

    /// <summary>When the tail is probed (RFC 8985 §7.2).</summary>
    public TraceTime Probe { get; private set; } = TraceTime.Latest;

    /// <summary>When losses are looked for again (RFC 8985 §6.2 step 5).</summary>
    public TraceTime Reordering { get; private set; } = TraceTime.Latest;

    /// <summary>When a closed window is probed (RFC 9293 §3.8.6.1).</summary>
    public TraceTime Persist { get; private set; } = TraceTime.Latest;

    /// <summary>The timer that runs.</summary>
    public readonly TimerKind Kind => Persist < TraceTime.Latest ? TimerKind.Persist
        : Rto == TraceTime.Latest ? TimerKind.None
        : Reordering < Rto ? TimerKind.Reordering
        : Reordering == TraceTime.Latest && Probe <= Rto ? TimerKind.Probe
        : TimerKind.Rto;

    /// <summary>When it expires; <see cref="TraceTime.Latest"/> when none runs.</summary>
    public readonly TraceTime Due => Kind switch
    {
        TimerKind.Persist => Persist,
        TimerKind.Reordering => Reordering,
        TimerKind.Probe => Probe,
        _ => Rto,
    };

    /// <summary>Everything sent is acknowledged (RFC 6298 (5.2)).</summary>
    public void Stop() => Rto = Probe = Reordering = TraceTime.Latest;

    /// <summary>Restarts the retransmission timer (RFC 6298 (5.3), (5.6)).</summary>
    public void StartRto(TraceTime now, long rtoNanos) => Rto = now + rtoNanos;

    /// <summary>Data was sent: the retransmission timer starts unless it runs (RFC 6298 (5.1)).</summary>
    public void EnsureRto(TraceTime now, long rtoNanos) => Rto = Rto == TraceTime.Latest ? now + rtoNanos : Rto;

    /// <summary>Starts the probe timeout (RFC 8985 §7.2), which is never later than the retransmission timeout; or stops it.</summary>
    public void StartProbe(TraceTime now, bool mayArm, long srttNanos, bool flightIsOneSegment, long maxAckDelayNanos) =>
        Probe = mayArm ? now + TailLossProbe.PtoNanos(srttNanos, flightIsOneSegment, maxAckDelayNanos, Rto - now) : TraceTime.Latest;

    /// <summary>No probe: a recovery began, or something is SACKed.</summary>
    public void StopProbe() => Probe = TraceTime.Latest;

    /// <summary>Starts the reordering timer; <see cref="TraceTime.Latest"/> stops it.</summary>
    public void StartReordering(TraceTime due) => Reordering = due;

    /// <summary>The window is closed and nothing is outstanding: the first probe after one RTO, then at intervals that double.</summary>
    public void StartPersist(TraceTime now, long rtoNanos)
    {
        long interval = rtoNanos << int.Min(_windowProbes, 16);
        Persist = now + long.Min(interval, long.Max(rtoNanos, MaxPersistNanos));
    }

    /// <summary>Starts it unless it runs, or nothing is held by the window.</summary>
    public void EnsurePersist(TraceTime now, long rtoNanos, bool isHeld)
    {
        if (isHeld && Persist == TraceTime.Latest)
        {
            StartPersist(now, rtoNanos);
        }
    }

    /// <summary>A closed window was probed.</summary>
    public void OnWindowProbe() => _windowProbes++;

    /// <summary>The window is open.</summary>
    public void StopPersist()
    {
        Persist = TraceTime.Latest;
        _windowProbes = 0;
    }
}

/// <summary>What a timer of a sender is for.</summary>
enum TimerKind
{
    /// <summary>None runs.</summary>
    None,

    /// <summary>Retransmission.</summary>
    Rto,

    /// <summary>Tail loss probe.</summary>
    Probe,

    /// <summary>Reordering.</summary>
    Reordering,

    /// <summary>A closed receive window.</summary>
    Persist,
}
