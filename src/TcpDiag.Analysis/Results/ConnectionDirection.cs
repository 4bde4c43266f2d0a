using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Results;

/// <summary>
/// One direction of a connection: the data one end sent, and what came back for it (acknowledgments, duplicate ones, DSACKs, windows). Packets seen at
/// several capture points count once; offloaded segments count as the wire segments they become. Two are equal only when they are the same one.
/// </summary>
public sealed record ConnectionDirection
{
    /// <summary>What the result is based on. Events alone give bytes, retransmissions and RTT.</summary>
    public Evidence Evidence { get; init; }

    /// <summary>Packets captured.</summary>
    public long Packets { get; init; }

    /// <summary>Bytes of those packets on the wire, headers of all layers included.</summary>
    public long FrameBytes { get; init; }

    /// <summary>Payload bytes on the wire, resent ones included.</summary>
    public long PayloadBytes { get; init; }

    /// <summary>Payload bytes, each sequence number once.</summary>
    public long UniqueBytes { get; init; }

    /// <summary>Bytes acknowledged that were never captured.</summary>
    public long UnseenBytes { get; init; }

    /// <summary>Whether the SYN or SYN-ACK of this direction was captured.</summary>
    internal bool HasSyn { get; init; }

    /// <summary>Options in the SYN or SYN-ACK of this direction; null when not all of them were captured.</summary>
    public TcpOptionKinds? SynOptions { get; init; }

    /// <summary>Whether that SYN has the window scale option; null where this was not captured. A snap length may keep it and cut others.</summary>
    internal bool? HasWindowScale { get; init; }

    /// <summary>Maximum segment size option in that SYN, bytes; null without one.</summary>
    public int? MssOption { get; init; }

    /// <summary>Largest payload of a captured segment that fits Ethernet, bytes; null without any.</summary>
    public int? LargestSegment { get; init; }

    /// <summary>Segments, other than resets, without the timestamps that were negotiated.</summary>
    public long UnstampedPackets { get; init; }

    /// <summary>Data segments after offloaded ones are cut at the MSS.</summary>
    public long WireSegments { get; init; }

    /// <summary>
    /// Active time, nanoseconds: from the first payload until all of it is acknowledged; where that was not seen, to the connection's last packet, or to
    /// the trace's end when the connection was still open. Null without payload.
    /// </summary>
    public long? ActiveTime { get; init; }

    /// <summary>When the first payload passed; null without payload.</summary>
    public TraceTime? FirstData { get; init; }

    /// <summary>
    /// Goodput: <see cref="UniqueBytes"/> over <see cref="ActiveTime"/>, bits per second. Null without active time, and where that is shorter than two round
    /// trips: it tells the round trip then, and no rate.
    /// </summary>
    public double? GoodputBitsPerSecond => ActiveTime is > 0 and { } time && time >= 2 * RoundTripNanos ? UniqueBytes * 8e9 / time : null;

    /// <summary>The shortest round trip over the whole path, nanoseconds; 0 where nothing shows it.</summary>
    internal long RoundTripNanos { get; init; }

    /// <summary>Largest payload of a wire segment, bytes: from the handshake, else the largest seen. Null when neither is known.</summary>
    public int? Mss { get; init; }

    /// <summary>Wire segments resent, without SYNs, keep-alives and zero-window probes.</summary>
    public long Retransmissions { get; init; }

    /// <summary>Wire segments that came late into a gap and were no retransmissions.</summary>
    public int OutOfOrder { get; init; }

    /// <summary>Duplicate acknowledgments that came back (RFC 5681 §2).</summary>
    public int DuplicateAcks { get; init; }

    /// <summary>DSACKs that came back (RFC 2883 §4).</summary>
    public int Dsacks { get; init; }

    /// <summary>How often the receiver dropped what it had reported by SACK (RFC 2018 §8).</summary>
    public int Renegings { get; init; }

    /// <summary>DSACKs for data that was sent once: the path made a copy of it behind the capture point (RFC 3708 §3).</summary>
    public int ReportedCopies { get; init; }

    /// <summary>Packets that came back for which the tshark filter <c>tcp.options.sack_le &lt; tcp.ack</c> holds.</summary>
    public int DsacksTsharkFilter { get; init; }

    /// <summary>Explicit congestion notification; null where it was not agreed upon, and no packet carries any of it.</summary>
    public EcnSummary? Ecn { get; init; }

    /// <summary>Segments with window 0 that came back.</summary>
    public int ZeroWindows { get; init; }

    /// <summary>Probes of a zero window.</summary>
    public int ZeroWindowProbes { get; init; }

    /// <summary>Keep-alives.</summary>
    public int KeepAlives { get; init; }

    /// <summary>RTT samples of this direction's data.</summary>
    public RttSummary Rtt { get; init; }

    /// <summary>The way from the capture point to the sender and back, nanoseconds, where echoed timestamps show it and no handshake does; else null.</summary>
    internal long? SenderDelay { get; init; }

    /// <summary>Correlation of RTT samples with bytes in flight, −1 … 1; null where either never changes, or it was not computed.</summary>
    public double? RttLoad { get; init; }

    /// <summary>How fast the path delivered this direction's data; null without enough of it.</summary>
    public DeliverySummary? Delivery { get; init; }

    /// <summary>How its slow start ended; null away from the sender, and with single segments in flight.</summary>
    public SlowStartSummary? SlowStart { get; init; }

    /// <summary>The acknowledgment with the largest RTT sample; null when it was not computed.</summary>
    public TracePosition? LongestRtt { get; init; }

    /// <summary>Whether SACK blocks came back.</summary>
    public bool HasSackBlocks { get; init; }

    /// <summary>Maximum number of bytes in flight after a send. Null without payload, or when no acknowledgments were captured.</summary>
    public int? MaxInFlightBytes { get; init; }

    /// <summary>Largest receive window that came back, bytes. Null while its scale is unknown.</summary>
    public int? MaxReceiveWindowBytes { get; init; }

    /// <summary>Smallest receive window that came back, bytes. Null while its scale is unknown.</summary>
    public int? MinReceiveWindowBytes { get; init; }

    /// <summary>Whether the receive window was never full, though its scale is unknown: by none that fits what was in flight.</summary>
    internal bool IsReceiveWindowOpen { get; init; }

    /// <summary>What triggered the retransmissions; adds up to <see cref="Retransmissions"/>. Null when it was not judged.</summary>
    public TriggerCounts? Triggers => Repairs?.Triggers;

    /// <summary>Retransmissions whose trigger the sender's own events name.</summary>
    public long NamedTriggers { get; init; }

    /// <summary>Whether the retransmissions were needed; adds up to <see cref="Retransmissions"/>. Null when it was not judged.</summary>
    public NeedCounts? Needs => Repairs?.Needs;

    /// <summary>Triggers and needs; null when they were not judged.</summary>
    internal RetransmissionCounts? Repairs { get; init; }

    /// <summary>What the path lost. Null without enough evidence.</summary>
    public LossSummary? Loss { get; init; }

    /// <summary>What the path reordered. Null without enough evidence.</summary>
    public ReorderingSummary? Reordering { get; init; }

    /// <summary>The congestion window. Null without enough evidence.</summary>
    public CwndSummary? Cwnd { get; init; }

    /// <summary>What limited the sender. Null without payload, or without enough evidence.</summary>
    public LimitSummary? Limits { get; init; }

    /// <summary>How long this end took to answer; null when it answered nothing, or the delay to it is unknown.</summary>
    public AnswerSummary? Answers { get; init; }

    /// <summary>What stood out; null when nothing did.</summary>
    public DirectionPatterns? Patterns { get; init; }

    /// <summary>DSACKs the sender's stack counted; null when its events do not say.</summary>
    public long? StackDsacks { get; init; }

    /// <summary>The largest multiplier of RACK's reordering window the sender's stack had (RFC 8985 §6.2 step 4); null when its events do not say.</summary>
    public int? StackReoWndMult { get; init; }

    /// <summary>How often the sender's stack reset its window after a pause; null when its events do not say.</summary>
    public int? CwndRestarts { get; init; }

    /// <summary>The counters of the sender's own stack; null without events of them.</summary>
    public LimitCounters? LimitCounters { get; init; }

    /// <summary>Where packets and events disagree about the limits; null when they agree, or only one of them gives any.</summary>
    public LimitDisagreement? LimitDisagreement { get; init; }

    /// <inheritdoc/>
    public bool Equals(ConnectionDirection? other) => ReferenceEquals(this, other);

    /// <inheritdoc/>
    public override int GetHashCode() => RuntimeHelpers.GetHashCode(this);

    /// <summary>The same with a packet that came after the connection had ended; payload and length on the wire in bytes.</summary>
    internal ConnectionDirection WithLate(int payload, int frameLength) => this with
    {
        Packets = Packets + 1,
        FrameBytes = FrameBytes + frameLength,
        PayloadBytes = PayloadBytes + payload,
        WireSegments = WireSegments + (payload > 0 ? Math.Max(payload / Math.Max(Mss ?? payload, 1), 1) : 0),
    };
}

/// <summary>How fast the path delivered one direction's data.</summary>
public sealed record DeliverySummary
{
    readonly double _best; // 0 for null: there may be a hundred thousand of these
    readonly double _burst;

    /// <summary>The highest rate held for two round trips, bits per second. Null when no two followed each other.</summary>
    public double? BestBitsPerSecond { get => _best > 0 ? _best : null; init => _best = value ?? 0; }

    /// <summary>The rate at which bursts left the slowest link, bits per second: what a sender gets that fills the path. Null without enough of them.</summary>
    public double? BurstBitsPerSecond { get => _burst > 0 ? _burst : null; init => _burst = value ?? 0; }

    /// <summary>Time in which a queue stood on the path, nanoseconds.</summary>
    public long PathFullTime { get; init; }

    /// <summary>Bytes delivered in that time.</summary>
    public long PathFullBytes { get; init; }

    /// <summary>Rate in that time, bits per second: what the slowest link gives. Null when the path was never full.</summary>
    public double? PathFullBitsPerSecond => PathFullTime > 0 ? PathFullBytes * 8e9 / PathFullTime : null;

    /// <summary>Whether nothing went faster without that queue: else it may be one of data the other way, which stands at any rate.</summary>
    internal bool IsOwnQueue => PathFullBitsPerSecond >= Thresholds.FullRateShare * BestBitsPerSecond;

    /// <summary>The token bucket that fits the losses best; null of too few.</summary>
    public TokenBucketSummary? Bucket { get; init; }

    /// <summary>The shortest round trip of data that came through right before a loss, nanoseconds; 0 where none shows.</summary>
    internal long LossRtt { get; init; }

    /// <summary>The same as seen where the data arrives: a sample there is how late the receiver acknowledges, and shows no queue.</summary>
    public DeliverySummary WithoutQueue() => PathFullTime == 0 && LossRtt == 0 ? this : this with { PathFullTime = 0, PathFullBytes = 0, LossRtt = 0 };
}
