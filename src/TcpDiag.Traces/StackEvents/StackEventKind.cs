namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// What happened in the TCP stack: one vocabulary for Windows events of every build and for Linux tracepoints.
/// docs/formats/stack-events.md says which source gives which kind.
/// </summary>
public enum StackEventKind
{
    /// <summary>No event.</summary>
    None = 0,

    /// <summary>The application asked for a connection (1002), or the stack goes about it (1031).</summary>
    ConnectRequested,

    /// <summary>A SYN went out (1004).</summary>
    SynSent,

    /// <summary>A connection was opened actively (1033).</summary>
    Connected,

    /// <summary>A connection attempt failed.</summary>
    ConnectFailed,

    /// <summary>A connection was accepted (1017).</summary>
    Accepted,

    /// <summary>A connection that exists when the recording starts or ends (1300).</summary>
    ConnectionRundown,

    /// <summary>The application closed, shut down or aborted the connection, or the stack ended it.</summary>
    Closed,

    /// <summary>The TCP state machine moved (1051; inet_sock_set_state).</summary>
    StateChanged,

    /// <summary>The application posted data to send (1159).</summary>
    SendPosted,

    /// <summary>A posted send completed (1426, AFD).</summary>
    SendCompleted,

    /// <summary>A segment was sent, with the congestion state at that moment (1332).</summary>
    SegmentSent,

    /// <summary>Data was received (1074, 1601, 1602; kernel TcpIp receive).</summary>
    SegmentReceived,

    /// <summary>Congestion state sampled when a segment arrived (Linux tcp_probe, tcp_info).</summary>
    CwndSample,

    /// <summary>An acknowledgement of new data was processed (1330, 1429).</summary>
    AckReceived,

    /// <summary>A duplicate acknowledgement was processed (1343, 1430).</summary>
    DuplicateAck,

    /// <summary>An RTT sample was taken (1341, 1070).</summary>
    RttSample,

    /// <summary>Slow start ended (1350).</summary>
    SlowStartEnded,

    /// <summary>HyStart changed its state (1475).</summary>
    HyStartChanged,

    /// <summary>The congestion state changed (1565; tcp_cong_state_set).</summary>
    CongestionStateChanged,

    /// <summary>The congestion window was set anew, after idle or at the start (1221, 1222, 1229, 1625).</summary>
    CwndRestarted,

    /// <summary>A segment was retransmitted (1187, 1418; tcp_retransmit_skb).</summary>
    SegmentRetransmitted,

    /// <summary>The retransmission timer fired (1351).</summary>
    RetransmissionTimeout,

    /// <summary>A timeout or recovery was found spurious, or is being tested (1087, 1088, 1345 … 1347).</summary>
    SpuriousTimeout,

    /// <summary>The scoreboard changed (1354).</summary>
    SackUpdated,

    /// <summary>One SACK block was received (1547).</summary>
    SackBlockReceived,

    /// <summary>An acknowledgement with SACK blocks was processed (1548).</summary>
    SackReceived,

    /// <summary>A limit on SACK blocks was reached (1473, 1554).</summary>
    SackLimitReached,

    /// <summary>A tail loss probe was armed, fired or failed (1385, 1386).</summary>
    TailLossProbe,

    /// <summary>RACK took a new send time (1387, 1585).</summary>
    RackUpdated,

    /// <summary>RACK's reordering window was computed (1577).</summary>
    ReoWndUpdated,

    /// <summary>Reordering was detected (1566).</summary>
    ReorderingDetected,

    /// <summary>RACK's timer was armed (1546) or fired (1545).</summary>
    RackTimer,

    /// <summary>A segment was marked lost (1552) or marked for resending (1584).</summary>
    SegmentLost,

    /// <summary>Proportional rate reduction released data (1481).</summary>
    PrrSend,

    /// <summary>CUBIC reacted to ECN (1453) or to another congestion signal.</summary>
    CongestionSignal,

    /// <summary>Pacing held data back or its rate changed (1447, 1556, 1583).</summary>
    Pacing,

    /// <summary>The receive buffer or window tuning changed (1097; tcp_rcvbuf_grow).</summary>
    ReceiveBufferChanged,

    /// <summary>The send buffer size the stack recommends changed (1091).</summary>
    SendBufferChanged,

    /// <summary>The peer closed its window, or opened it again (1102, 1103).</summary>
    ZeroWindow,

    /// <summary>Out-of-order data entered or left the reassembly queue (1198, 1199).</summary>
    Reassembly,

    /// <summary>A reset was sent or received (1183, 1184, 1479; tcp_send_reset, tcp_receive_reset).</summary>
    Reset,

    /// <summary>A keep-alive probe was sent (1188).</summary>
    KeepAlive,

    /// <summary>A timer of the connection was started or expired (1064, 1066).</summary>
    Timer,

    /// <summary>The template with the settings in force (1223).</summary>
    TemplateParameters,

    /// <summary>The summary at the end of a connection (1352, 1477).</summary>
    ConnectionSummary,

    /// <summary>Bytes limited by each cause (1626, 1637).</summary>
    LimitingFactor,

    /// <summary>A name look-up began.</summary>
    NameLookupStarted,

    /// <summary>A name look-up ended.</summary>
    NameLookupCompleted,

    /// <summary>A process and the name of its image.</summary>
    ProcessNamed,

    /// <summary>The packets of the stack were dropped (1215, 1478).</summary>
    PacketDropped,

    /// <summary>The application took received data from the socket (Linux tcp_rcv_space_adjust).</summary>
    DataRead,

    /// <summary>The recorder lost events before this point.</summary>
    EventsLost,

    /// <summary>
    /// The stack suspects that a router drops large segments without telling (RFC 2923 §2.1), and tries smaller ones (1084); that came to an end (1085), or
    /// did not help (1086).
    /// </summary>
    BlackHoleDetection,
}
