namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// A numeric field of a stack event, in the unit its documentation names. Sequence numbers are the raw 32 bits.
/// Raw fields carry the number of the manifest because its unit is not documented (docs/formats/stack-events.md).
/// </summary>
public enum StackField
{
    /// <summary>Congestion window, bytes.</summary>
    Cwnd,

    /// <summary>Slow-start threshold, bytes.</summary>
    Ssthresh,

    /// <summary>The peer's window, bytes, scaled.</summary>
    SndWnd,

    /// <summary>Own advertised window, bytes, scaled.</summary>
    RcvWnd,

    /// <summary>Own window scale, shift count.</summary>
    RcvWndScale,

    /// <summary>First sequence number of the data concerned.</summary>
    SeqNo,

    /// <summary>Sequence number after the last byte concerned.</summary>
    EndSeq,

    /// <summary>SND.UNA.</summary>
    SndUna,

    /// <summary>SND.NXT.</summary>
    SndNxt,

    /// <summary>Highest sequence number sent.</summary>
    SndMax,

    /// <summary>End of the recovery episode.</summary>
    RecoveryMax,

    /// <summary>RCV.NXT.</summary>
    RcvNxt,

    /// <summary>Initial sequence number.</summary>
    InitialSequence,

    /// <summary>Cumulative acknowledgement number.</summary>
    Ack,

    /// <summary>Left edge of a SACK block.</summary>
    SackLeft,

    /// <summary>Right edge of a SACK block.</summary>
    SackRight,

    /// <summary>SACK blocks in the acknowledgement.</summary>
    SackBlocks,

    /// <summary>Bytes SACKed in all.</summary>
    SackedBytes,

    /// <summary>Bytes SACKed by this acknowledgement for the first time.</summary>
    NewSackedBytes,

    /// <summary>DSACKs the stack recognised; on build 22000 it may stay 0 while DSACKs arrive.</summary>
    DsackCount,

    /// <summary>1 when the SACK carried news.</summary>
    NewSackInfo,

    /// <summary>1 when loss was detected.</summary>
    LossDetected,

    /// <summary>1 when in loss recovery.</summary>
    InRecovery,

    /// <summary>Bytes of the segment, post, acknowledgement or completion concerned.</summary>
    Bytes,

    /// <summary>Bytes waiting to be sent.</summary>
    SendAvailable,

    /// <summary>Bytes the stack counts as in flight; the send tracker counts a segment that is sent again twice.</summary>
    BytesInFlight,

    /// <summary>Bytes delivered in all.</summary>
    DeliveredBytes,

    /// <summary>Smoothed RTT, microseconds.</summary>
    Srtt,

    /// <summary>RTT variation, microseconds.</summary>
    RttVar,

    /// <summary>Smallest RTT, microseconds.</summary>
    MinRtt,

    /// <summary>Largest RTT, microseconds.</summary>
    MaxRtt,

    /// <summary>One RTT sample, microseconds.</summary>
    Rtt,

    /// <summary>Retransmission timeout, milliseconds.</summary>
    Rto,

    /// <summary>Duplicate acknowledgements in a row.</summary>
    DupAckCount,

    /// <summary>Timeouts or retransmissions in a row.</summary>
    RexmitCount,

    /// <summary>TCP state before, Windows numbering (0 Closed … 10 TimeWait).</summary>
    OldState,

    /// <summary>TCP state after, Windows numbering (0 Closed … 10 TimeWait).</summary>
    State,

    /// <summary>Congestion state before, as the source numbers it.</summary>
    OldCongestionState,

    /// <summary>Congestion state after, as the source numbers it.</summary>
    CongestionState,

    /// <summary>RACK reordering window, microseconds.</summary>
    ReoWnd,

    /// <summary>RACK reordering window multiplier.</summary>
    ReoWndMult,

    /// <summary>RACK reordering window persistence, recoveries.</summary>
    ReoWndPersist,

    /// <summary>1 when reordering has been seen.</summary>
    ReorderingSeen,

    /// <summary>1 when the latest acknowledgement carried a DSACK.</summary>
    DsackSeen,

    /// <summary>1 when DupThresh segments are SACKed.</summary>
    DupThreshReached,

    /// <summary>Sequence number that ends the DSACK round.</summary>
    DsackRound,

    /// <summary>Highest sequence number SACKed or acknowledged (RACK.fack).</summary>
    Fack,

    /// <summary>Extent of reordering, bytes.</summary>
    ReorderingBytes,

    /// <summary>Send time RACK holds, microseconds of the stack's own clock, modulo 2³².</summary>
    RackXmitTime,

    /// <summary>RACK.rtt, microseconds.</summary>
    RackRtt,

    /// <summary>The stack's own clock, microseconds, modulo 2³².</summary>
    StackClock,

    /// <summary>What a probe, timer, test or state machine did, as the source numbers it.</summary>
    Action,

    /// <summary>Why, as the source numbers it (drop reason, reset reason, failure status).</summary>
    Reason,

    /// <summary>Direction: 0 sent, 1 received.</summary>
    Direction,

    /// <summary>Delay of a timer, milliseconds.</summary>
    TimerDelay,

    /// <summary>prr_delivered, bytes.</summary>
    PrrDelivered,

    /// <summary>prr_out, bytes.</summary>
    PrrOut,

    /// <summary>CUBIC W_max, bytes.</summary>
    WMax,

    /// <summary>CUBIC K, raw.</summary>
    KRaw,

    /// <summary>Pacing rate, raw.</summary>
    PacingRateRaw,

    /// <summary>Receive buffer, bytes.</summary>
    ReceiveBuffer,

    /// <summary>Send buffer, bytes.</summary>
    SendBuffer,

    /// <summary>Template (0 Internet, 1 Datacenter, 2 Compat, 6 Default, 7 Automatic).</summary>
    Template,

    /// <summary>Smallest RTO of the template, milliseconds.</summary>
    MinRto,

    /// <summary>Initial congestion window of the template, segments.</summary>
    InitialCwnd,

    /// <summary>Congestion control algorithm, Windows numbering: 0 default, 1 NewReno, 2 CTCP, 3 DCTCP, 4 LEDBAT, 5 CUBIC.</summary>
    CongestionAlgorithm,

    /// <summary>1 when RACK is on.</summary>
    RackEnabled,

    /// <summary>1 when tail loss probes are on.</summary>
    TlpEnabled,

    /// <summary>1 when the window restarts after idle.</summary>
    CwndRestart,

    /// <summary>Payload bytes sent over the connection's life.</summary>
    DataBytesOut,

    /// <summary>Payload bytes received over the connection's life.</summary>
    DataBytesIn,

    /// <summary>Data segments sent.</summary>
    DataSegmentsOut,

    /// <summary>Data segments received.</summary>
    DataSegmentsIn,

    /// <summary>Bytes retransmitted.</summary>
    BytesRetransmitted,

    /// <summary>Segments retransmitted.</summary>
    SegmentsRetransmitted,

    /// <summary>Timeouts over the connection's life.</summary>
    Timeouts,

    /// <summary>Spurious timeouts over the connection's life.</summary>
    SpuriousTimeouts,

    /// <summary>Fast retransmissions over the connection's life.</summary>
    FastRetransmissions,

    /// <summary>Duplicate acknowledgements received over the connection's life.</summary>
    DupAcksIn,

    /// <summary>Life of the connection, milliseconds.</summary>
    ConnectionTime,

    /// <summary>Time limited by the receive window, milliseconds.</summary>
    LimitedTimeReceiver,

    /// <summary>Time limited by the congestion window, milliseconds.</summary>
    LimitedTimeCwnd,

    /// <summary>Time limited by the sender, milliseconds.</summary>
    LimitedTimeSender,

    /// <summary>Bytes sent while limited by the receive window.</summary>
    LimitedBytesReceiver,

    /// <summary>Bytes sent while limited by the congestion window.</summary>
    LimitedBytesCwnd,

    /// <summary>Bytes sent while limited by the sender.</summary>
    LimitedBytesSender,

    /// <summary>1 when timestamps were negotiated.</summary>
    TimestampsEnabled,

    /// <summary>Congestion window in segments, as Linux counts it; multiply by <see cref="Mss"/> for bytes.</summary>
    CwndSegments,

    /// <summary>Slow-start threshold in segments; absent while it has not been set.</summary>
    SsthreshSegments,

    /// <summary>Largest payload of a segment sent, bytes (tcpi_snd_mss).</summary>
    Mss,

    /// <summary>Segments the sender counts as lost and not yet repaired.</summary>
    LostSegments,

    /// <summary>Segments SACKed and not yet acknowledged.</summary>
    SackedSegments,

    /// <summary>Retransmitted segments in flight.</summary>
    RetransmittedInFlight,

    /// <summary>Segments delivered over the connection's life, retransmissions included.</summary>
    DeliveredSegments,

    /// <summary>Reordering the sender tolerates before it takes a gap for a loss, segments.</summary>
    ReorderingSegments,

    /// <summary>Reordering events the sender has detected over the connection's life.</summary>
    ReorderingEvents,

    /// <summary>Latest delivery rate measured by the sender, bytes per second.</summary>
    DeliveryRate,

    /// <summary>Pacing rate, bytes per second.</summary>
    PacingRate,

    /// <summary>1 when the delivery rate was measured while the application limited it.</summary>
    AppLimited,

    /// <summary>Time with data in flight or waiting over the connection's life, microseconds.</summary>
    BusyTimeUs,

    /// <summary>Part of the busy time limited by the peer's window, microseconds.</summary>
    RcvWndLimitedUs,

    /// <summary>Part of the busy time limited by the send buffer, microseconds.</summary>
    SndBufLimitedUs,

    /// <summary>Bytes received in order that the application has not read.</summary>
    ReceiveQueue,

    /// <summary>Memory held by out-of-order data, bytes.</summary>
    ReassemblyBytes,

    /// <summary>RTT as the receiver estimates it for its window, microseconds.</summary>
    RcvRtt,

    /// <summary>Events the recorder lost since the previous event of its kind.</summary>
    LostEvents,

    /// <summary>Congestion window before, bytes.</summary>
    OldCwnd,

    /// <summary>CUBIC W_max of the episode before, bytes.</summary>
    LastWMax,

    /// <summary>Window by the CUBIC function, bytes.</summary>
    CubicCwnd,

    /// <summary>Window in the Reno-friendly region, bytes.</summary>
    AimdCwnd,

    /// <summary>Time since the last loss as the congestion control counts it, milliseconds.</summary>
    TimeSinceLoss,

    /// <summary>1 when slow start is limited (HyStart++).</summary>
    LimitedSlowStart,

    /// <summary>Largest window the peer has advertised, bytes.</summary>
    MaxSndWnd,

    /// <summary>Largest slow-start threshold over the connection's life, bytes.</summary>
    MaxSsthresh,

    /// <summary>Largest congestion window in slow start over the connection's life, bytes.</summary>
    MaxSlowStartCwnd,

    /// <summary>Largest congestion window in congestion avoidance over the connection's life, bytes.</summary>
    MaxAvoidanceCwnd,

    /// <summary>Segments sent, those without payload included.</summary>
    SegmentsOut,

    /// <summary>Segments received, those without payload included.</summary>
    SegmentsIn,

    /// <summary>SYN segments retransmitted.</summary>
    SynRetransmissions,

    /// <summary>Transitions into being limited by the receive window.</summary>
    LimitedTransitionsReceiver,

    /// <summary>Transitions into being limited by the congestion window.</summary>
    LimitedTransitionsCwnd,

    /// <summary>Transitions into being limited by the sender.</summary>
    LimitedTransitionsSender,

    /// <summary>Loss recovery episodes over the connection's life.</summary>
    RecoveryEpisodes,

    /// <summary>Probe timeouts over the connection's life.</summary>
    PtoEpisodes,

    /// <summary>1 when the segment has been retransmitted before.</summary>
    EverRetransmitted,

    /// <summary>Transmissions of the segment that count as in flight.</summary>
    TransmissionsInFlight,

    /// <summary>1 when <see cref="DsackRound"/> holds a round.</summary>
    DsackRoundValid,

    /// <summary>1 when <see cref="RackXmitTime"/> holds a time.</summary>
    RackXmitTimeValid,

    /// <summary>When the segment was sent, microseconds of the stack's own clock, modulo 2³².</summary>
    SendTime,

    /// <summary>The scoreboard's own count of what is in flight, raw.</summary>
    SackInFlightRaw,

    /// <summary>The scoreboard's own count of what is lost, raw.</summary>
    SackLostRaw,

    /// <summary>Bytes that may be sent now; may be negative.</summary>
    BytesToSend,

    /// <summary>What pacing allows to be sent now, raw.</summary>
    PacingAllowanceRaw,

    /// <summary>Bandwidth estimate of the congestion control, raw.</summary>
    BandwidthRaw,

    /// <summary>1 when the application has set the receive buffer.</summary>
    ReceiveBufferSet,

    /// <summary>Largest receive buffer auto-tuning may use, bytes.</summary>
    ReceiveBufferMax,

    /// <summary>1 when every segment is tracked by itself.</summary>
    SendTrackerEnabled,

    /// <summary>State of F-RTO (RFC 5682), as the source numbers it.</summary>
    Frto,

    /// <summary>
    /// Timer as the build numbers it: 0 Retransmit, 1 Connect, 2 DelAck, 3 Push, 4 KeepAlive; from build 15063 on 5 Pacing, 6 Disconnect, 7 Sws,
    /// 8 ReassemblyRate, 9 SynOrRstValidation, before that 5 Disconnect, 6 Sws, 7 ReassemblyRate, 8 SynOrRstValidation.
    /// </summary>
    TimerType,

    /// <summary>Delay of a timer in ticks, milliseconds.</summary>
    TimerTicks,

    /// <summary>Retransmissions of one segment before the template gives up.</summary>
    MaxRetransmissions,

    /// <summary>Delay of acknowledgements by the template, milliseconds.</summary>
    DelayedAckTicks,

    /// <summary>Segments per acknowledgement by the template.</summary>
    DelayedAckFrequency,

    /// <summary>Segments or packets the event stands for.</summary>
    SegmentCount,

    /// <summary>TCP flags of the segment, as in its header.</summary>
    Flags,

    /// <summary>Address family: 2 IPv4, 23 IPv6.</summary>
    AddressFamily,

    /// <summary>IP protocol number (6 TCP, 17 UDP).</summary>
    Protocol,

    /// <summary>Routing compartment.</summary>
    Compartment,

    /// <summary>Kernel address of the socket object the application used.</summary>
    Socket,

    /// <summary>Process that created the process.</summary>
    ParentProcessId,

    /// <summary>Error number with which an action failed, negative as Linux has it.</summary>
    Error,

    /// <summary>Result of the operation as NTSTATUS; 0 is success.</summary>
    Status,

    /// <summary>Interface index.</summary>
    InterfaceIndex,

    /// <summary>MSS by which a black hole is passed, or was to be, bytes.</summary>
    BlackHoleMss,

    /// <summary>MSS before a black hole was suspected, bytes.</summary>
    OriginalMss,
}
