using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>What one end of a connection sent, and what came back for it.</summary>
/// <param name="From">client or server.</param>
/// <param name="Packets">Packets captured, each once.</param>
/// <param name="FrameBytes">Bytes of those packets on the wire, headers of all layers included.</param>
/// <param name="WireSegments">Data segments after offloaded ones are cut at the MSS.</param>
/// <param name="PayloadBytes">Payload on the wire, resent bytes included.</param>
/// <param name="UniqueBytes">Payload, each byte once.</param>
/// <param name="UnseenBytes">Bytes acknowledged that were never captured.</param>
/// <param name="GoodputBitsPerSecond">Unique bytes over the active time.</param>
/// <param name="Mss">Largest payload of a wire segment, bytes.</param>
/// <param name="SynOptions">Names of the options in its SYN or SYN-ACK.</param>
/// <param name="Retransmissions">What was sent again.</param>
/// <param name="Loss">What was lost.</param>
/// <param name="Reordering">What was reordered.</param>
/// <param name="Dsacks">DSACKs that came back (RFC 2883).</param>
/// <param name="DsacksTsharkFilter">Packets that came back for which tcp.options.sack_le &lt; tcp.ack holds.</param>
/// <param name="DuplicateAcks">Duplicate acknowledgments that came back.</param>
/// <param name="ZeroWindows">Segments with window 0 that came back.</param>
/// <param name="OutOfOrder">Wire segments that came late into a gap and were no retransmissions.</param>
/// <param name="Rtt">Round-trip times of this direction's data.</param>
/// <param name="MaxInFlightBytes">Most bytes in flight after a send.</param>
/// <param name="Cwnd">The congestion window.</param>
/// <param name="ReceiveWindow">The receive window that came back.</param>
/// <param name="ActiveMicroseconds">From the first payload to the last of it acknowledged.</param>
/// <param name="Limits">What limited the sender.</param>
public sealed record DirectionEntry(
    string From,
    long? Packets,
    long? FrameBytes,
    long? WireSegments,
    long? PayloadBytes,
    long? UniqueBytes,
    long? UnseenBytes,
    double? GoodputBitsPerSecond,
    int? Mss,
    IReadOnlyList<string>? SynOptions,
    RetransmissionsEntry Retransmissions,
    LossEntry? Loss,
    ReorderingEntry? Reordering,
    long? Dsacks,
    long? DsacksTsharkFilter,
    long? DuplicateAcks,
    long? ZeroWindows,
    long? OutOfOrder,
    RttEntry Rtt,
    long? MaxInFlightBytes,
    CwndEntry? Cwnd,
    WindowEntry ReceiveWindow,
    double? ActiveMicroseconds,
    LimitsEntry? Limits);
