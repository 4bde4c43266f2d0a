using System;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Peers;

/// <summary>
/// All reasons known, each with the facts that show it. A difference no reason fits is not explained, and that is what the comparison looks for.
/// </summary>
static class Explanations
{
    const PacketMarks Repair = PacketMarks.Retransmission | PacketMarks.OutOfOrder;
    const int FollowedInFlight = 16; // docs/measures.md, RTT sample

    static readonly (Reason Reason, Predicate<Difference> Fits)[] All =
    [
        (new("A retransmission taken for out of order", "The same bytes had passed the capture point before: a repair, and nothing came out of order.", true),
            static one => one is { Measure: Repair, Own: PacketMarks.Retransmission, Peer: PacketMarks.OutOfOrder, Packet.SeenBefore: > 0 }),
        (new("A retransmission that fills a gap, taken for out of order",
            "Its timestamp or IPv4 identification is later than that of the packet that came with the data behind it: it was sent again, not overtaken.", true),
            static one => one is { Measure: Repair, Own: PacketMarks.Retransmission, Peer: PacketMarks.OutOfOrder, Packet.IsSentLater: true }),
        (new("A late original taken for a retransmission",
            "Its timestamp or IPv4 identification is earlier than that of the packet that came with the data behind it: the path reordered.", true),
            static one => one is { Measure: Repair, Own: PacketMarks.OutOfOrder, Packet.IsSentLater: false, Packet.SeenBefore: 0 }),
        (new("SYN", "SYNs sent again are told as `handshake.synRetransmissions`, not among the data.", false),
            static one => one.Measure == Repair && !one.IsOwn && (one.Packet.Flags & TcpFlags.Syn) != 0),
        (new("FIN without payload", "It occupies a sequence number, so that sending it again is a retransmission; tcptrace counts data only.", false),
            static one => one is { Measure: Repair, Own: PacketMarks.Retransmission, Peer: PacketMarks.None, Packet.Payload: 0 }
                && (one.Packet.Flags & TcpFlags.Fin) != 0),
        (new("A duplicate ACK whose window differs",
            "With SACK blocks a changed window does not matter (RFC 6675 §2): the receiver opens its window while it reports a gap.", false),
            static one => one is { Measure: PacketMarks.DuplicateAck, IsOwn: true, Packet: { ChangesWindow: true, HasSack: true } }),
        (new("A repeated ACK with nothing outstanding",
            "RFC 5681 §2 (a) asks for outstanding data: this one answers a probe, a keep-alive or data that came twice, or updates a window.", true),
            static one => one is { Measure: PacketMarks.DuplicateAck, IsOwn: false, Packet.HasOutstanding: false }),
        (new("A SYN or FIN that repeats an ACK", "A segment with SYN or FIN is no duplicate acknowledgment (RFC 5681 §2 (c)).", true),
            static one => one is { Measure: PacketMarks.DuplicateAck, IsOwn: false } && (one.Packet.Flags & (TcpFlags.Syn | TcpFlags.Fin)) != 0),
        (new("RTT of the handshake or a FIN",
            "A SYN or FIN without payload gives no sample, whatever data its acknowledgment covers too: its answer may wait for a program. The RTT of the "
                + "handshake is kept apart.", false),
            static one => one is { Measure: PacketMarks.RttSample, IsOwn: false } && one.Packet.Acknowledges is null or { IsControl: true }),
        (new("RTT of what was sent again", "Nobody knows which sending is acknowledged (Karn; RFC 6298 §3), and no timestamp shows it.", true),
            static one => one is { Measure: PacketMarks.RttSample, IsOwn: false, Packet.Acknowledges.IsResent: true }),
        (new("RTT among repairs", "Something was missing or sent again before this acknowledgment: it shows how long the repair took, not the path.", false),
            static one => one is { Measure: PacketMarks.RttSample, IsOwn: false, Packet.Acknowledges.IsAmongRepairs: true }),
        (new("RTT with more than 16 segments in flight",
            "tcpdiag follows the sending times of 16 segments at a time, spread over all that is in flight: some samples in each round trip, in bounded memory.", false),
            static one => one is { Measure: PacketMarks.RttSample, IsOwn: false, Packet.Acknowledges.Ahead: >= FollowedInFlight }),
        (new("RTT of a repair by its timestamp", "The echoed timestamp is that of one sending only, so that the sample is certain (RFC 7323 §4).", false),
            static one => one is { Measure: PacketMarks.RttSample, IsOwn: true, Packet.Acknowledges.IsAmongRepairs: true }),
        (new("RTT of a part of an offloaded segment", "The acknowledgment ends inside a segment as captured; all of it left at the same time.", false),
            static one => one is { Measure: PacketMarks.RttSample, IsOwn: true, Packet.Acknowledges.IsWhole: false }),
    ];

    /// <summary>The reason of a difference.</summary>
    /// <param name="difference">The difference.</param>
    /// <returns>The first that fits; null when none does.</returns>
    public static Reason? Of(Difference difference) => All.FirstOrDefault(one => one.Fits(difference)).Reason;

    /// <summary>Where a reason stands among all.</summary>
    /// <param name="reason">The reason.</param>
    /// <returns>From 0.</returns>
    public static int Order(Reason reason) => Array.FindIndex(All, one => one.Reason == reason);
}
