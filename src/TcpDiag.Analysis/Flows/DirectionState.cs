using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// The running account of one direction of a connection: the data one end sends, and what comes back for it. Fields are
/// in the order of use, so that a plain data segment or acknowledgment touches the first cache lines only.
/// Invariant once <see cref="DirectionMarks.HasSequence"/>: SndUna ≤ SndMax.
/// </summary>
struct DirectionState
{
    /// <summary>Payload that fits Ethernet beside IPv4 and TCP headers without options (RFC 9293 §3.7.1), bytes.</summary>
    public const int EthernetPayload = 1460;

    /// <summary>Sequence number behind the highest byte sent, FIN included (SND.MAX).</summary>
    public SequenceNumber SndMax;

    /// <summary>Highest cumulative acknowledgment that came back; before the first, the lowest sequence number seen.</summary>
    public SequenceNumber SndUna;

    /// <summary>Behind the highest payload byte sent; valid with <see cref="DirectionMarks.DataSeen"/>.</summary>
    public SequenceNumber DataEnd;

    /// <summary>What is known.</summary>
    public DirectionMarks Marks;

    /// <summary>Window in the latest segment of this direction's sender, unscaled: it limits the other direction.</summary>
    public ushort LastWindow;

    /// <summary>Shift count for <see cref="LastWindow"/>, once known.</summary>
    public byte WindowShift;

    /// <summary>Place in the ring of what was sent after the oldest, modulo its length.</summary>
    public byte RingHead;

    /// <summary>Send times kept: the oldest and those in the ring.</summary>
    public byte SendTimes;

    /// <summary>Duplicate acknowledgments since SND.UNA last moved, at most 255.</summary>
    public byte DupAckRun;

    /// <summary>Packets captured, each once.</summary>
    public long Packets;

    /// <summary>Bytes of those packets on the wire, headers of all layers included.</summary>
    public long FrameBytes;

    /// <summary>Payload bytes on the wire, resent ones included.</summary>
    public long PayloadBytes;

    /// <summary>Payload bytes, each sequence number once.</summary>
    public long UniqueBytes;

    /// <summary>Data segments after offloaded ones are cut up.</summary>
    public long WireSegments;

    /// <summary>Instant of the first payload.</summary>
    public TraceTime FirstDataTime;

    /// <summary>Instant at which payload was last acknowledged for the first time.</summary>
    public TraceTime LastAckTime;

    /// <summary>Instant at which data, a FIN included, was last sent.</summary>
    public TraceTime LastSendTime;

    /// <summary>Instant at which an acknowledgment last told something: a higher number, a duplicate, SACK blocks.</summary>
    public TraceTime LastNewsTime;

    /// <summary>What is kept of sent data; none as long as it has sent none.</summary>
    public Pooled<FlightState> Flight;

    /// <summary>For the follower of patterns; none while nothing stood out.</summary>
    public Pooled<PatternState> Pattern;

    /// <summary>For the follower of limits; none as long as it has sent no data.</summary>
    public Pooled<LimitFlight> Limit;

    /// <summary>Largest SND.MAX − SND.UNA after a send, bytes.</summary>
    public int MaxInFlight;

    /// <summary>Largest payload of a wire segment, bytes, from the SYNs; 0 when they were not both seen.</summary>
    public int Mss;

    /// <summary>Largest payload of a captured segment that fits Ethernet, bytes.</summary>
    public int LargestPayload;

    /// <summary>Largest receive window that came back, bytes.</summary>
    public uint MaxReceiveWindow;

    /// <summary>Smallest receive window that came back, bytes.</summary>
    public uint MinReceiveWindow;

    /// <summary>Wire segments resent; neither probes nor keep-alives.</summary>
    public long Retransmissions;

    /// <summary>Wire segments that came late into a gap and were no retransmissions.</summary>
    public int OutOfOrder;

    /// <summary>Duplicate acknowledgments that came back (RFC 5681 §2).</summary>
    public int DuplicateAcks;

    /// <summary>DSACKs that came back (RFC 2883 §4).</summary>
    public int Dsacks;

    /// <summary>Packets that came back for which the tshark filter tcp.options.sack_le &lt; tcp.ack holds.</summary>
    public int DsacksTsharkFilter;

    /// <summary>Segments with window 0 that came back.</summary>
    public int ZeroWindows;

    /// <summary>Bytes acknowledged that were never captured.</summary>
    public long UnseenBytes;

    /// <summary>Probes of a zero window.</summary>
    public int ZeroWindowProbes;

    /// <summary>Keep-alives.</summary>
    public int KeepAlives;

    /// <summary>Initial sequence number, once the SYN was seen.</summary>
    public SequenceNumber Isn;

    /// <summary>SND.MAX when the connection was reset; meaningful while it counts as reset.</summary>
    public SequenceNumber ResetEnd;

    /// <summary>SND.MAX when something was last resent; samples resume behind it.</summary>
    public SequenceNumber RecoveryEnd;

    /// <summary>Retransmissions since the peer was last heard of.</summary>
    public int Unanswered;

    /// <summary>Instant of the first of them.</summary>
    public TraceTime FirstUnansweredTime;

    /// <summary>Segments without timestamps though both SYNs had them; neither SYNs nor resets.</summary>
    public int Unstamped;

    /// <summary>MSS option of this direction's sender, bytes; 0 without one.</summary>
    public ushort MssOption;

    /// <summary>Options of this direction's SYN; valid with <see cref="DirectionMarks.SynSeen"/>.</summary>
    public TcpOptionKinds SynOptions;

    /// <summary>IPv4 identification of the latest packet; 0 without one.</summary>
    public ushort LastIpId;

    /// <summary>TSval of the latest packet but resets and what is of another connection; 0 without timestamps.</summary>
    public uint LastTsVal;

    /// <summary>Wire segments that were no retransmissions.</summary>
    public readonly long Originals => WireSegments - Retransmissions;

    /// <summary>Payload bytes of the wire segments that offloaded ones are cut into.</summary>
    public readonly int PieceLength => Mss > 0 ? Mss : EthernetPayload;

    /// <summary>Bytes sent and not acknowledged.</summary>
    public readonly int InFlight => SndMax - SndUna;

    /// <summary>Wire segments that carry so many bytes: offloaded segments are cut at the MSS.</summary>
    /// <param name="payload">Payload bytes.</param>
    /// <returns>At least 1.</returns>
    public readonly int WireSegmentsOf(int payload)
    {
        int mss = PieceLength;
        return payload <= mss ? 1 : (payload + mss - 1) / mss;
    }

    /// <summary>Whether any of the marks is set.</summary>
    /// <param name="marks">The marks asked for.</param>
    /// <returns>True when at least one is.</returns>
    public readonly bool Is(DirectionMarks marks) => (Marks & marks) != 0;
}
