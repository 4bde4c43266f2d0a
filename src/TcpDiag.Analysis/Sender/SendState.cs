using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// The data one end of a connection sends, while the connection is open. In the order of use, so that a plain data segment or
/// acknowledgment touches the first cache lines only.
/// </summary>
struct SendState
{
    /// <summary>Send sequence variables.</summary>
    public SequenceSpace Space;

    /// <summary>What RTT samples are taken from.</summary>
    public RttSampler Rtt;

    /// <summary>What was sent, counted.</summary>
    public SentCounts Counts;

    /// <summary>When what was sent and acknowledged.</summary>
    public SendTimes Times;

    /// <summary>What is kept of sent data; none as long as nothing was sent.</summary>
    public Pooled<Flight> Flight;

    /// <summary>Sizes of segments.</summary>
    public SegmentSizes Sizes;

    /// <summary>Options and header fields by which this end's segments are told apart.</summary>
    public HeaderFields Header;

    /// <summary>Probes of a closed window and keep-alives.</summary>
    public ProbeCounts Probes;

    /// <summary>The first payload byte that was captured, or where it will begin; exact as long as nothing is missing.</summary>
    public readonly SequenceNumber FirstCaptured =>
        Space.HasData ? Space.DataEnd + unchecked((int)-(Counts.UniqueBytes + Counts.UnseenBytes)) : Space.SndUna;

    /// <summary>Takes in payload, new or not.</summary>
    /// <param name="start">First byte.</param>
    /// <param name="payload">Bytes.</param>
    /// <param name="segments">Wire segments.</param>
    /// <param name="time">When.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountPayload(SequenceNumber start, int payload, int segments, TraceTime time)
    {
        Counts.PayloadBytes += payload;
        Counts.WireSegments += segments;
        if (!Space.HasData)
        {
            Times.FirstData = time;
            Space.BeginData(start);
        }
    }

    /// <summary>
    /// Takes in that the first data captured had been sent before the capture began, and is sent again now: the end had waited since it was last heard.
    /// </summary>
    /// <param name="end">Behind that data.</param>
    /// <param name="begin">When the capture of the connection began.</param>
    public void BeginResent(SequenceNumber end, TraceTime begin)
    {
        Times.FirstData = Times.LastNews != default ? Times.LastNews : begin;
        Space.BeginData(Space.SndUna);
        Space.ExtendUnseen(end, isPayload: true);
    }

    /// <summary>Takes in sequence space that was never sent before; its send time is noted for an RTT sample.</summary>
    /// <param name="start">First byte.</param>
    /// <param name="length">Bytes, one for a FIN included.</param>
    /// <param name="payload">Payload bytes among them.</param>
    /// <param name="segment">The segment; gets what it was.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Extend(SequenceNumber start, int length, int payload, ref Segment segment)
    {
        Space.Extend(start, length, payload);
        Counts.UniqueBytes += payload;
        Times.LastSend = segment.Time;
        if (segment.Sent.Kind == SentKind.None)
        {
            segment.Sent.Kind = SentKind.New;
        }

        segment.Sent.NewBytes = length;
    }
}

/// <summary>What one end sent, counted.</summary>
struct SentCounts
{
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

    /// <summary>Wire segments resent; neither probes nor keep-alives.</summary>
    public long Retransmissions;

    /// <summary>Bytes acknowledged that were never captured.</summary>
    public long UnseenBytes;

    /// <summary>Wire segments that came late into a gap and were no retransmissions.</summary>
    public int OutOfOrder;

    /// <summary>Wire segments that were no retransmissions.</summary>
    public readonly long Originals => WireSegments - Retransmissions;
}

/// <summary>When one end sent, and was heard.</summary>
struct SendTimes
{
    /// <summary>First payload.</summary>
    public TraceTime FirstData;

    /// <summary>When payload was last acknowledged for the first time.</summary>
    public TraceTime LastAck;

    /// <summary>When data, a FIN included, was last sent.</summary>
    public TraceTime LastSend;

    /// <summary>When an acknowledgment last brought news: a higher number, a duplicate, SACK blocks.</summary>
    public TraceTime LastNews;

    TraceTime _firstUnanswered;
    int _unanswered;

    /// <summary>Retransmissions since the peer was last heard.</summary>
    public readonly int Unanswered => _unanswered;

    /// <summary>The first of them; valid while there are any.</summary>
    public readonly TraceTime FirstUnanswered => _firstUnanswered;

    /// <summary>Counts a segment that repeats what the peer has not answered.</summary>
    public void CountUnanswered(TraceTime time)
    {
        _firstUnanswered = _unanswered == 0 ? time : _firstUnanswered;
        _unanswered++;
    }

    /// <summary>The peer was heard.</summary>
    public void OnHeard() => _unanswered = 0;
}

/// <summary>Sizes of the segments of one end.</summary>
struct SegmentSizes
{
    /// <summary>Payload that fits Ethernet beside IPv4 and TCP headers without options (RFC 9293 §3.7.1), bytes.</summary>
    public const int EthernetPayload = 1460;

    const int Full = 1 << 15;
    const int Behind = 1 << 14;
    const int Offloaded = 1 << 13;

    ushort _mss;
    ushort _maxPayload; // the highest bits: whether a segment filled the MSS, the first of them left behind others in flight, one was larger than fits Ethernet

    /// <summary>Largest payload of a wire segment, bytes, from the SYNs; 0 when they were not both seen.</summary>
    public int Mss
    {
        readonly get => _mss;
        set => _mss = (ushort)value;
    }

    /// <summary>Largest payload of a captured segment that fits Ethernet, bytes.</summary>
    public readonly int MaxPayload => _maxPayload & ~(Full | Behind | Offloaded);

    /// <summary>The same; null while there is none.</summary>
    public readonly int? LargestPayload => MaxPayload > 0 ? MaxPayload : null;

    /// <summary>Whether a segment was larger than fits Ethernet: the stack left it to the adapter to cut it.</summary>
    public readonly bool IsOffloaded => (_maxPayload & Offloaded) != 0;

    /// <summary>
    /// Payload of a full wire segment as far as it is known, bytes: where segments are offloaded the largest captured one may be the rest of another.
    /// </summary>
    public readonly int FullPayload => IsOffloaded || MaxPayload == 0 ? WirePayload : MaxPayload;

    /// <summary>Payload bytes of the wire segments that offloaded ones are cut into.</summary>
    public readonly int WirePayload => Mss > 0 ? Mss : EthernetPayload;

    /// <summary>Wire segments that carry so many bytes.</summary>
    /// <param name="payload">Payload bytes.</param>
    /// <returns>At least 1.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int WireSegmentsOf(int payload)
    {
        int mss = WirePayload;
        return payload <= mss ? 1 : (payload + mss - 1) / mss;
    }

    /// <summary>Where the first segment began that filled the MSS; valid with <see cref="IsFullKnown"/>.</summary>
    public SequenceNumber FirstFull { get; private set; }

    /// <summary>Whether there was such a segment; of an offloaded one its first part counts.</summary>
    public readonly bool IsFullKnown => (_maxPayload & Full) != 0;

    /// <summary>Whether that segment left before what was sent ahead of it had been acknowledged: both went the same way at one time.</summary>
    public readonly bool IsFirstFullBehind => (_maxPayload & Behind) != 0;

    /// <summary>Payload up to which a segment says nothing new of sizes, and is one wire segment, bytes.</summary>
    public readonly int KnownPayload => Math.Min(MaxPayload, IsFullKnown ? WirePayload : Mss - 1);

    /// <summary>Takes in the payload of a segment.</summary>
    /// <param name="payload">Bytes.</param>
    /// <param name="start">Its first byte.</param>
    /// <param name="una">SND.UNA then.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnPayload(int payload, SequenceNumber start, SequenceNumber una)
    {
        if (payload > MaxPayload)
        {
            _maxPayload = (ushort)(payload <= EthernetPayload ? (_maxPayload & (Full | Behind | Offloaded)) | payload : _maxPayload | Offloaded);
        }

        if (!IsFullKnown && payload >= _mss && _mss > 0)
        {
            FirstFull = start;
            _maxPayload |= (ushort)(start > una ? Full | Behind : Full);
        }
    }
}

/// <summary>Whether both ends agreed on selective acknowledgments.</summary>
enum SackUse : byte
{
    /// <summary>Not both SYNs were seen whole.</summary>
    Unknown = 0,

    /// <summary>Not both permit SACK.</summary>
    Off = 1,

    /// <summary>Both permit SACK (RFC 2018 §2).</summary>
    On = 2,
}

/// <summary>Options and header fields by which the segments of one end are told apart.</summary>
struct HeaderFields
{
    /// <summary>Segments without timestamps though both SYNs had them; neither SYNs nor resets.</summary>
    public int Unstamped;

    /// <summary>TSval of the latest packet, but resets and what is of another connection; 0 without timestamps.</summary>
    public uint LastTsVal;

    /// <summary>IPv4 identification of the latest packet; 0 without one.</summary>
    public ushort LastIpId;

    /// <summary>Whether the SYN had timestamps (RFC 7323 §3.2).</summary>
    public bool HasTimestamps;

    /// <summary>Whether selective acknowledgments are in use.</summary>
    public SackUse Sack;
}
