using System;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Wire;

namespace TcpDiag.Analysis;

/// <summary>
/// One direction of a connection: the data one end sent, and what came back for it (acknowledgments, duplicate ones,
/// DSACKs, windows). Packets seen at several capture points count once; offloaded segments count as the wire segments they become.
/// </summary>
public sealed class ConnectionDirection
{
    /// <summary>What the account rests on. From events, only bytes, retransmissions and RTT are known; from nothing, nothing is.</summary>
    public Evidence Evidence { get; internal set; }

    /// <summary>Packets captured.</summary>
    public long Packets { get; internal set; }

    /// <summary>Bytes of those packets on the wire, headers of all layers included.</summary>
    public long FrameBytes { get; internal set; }

    /// <summary>Payload bytes on the wire, resent ones included.</summary>
    public long PayloadBytes { get; internal set; }

    /// <summary>Payload bytes, each sequence number once.</summary>
    public long UniqueBytes { get; internal set; }

    /// <summary>Bytes acknowledged that were never captured.</summary>
    public long UnseenBytes { get; internal set; }

    /// <summary>Whether the SYN or SYN-ACK of this direction was captured.</summary>
    internal bool HasSyn { get; init; }

    /// <summary>Options in the SYN or SYN-ACK of this direction; null when the trace does not hold all of them.</summary>
    public TcpOptionKinds? SynOptions { get; internal set; }

    /// <summary>Maximum segment size option in that SYN, bytes; null without one.</summary>
    public int? MssOption { get; internal set; }

    /// <summary>Largest payload of a captured segment that fits Ethernet, bytes; null without any.</summary>
    public int? LargestSegment { get; internal set; }

    /// <summary>Segments without the timestamps that both SYNs had agreed upon; resets are not among them.</summary>
    public long UnstampedPackets { get; internal set; }

    /// <summary>Data segments after offloaded ones are cut at the MSS.</summary>
    public long WireSegments { get; internal set; }

    /// <summary>
    /// Active time, nanoseconds: from the first payload to the last of it acknowledged; where that was not seen, to the
    /// connection's last packet, or to the trace's end when the connection was still open. Null without payload.
    /// </summary>
    public long? ActiveTime { get; internal set; }

    /// <summary>
    /// Goodput: <see cref="UniqueBytes"/> over <see cref="ActiveTime"/>, bits per second. Null without active time.
    /// </summary>
    public double? GoodputBitsPerSecond => ActiveTime is > 0 and { } time ? UniqueBytes * 8e9 / time : null;

    /// <summary>Largest payload of a wire segment, bytes: from the handshake, else the largest seen. Null when neither tells.</summary>
    public int? Mss { get; internal set; }

    /// <summary>Wire segments resent; SYNs, keep-alives and zero-window probes are not among them.</summary>
    public long Retransmissions { get; internal set; }

    /// <summary>Wire segments that came late into a gap and were no retransmissions.</summary>
    public int OutOfOrder { get; internal set; }

    /// <summary>Duplicate acknowledgments that came back (RFC 5681 §2).</summary>
    public int DuplicateAcks { get; internal set; }

    /// <summary>DSACKs that came back (RFC 2883 §4).</summary>
    public int Dsacks { get; internal set; }

    /// <summary>Packets that came back for which the tshark filter <c>tcp.options.sack_le &lt; tcp.ack</c> holds.</summary>
    public int DsacksTsharkFilter { get; internal set; }

    /// <summary>Segments with window 0 that came back.</summary>
    public int ZeroWindows { get; internal set; }

    /// <summary>Probes of a zero window.</summary>
    public int ZeroWindowProbes { get; internal set; }

    /// <summary>Keep-alives.</summary>
    public int KeepAlives { get; internal set; }

    /// <summary>RTT samples of this direction's data.</summary>
    public RttSummary Rtt { get; internal set; }

    /// <summary>Correlation of RTT samples with bytes in flight, −1 … 1; null where one of both never changes, or it was not judged.</summary>
    public double? RttLoad { get; internal set; }

    /// <summary>The acknowledgment that gave the largest RTT sample; null when it was not judged.</summary>
    public Mark? LongestRtt { get; internal set; }

    /// <summary>Whether SACK blocks came back.</summary>
    public bool HasSackBlocks { get; internal set; }

    /// <summary>Most bytes in flight after a send. Null without payload, or when no acknowledgments were captured.</summary>
    public int? MaxInFlightBytes { get; internal set; }

    /// <summary>Largest receive window that came back, bytes. Null while its scale is unknown.</summary>
    public int? MaxReceiveWindowBytes { get; internal set; }

    /// <summary>Smallest receive window that came back, bytes. Null while its scale is unknown.</summary>
    public int? MinReceiveWindowBytes { get; internal set; }

    /// <summary>What triggered the retransmissions; adds up to <see cref="Retransmissions"/>. Null when it was not judged.</summary>
    public TriggerCounts? Triggers => Repairs?.Triggers;

    /// <summary>Retransmissions of which the sender's own events told the trigger.</summary>
    public long NamedTriggers { get; internal set; }

    /// <summary>Whether the retransmissions were needed; adds up to <see cref="Retransmissions"/>. Null when it was not judged.</summary>
    public NeedCounts? Needs => Repairs?.Needs;

    /// <summary>Both of them; null when neither was judged.</summary>
    internal RepairCounts? Repairs { get; set; }

    /// <summary>What the path lost. Null when the evidence does not suffice.</summary>
    public LossSummary? Loss { get; internal set; }

    /// <summary>What the path reordered. Null when the evidence does not suffice.</summary>
    public ReorderingSummary? Reordering { get; internal set; }

    /// <summary>The congestion window. Null when the evidence does not suffice.</summary>
    public CwndSummary? Cwnd { get; internal set; }

    /// <summary>What limited the sender. Null without payload, or when the evidence does not suffice.</summary>
    public LimitSummary? Limits { get; internal set; }

    /// <summary>How long this end took to answer; null when it answered nothing, or the way to it is not known.</summary>
    public AnswerSummary? Answers { get; internal set; }

    /// <summary>What stood out; null when nothing did.</summary>
    public DirectionPatterns? Patterns { get; internal set; }

    /// <summary>DSACKs the sender's stack counted; null when its events do not tell.</summary>
    public long? StackDsacks { get; internal set; }

    /// <summary>Times the sender's stack took its window back after a pause; null when its events do not tell.</summary>
    public int? CwndRestarts { get; internal set; }

    /// <summary>What the sender's stack counted of its limits itself; null when its events do not tell.</summary>
    public LimitCounters? LimitCounters { get; internal set; }

    /// <summary>What packets and events, each alone, tell differently of the limits; null when they agree or only one tells.</summary>
    public LimitDisagreement? LimitDisagreement { get; internal set; }

    /// <summary>Adds a packet that came after the connection was put away.</summary>
    /// <param name="payload">Its payload, bytes.</param>
    /// <param name="frameLength">Its length on the wire, bytes.</param>
    internal void AddLate(int payload, int frameLength)
    {
        Packets++;
        FrameBytes += frameLength;
        PayloadBytes += payload;
        WireSegments += payload > 0 ? Math.Max(payload / Math.Max(Mss ?? payload, 1), 1) : 0;
    }
}
