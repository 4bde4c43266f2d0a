using TcpDiag.Analysis.Flows;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>What the stack's events tell of one connection, from this machine's side.</summary>
sealed class StackConnection
{
    KernelClocks _clocks;
    LimitCounterReader _counters;

    /// <summary>RTT samples the stack took; its smoothed RTT where it tells no samples.</summary>
    public RttSamples Rtt;

    /// <summary>Smoothed RTT at each send.</summary>
    public RttSamples Srtt;

    /// <summary>Why its stack sends data again, as far as it told; null when it told nothing of that.</summary>
    public ResendReasons? Reasons;

    /// <summary>This machine's end, once known.</summary>
    public Endpoint? Local { get; set; }

    /// <summary>The peer's end, once known.</summary>
    public Endpoint? Remote { get; set; }

    /// <summary>The owner, once known.</summary>
    public uint? ProcessId { get; set; }

    /// <summary>First event.</summary>
    public required TraceTime Start { get; init; }

    /// <summary>Latest event.</summary>
    public TraceTime Last { get; set; }

    /// <summary>Whether a source that knows the TCB tells of it.</summary>
    public bool HasTcb { get; set; }

    /// <summary>Operating system of this machine, by the sources of its events.</summary>
    public EndSystem System { get; set; }

    /// <summary>True when this machine opened it, false when it accepted it, null when not told.</summary>
    public bool? IsOpenedHere { get; set; }

    /// <summary>Whether the connection did anything: a rundown alone does not count.</summary>
    public bool IsActive { get; set; }

    /// <summary>Whether it was seen to be established.</summary>
    public bool IsEstablished { get; set; }

    /// <summary>How it ended.</summary>
    public ConnectionEnd End { get; set; }

    /// <summary>Payload bytes of the segments sent.</summary>
    public long BytesSent { get; set; }

    /// <summary>Bytes of the sends that completed; all there is where the source tells no segments.</summary>
    public long BytesCompleted { get; set; }

    /// <summary>Payload bytes of the segments received.</summary>
    public long BytesReceived { get; set; }

    /// <summary>Segments sent.</summary>
    public long SegmentsSent { get; set; }

    /// <summary>Segments retransmitted.</summary>
    public long Retransmissions { get; set; }

    /// <summary>Bytes retransmitted.</summary>
    public long BytesRetransmitted { get; set; }

    /// <summary>Number of its timeline; −1 while it has none.</summary>
    public int Timeline { get; set; } = -1;

    /// <summary>The connection it turned out to be; null while not known.</summary>
    public Connection? Joined { get; set; }

    /// <summary>What limits this machine's sender, from events of segments; null before the first.</summary>
    public StackSender? Sender { get; private set; }

    /// <summary>What the stack counted of this sender's limits itself; null when it did not tell.</summary>
    public LimitCounters? Counters => _counters.Summarise();

    /// <summary>How often the recorder had lost events when this connection opened; 0 when it was open before its first event.</summary>
    public int LossesBefore { get; init; }

    /// <summary>Whether it lost events between two of this connection: what they tell of limits is withheld.</summary>
    public bool HasLostEvents { get; set; }

    /// <summary>First segment sent.</summary>
    public TraceTime? FirstSend { get; set; }

    /// <summary>Latest segment sent or acknowledgment received.</summary>
    public TraceTime LastSend { get; set; }

    /// <summary>Acknowledgments with SACK blocks of which the stack told whether it counted a DSACK.</summary>
    public int SacksTold { get; set; }

    /// <summary>Those of them in which it counted one.</summary>
    public int DsacksCounted { get; set; }

    /// <summary>Times the congestion window was taken back after a pause; null when nothing of it was told.</summary>
    public int? CwndRestarts { get; set; }

    /// <summary>Payload bytes received in all, from the summary at the end.</summary>
    public long? SummaryBytesIn { get; set; }

    /// <summary>Payload bytes sent in all, from the summary at the end.</summary>
    public long? SummaryBytesOut { get; set; }

    /// <summary>Segments retransmitted in all, from the summary at the end.</summary>
    public long? SummaryRetransmissions { get; set; }

    /// <summary>Follows what limits this machine's sender.</summary>
    /// <param name="told">An event of the connection.</param>
    public void FollowLimits(StackEvent told)
    {
        _clocks.OnEvent(told);
        _counters.OnEvent(told);
        if (Sender is null && told.Kind is StackEventKind.SegmentSent or StackEventKind.SendPosted)
        {
            Sender = new StackSender();
        }

        Sender?.OnEvent(told);
    }

    /// <summary>What limited this machine's sender, by events alone.</summary>
    /// <param name="activeTime">The active time of its direction, nanoseconds; null when packets do not tell.</param>
    /// <returns>Time in each state; null when the events do not suffice.</returns>
    public LimitSummary? LimitsOver(long? activeTime)
    {
        if (HasLostEvents)
        {
            return null;
        }

        long? ownTime = FirstSend is { } first ? long.Max(LastSend - first, 0) : null;
        return (activeTime ?? ownTime) is { } time && Sender?.Summarise(time) is { } told ? told
            : _clocks.Covers(activeTime) ? _clocks.Summarise(activeTime)
            : null;
    }
}
