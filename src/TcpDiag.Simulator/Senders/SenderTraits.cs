using System.Collections.Generic;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Timing;

namespace TcpDiag.Simulator.Senders;

/// <summary>How a stack sends: one value for each algorithm in which stacks differ. The default is the RFCs as they stand.</summary>
public sealed record SenderTraits
{
    /// <summary>What the variant is called, e.g. <c>windows-22000</c>.</summary>
    public string Name { get; init; } = "rfc";

    /// <summary>How losses are detected.</summary>
    public LossDetection Detection { get; init; } = LossDetection.Rack;

    /// <summary>How RACK's reordering window follows DSACKs; of no consequence without RACK.</summary>
    public WindowAdaptation Adaptation { get; init; } = WindowAdaptation.Adaptive;

    /// <summary>
    /// Whether reordering counts as seen, as in Linux, also when an acknowledgment shows that a hole was filled by its original after it was sent again
    /// (tcp_try_undo_partial), or a DSACK reports what had been SACKed (tcp_sacktag_one); and no DSACK widens the window before that. RFC 8985 §6.2 step 3
    /// knows only segments that were sent once. Without SACK, as many duplicates as were overtaken are waited for then (tcp_check_sack_reordering).
    /// </summary>
    public bool LearnsFromCopies { get; init; }

    /// <summary>
    /// Whether a segment whose mark of loss was taken back is not marked by time again before it is resent, as in Linux: tcp_rack_detect_loss takes what it
    /// marks off the list that it looks through, and tcp_undo_cwnd_reduction does not put it back. RFC 8985 §6.2 step 5 knows no such list.
    /// </summary>
    public bool MarksOnce { get; init; }

    /// <summary>
    /// Whether RACK looks for losses only when an acknowledgment delivers what gives it a round trip, or an undo took marks back, as in Linux
    /// (tcp_rack_mark_lost); RFC 8985 §6.2 step 5 looks on each. Behind an early packet the answer to a needless repair is no reason to make another.
    /// </summary>
    public bool LooksOnNews { get; init; }

    /// <summary>
    /// Whether in recovery each acknowledgment of new data proves it needless that echoes a time before the first retransmission, whatever it covers, as in
    /// Linux (tcp_packet_delayed); while a retransmission is out, nothing is marked or sent again on it, and the window not yet given back
    /// (tcp_try_undo_partial). RFC 3522 §3.2 asks the first one that covers the first retransmission.
    /// </summary>
    public bool UndoesByAnyEcho { get; init; }

    /// <summary>
    /// Whether cwnd grows also with what is SACKed alone, once reordering was seen, as in Linux (tcp_may_raise_cwnd); RFC 5681 §3.1 asks for a cumulative
    /// acknowledgment.
    /// </summary>
    public bool GrowsOnSacks { get; init; }

    /// <summary>Whether RACK finds lost retransmissions: it needs send times per segment.</summary>
    public bool FindsLostRetransmissions { get; init; } = true;

    /// <summary>Whether a quiet tail is probed (RFC 8985 §7).</summary>
    public bool HasTailLossProbe { get; init; } = true;

    /// <summary>Whether sending in recovery follows PRR (RFC 9937); else cwnd is ssthresh at once (RFC 6675 §5).</summary>
    public bool HasPrr { get; init; } = true;

    /// <summary>Whether reductions are undone that DSACK or timestamps prove needless, and timeouts tested by F-RTO (RFC 3708, 3522, 5682).</summary>
    public bool Undoes { get; init; } = true;

    /// <summary>Whether a small segment waits until nothing is outstanding (Nagle, RFC 9293 §3.7.4), as without TCP_NODELAY.</summary>
    public bool HasNagle { get; init; }

    /// <summary>Whether segments carry timestamps (RFC 7323).</summary>
    public bool HasTimestamps { get; init; } = true;

    /// <summary>Whether a reduction starts from cwnd, as in Linux, instead of FlightSize.</summary>
    public bool ReducesFromCwnd { get; init; }

    /// <summary>The initial window in segments (RFC 6928: 10).</summary>
    public int InitialWindowSegments { get; init; } = 10;

    /// <summary>Bounds of the retransmission timeout.</summary>
    public RtoLimits Rto { get; init; } = RtoLimits.Rfc6298;

    /// <summary>TLP.max_ack_delay in ns (RFC 8985 §7.2).</summary>
    public long MaxAckDelayNanos { get; init; } = 200_000_000;

    /// <summary>
    /// The tick of the reordering timer, ns: it takes 2 ms more than it has to, in whole ticks from the next one on, as in Linux since 6.7, and is not
    /// set again when it has expired (tcp_rack_mark_lost, tcp_rack_reo_timeout); 0 for an exact one, which RFC 8985 §6.2 step 5 sets again.
    /// </summary>
    public long TimerTickNanos { get; init; }

    /// <summary>Congestion control.</summary>
    public CongestionTraits Congestion { get; init; } = CongestionTraits.Rfc;

    /// <summary>Of which traits it is only assumed that the stack has them; the others are documented.</summary>
    public IReadOnlyList<string> Assumed { get; init; } = [];
}

/// <summary>How a sender detects losses.</summary>
public enum LossDetection
{
    /// <summary>By time (RFC 8985).</summary>
    Rack,

    /// <summary>By DupThresh segments SACKed above (RFC 6675).</summary>
    DuplicateAcks,

    /// <summary>By three duplicate acknowledgments, without SACK (RFC 5681, RFC 6582).</summary>
    NewReno,
}

/// <summary>How RACK's reordering window follows DSACKs.</summary>
public enum WindowAdaptation
{
    /// <summary>It grows with each round trip that brings one (RFC 8985 §6.2 step 4).</summary>
    Adaptive,

    /// <summary>The same, but a round trip is over with the first delivery of what was sent since, as in Linux (tcp_rack_update_reo_wnd).</summary>
    AdaptiveByDelivery,

    /// <summary>It stays at a quarter of the smallest round trip.</summary>
    Fixed,

    /// <summary>It would grow, but the stack takes no DSACK for one: it stays.</summary>
    BlindToDsack,
}
