namespace TcpDiag.Analysis.Findings;

/// <summary>The names of the findings: stable, in kebab-case, each with a page docs/findings/NAME.md.</summary>
public static class FindingIds
{
    /// <summary>The application had nothing to send.</summary>
    public const string AppLimited = "app-limited";

    /// <summary>The server took long to start its answers.</summary>
    public const string SlowAnswers = "slow-answers";

    /// <summary>The receive window or the send buffer was the limit; the capture does not show which.</summary>
    public const string WindowOrBuffer = "window-or-buffer";

    /// <summary>Small writes and delayed acknowledgments waited for each other.</summary>
    public const string NagleDelayedAck = "nagle-delayed-ack";

    /// <summary>The send buffer was smaller than what the path can hold.</summary>
    public const string SendBufferLimited = "send-buffer-limited";

    /// <summary>A queue stood on the path nearly all the time: it gave what it can.</summary>
    public const string PathFull = "path-full";

    /// <summary>The congestion window was what held the sender back, for no reason the trace shows.</summary>
    public const string CwndLimited = "cwnd-limited";

    /// <summary>The congestion window was cut because queues on the path marked packets (ECN).</summary>
    public const string EcnMarks = "ecn-marks";

    /// <summary>The congestion window was cut again and again because the sender took reordering for loss.</summary>
    public const string CwndLimitedByReordering = "cwnd-limited-by-reordering";

    /// <summary>The receive window was smaller than what the path can hold.</summary>
    public const string ReceiveWindowLimited = "receive-window-limited";

    /// <summary>A host takes data, or gives it, later than the round trip explains.</summary>
    public const string HostLimited = "host-limited";

    /// <summary>The receive window was half of that of another connection to the same service.</summary>
    public const string ReceiveWindowHalved = "receive-window-halved";

    /// <summary>The receiving application stopped reading.</summary>
    public const string ZeroWindow = "zero-window";

    /// <summary>The path reorders packets.</summary>
    public const string PathReordering = "path-reordering";

    /// <summary>The path loses packets.</summary>
    public const string PathLoss = "path-loss";

    /// <summary>The path drops what exceeds a rate, without a queue.</summary>
    public const string Policer = "policer";

    /// <summary>Data that had arrived was sent again.</summary>
    public const string SpuriousRetransmissions = "spurious-retransmissions";

    /// <summary>The network delivers some packets twice.</summary>
    public const string DuplicatedByNetwork = "duplicated-by-network";

    /// <summary>DSACKs come back and the sender does not adapt to them.</summary>
    public const string DsackIgnored = "dsack-ignored";

    /// <summary>Needless retransmissions and duplicate acknowledgments keep answering each other.</summary>
    public const string SpuriousDupackPingpong = "spurious-dupack-pingpong";

    /// <summary>The receiver dropped out-of-order data.</summary>
    public const string ReassemblyLimit = "reassembly-limit";

    /// <summary>The sender stood still until its retransmission timer expired.</summary>
    public const string RtoStalls = "rto-stalls";

    /// <summary>The last segments of a burst were lost.</summary>
    public const string TailLoss = "tail-loss";

    /// <summary>Retransmissions were lost as well.</summary>
    public const string LostRetransmissions = "lost-retransmissions";

    /// <summary>The connection was slow to open: its SYN or SYN-ACK was sent again.</summary>
    public const string SynRetransmitted = "syn-retransmitted";

    /// <summary>The server's SYN-ACK came later than the round trip explains.</summary>
    public const string LateSynAck = "late-syn-ack";

    /// <summary>The client was connected, and sent its first request much later.</summary>
    public const string LateFirstRequest = "late-first-request";

    /// <summary>Something near one end answered the handshake, and data goes farther.</summary>
    public const string SplitConnection = "split-connection";

    /// <summary>The client waited for a name before it connected.</summary>
    public const string NameLookupDelay = "name-lookup-delay";

    /// <summary>An application gave up after a fixed time while data was still coming.</summary>
    public const string ApplicationTimeout = "application-timeout";

    /// <summary>One end fell silent, and the other gave up.</summary>
    public const string DeadPeer = "dead-peer";

    /// <summary>One end reset the connection.</summary>
    public const string ResetByPeer = "reset-by-peer";

    /// <summary>No window scaling: at most 64 kB in flight.</summary>
    public const string WindowScalingOff = "window-scaling-off";

    /// <summary>No selective acknowledgments.</summary>
    public const string SackOff = "sack-off";

    /// <summary>Timestamps were offered and not accepted, or removed on the way.</summary>
    public const string TimestampsStripped = "timestamps-stripped";

    /// <summary>The segments are smaller than Ethernet allows.</summary>
    public const string MssClamped = "mss-clamped";

    /// <summary>Full-sized segments do not arrive, smaller ones do.</summary>
    public const string MtuBlackHole = "mtu-black-hole";

    /// <summary>A queue on the path stands while data flows.</summary>
    public const string Bufferbloat = "bufferbloat";

    /// <summary>After a pause the sender started again with a small window.</summary>
    public const string IdleRestart = "idle-restart";

    /// <summary>A transfer was over before the congestion window had opened.</summary>
    public const string SlowStart = "slow-start";

    /// <summary>Slow start ended without loss, long before the path was full.</summary>
    public const string SlowStartLeftEarly = "slow-start-left-early";

    /// <summary>A port pair was used again while the peer still remembered it.</summary>
    public const string PortReuse = "port-reuse";

    /// <summary>Packets, stack events and counters disagree about what limited the sender.</summary>
    public const string EvidenceDisagrees = "evidence-disagrees";

    /// <summary>The recording clock was set while the trace was taken.</summary>
    public const string ClockStep = "clock-step";

    /// <summary>Of some connections only one direction was captured.</summary>
    public const string OneSidedCapture = "one-sided-capture";

    /// <summary>Part of the traffic is missing in the trace.</summary>
    public const string CaptureIncomplete = "capture-incomplete";
}
