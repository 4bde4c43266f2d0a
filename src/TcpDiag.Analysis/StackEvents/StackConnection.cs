using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>One connection as the events of this machine's stack show it.</summary>
/// <param name="extras">Where its sender takes what few senders need.</param>
sealed class StackConnection(SenderExtras extras) : ITimelineOwner
{
    StackClocks? _clocks;

    /// <summary>RTT samples of the stack; before the first of them, its smoothed RTT at each send.</summary>
    public DurationSet Rtt;

    /// <summary>Why its stack sends data again, as far as events say so; null without such events.</summary>
    public RetransmissionReasons? Reasons;

    /// <summary>This machine's end, once known.</summary>
    public Endpoint? Local { get; set; }

    /// <summary>The peer's end, once known.</summary>
    public Endpoint? Remote { get; set; }

    /// <summary>The owner, once known.</summary>
    public uint? ProcessId { get; set; }

    /// <summary>The owner's name while the connection was open; null where nobody asked for it then.</summary>
    public string? ProcessName { get; set; }

    /// <summary>First event.</summary>
    public required TraceTime Start { get; init; }

    /// <summary>Latest event.</summary>
    public TraceTime Last { get; set; }

    /// <summary>The number of its first event, among those of all connections.</summary>
    public long Number { get; init; }

    /// <summary>The TCB in the events of a source that knows it; 0 before the first of these.</summary>
    public ulong Tcb { get; set; }

    /// <summary>Whether it has events of a source that knows the TCB.</summary>
    public bool HasTcb => Tcb != 0;

    /// <summary>Whether it is among those that are analysed now (<see cref="ConnectionPart"/>); null while its ends are not known.</summary>
    public bool? IsOfPart { get; private set; }

    /// <summary>Operating system of this machine, by the sources of its events.</summary>
    public EndSystem System { get; set; }

    /// <summary>True when this machine opened it, false when it accepted it, null when unknown.</summary>
    public bool? IsOpenedHere { get; set; }

    /// <summary>Whether the connection did anything: a rundown alone does not count.</summary>
    public bool IsActive { get; set; }

    /// <summary>Whether it has ended, or another one has its TCB or its ends since.</summary>
    public bool HasEnded { get; set; }

    /// <summary>Whether it was seen to be established.</summary>
    public bool IsEstablished { get; set; }

    /// <summary>Whether it was established, or has ended: what opens now is another.</summary>
    public bool HasBegun => IsEstablished || End != ConnectionEnd.Open;

    /// <summary>How it ended.</summary>
    public ConnectionEnd End { get; set; }

    /// <summary>Payload bytes of the segments sent.</summary>
    public long BytesSent { get; set; }

    /// <summary>Bytes of the sends that completed; all there is where the source has no events of segments.</summary>
    public long BytesCompleted { get; set; }

    /// <summary>Payload bytes of the segments received.</summary>
    public long BytesReceived { get; set; }

    /// <summary>Segments sent.</summary>
    public long SegmentsSent { get; set; }

    /// <summary>Segments retransmitted.</summary>
    public long Retransmissions { get; set; }

    /// <summary>Bytes retransmitted.</summary>
    public long BytesRetransmitted { get; set; }

    /// <summary>Reorderings the stack has seen.</summary>
    public long Reorderings { get; set; }

    /// <summary>Number of its timeline; −1 while it has none.</summary>
    public int Timeline { get; set; } = -1;

    /// <summary>Number of the connection it turned out to be part of; null while not known.</summary>
    public int? Joined { get; set; }

    /// <summary>What limits this machine's sender, from events of segments; null before the first.</summary>
    public StackSender? Sender { get; private set; }

    /// <summary>The stack's own counters of what limited this sender; null without any.</summary>
    public LimitCounters? Counters => _clocks?.Counters.Summarise();

    /// <summary>How often the recorder had lost events when this connection opened; 0 when it was open before its first event.</summary>
    public int LossesBefore { get; init; }

    /// <summary>Whether it lost events between two of this connection: then events give no limits.</summary>
    public bool HasLostEvents { get; set; }

    /// <summary>Whether its source has events of RTT samples.</summary>
    public bool HasRttSamples { get; set; }

    /// <summary>First segment sent.</summary>
    public TraceTime? FirstSend { get; set; }

    /// <summary>Latest segment sent or acknowledgment received.</summary>
    public TraceTime LastSend { get; set; }

    /// <summary>Acknowledgments with SACK blocks whose event says whether the stack counted a DSACK.</summary>
    public int SacksWithDsackCount { get; set; }

    /// <summary>Those of them in which it counted one.</summary>
    public int DsacksCounted { get; set; }

    /// <summary>The largest multiplier of its reordering window (RACK.reo_wnd_mult); null without such an event.</summary>
    public int? MaxReoWndMult { get; set; }

    /// <summary>Whether its packets are known to be captured here, and the scale of the peer's window to be that of their headers.</summary>
    public bool IsTold { get; set; }

    /// <summary>How often the congestion window was reset after a pause; null without such an event.</summary>
    public int? CwndRestarts { get; set; }

    /// <summary>Payload bytes received in all, from the summary at the end.</summary>
    public long? SummaryBytesIn { get; set; }

    /// <summary>Payload bytes sent in all, from the summary at the end.</summary>
    public long? SummaryBytesOut { get; set; }

    /// <summary>Segments retransmitted in all, from the summary at the end.</summary>
    public long? SummaryRetransmissions { get; set; }

    public void FollowLimits(StackEvent stackEvent)
    {
        _clocks ??= new StackClocks();
        _clocks.Clocks.OnEvent(stackEvent);
        _clocks.Counters.OnEvent(stackEvent);
        if (Sender is null && stackEvent.Kind is StackEventKind.SegmentSent or StackEventKind.SendPosted)
        {
            Sender = new StackSender(extras);
        }

        Sender?.OnEvent(stackEvent);
    }

    /// <summary>Finds out whether it is among those that are analysed now.</summary>
    public void FindPart(in ConnectionPart part)
    {
        if (IsOfPart is null && ConnectionIdentity.IsBound(Local) && ConnectionIdentity.IsBound(Remote))
        {
            IsOfPart = part.Has(FlowKey.Of(Local!.Value, Remote!.Value, out _));
        }
    }

    /// <summary>Lets go of what takes most room: its results are made, or not wanted.</summary>
    public void Close()
    {
        Sender?.Release();
        Sender = null;
        _clocks = null;
    }

    /// <summary>What limited this machine's sender, by events alone.</summary>
    public LimitSummary? LimitsOver(long? activeTime)
    {
        if (HasLostEvents)
        {
            return null;
        }

        long? ownTime = FirstSend is { } first ? long.Max(LastSend - first, 0) : null;
        return (activeTime ?? ownTime) is { } time && Sender?.Summarise(time) is { } known ? known
            : _clocks?.Clocks.Covers(activeTime) == true ? _clocks.Clocks.Summarise(activeTime)
            : null;
    }

    // What the stack itself keeps of its sender's time.
    sealed class StackClocks
    {
        public KernelClocks Clocks;
        public LimitCounterReader Counters;
    }
}

/// <summary>
/// Reads why a stack sends data again from events that have the sequence number: a tail loss probe with its data (1385), the retransmission timer with
/// SND.UNA (1351 and its predecessors), a segment found lost (1552, which says whether it had been resent before), early retransmit (1415) and a send in
/// loss recovery (1418 … 1421). Linux has events of retransmissions without the reason (docs/formats/stack-events.md).
/// </summary>
static class ReasonReader
{
    /// <summary>Reads an event; false when it gives no reason. The list is created with the first one.</summary>
    public static bool TryRead(StackEvent stackEvent, ref RetransmissionReasons? reasons)
    {
        (RetransmissionTrigger trigger, StackField field) = stackEvent.Kind switch
        {
            StackEventKind.TailLossProbe => (RetransmissionTrigger.Tlp, StackField.SeqNo),
            StackEventKind.RetransmissionTimeout => (RetransmissionTrigger.Rto, StackField.SndUna),
            StackEventKind.SegmentLost => (LossOf(stackEvent), StackField.SeqNo),
            StackEventKind.SegmentRetransmitted when stackEvent.Has(StackField.SeqNo) => (RetransmissionTrigger.Fast, StackField.SeqNo),
            StackEventKind.SegmentRetransmitted => (RetransmissionTrigger.Fast, StackField.SndNxt),
            _ => default,
        };
        if (trigger == RetransmissionTrigger.Unknown || !stackEvent.TryGet(field, out long number))
        {
            return false;
        }

        var start = new SequenceNumber(unchecked((uint)number));
        bool hasEnd = stackEvent.Kind == StackEventKind.SegmentLost & stackEvent.TryGet(StackField.EndSeq, out long last);
        var end = new SequenceNumber(unchecked((uint)last));
        (reasons ??= new RetransmissionReasons()).Add(start, hasEnd && end > start ? end : start + 1, trigger);
        return true;
    }

    // An event that a segment is marked for retransmission (1584) has no reason.
    static RetransmissionTrigger LossOf(StackEvent stackEvent) =>
        !stackEvent.TryGet(StackField.EverRetransmitted, out long ever) ? RetransmissionTrigger.Unknown
        : ever != 0 ? RetransmissionTrigger.LostRetransmission
        : RetransmissionTrigger.Fast;
}
