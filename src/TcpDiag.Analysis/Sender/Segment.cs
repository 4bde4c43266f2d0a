using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// One captured TCP segment and what it did to its connection: to the data its end sends (<see cref="Sent"/>), and to the data it
/// acknowledges (<see cref="Ack"/>). It is filled once, then shown to those who observe the connection (limits, charts, patterns); nobody
/// parses the segment again. Cleared for each segment: 128 bytes are the most for which the runtime needs no call.
/// </summary>
struct Segment
{
    /// <summary>When it passed the capture point.</summary>
    public TraceTime Time;

    /// <summary>Number of the frame in the trace, from 1, as Wireshark counts: stored events have numbers too.</summary>
    public long PacketNumber;

    /// <summary>First sequence number of its payload.</summary>
    public SequenceNumber Start;

    /// <summary>Payload bytes, and one for a FIN.</summary>
    public int Length;

    /// <summary>Its TSval (RFC 7323 §3); 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>Its flags.</summary>
    public TcpFlags Flags;

    /// <summary>What it was to its own end's data.</summary>
    public SendEffect Sent;

    /// <summary>What it said of the other end's data.</summary>
    public AckEffect Ack;
}

/// <summary>What a segment was to the data of the end that sent it.</summary>
struct SendEffect
{
    /// <summary>Wire segments it becomes: offloaded segments are cut at the MSS.</summary>
    public int WireSegments;

    /// <summary>Bytes of it that were never sent before.</summary>
    public int NewBytes;

    /// <summary>Wire segments of it that are retransmissions: so many verdicts will follow.</summary>
    public ushort Retransmitted;

    /// <summary>Packets of its sender that should have come right before it, by their IPv4 identifications: lost, or overtaken.</summary>
    public ushort MissingBefore;

    /// <summary>What it was.</summary>
    public SentKind Kind;

    /// <summary>What triggered it, for a retransmission, as far as it is known at once.</summary>
    public RetransmissionTrigger Trigger;

    /// <summary>Whether a queue on the path marked it: congestion experienced (RFC 3168).</summary>
    public bool IsMarked;

    /// <summary>Whether the path made it, as a copy of a packet that had passed already.</summary>
    public bool IsCopy;
}

/// <summary>What a segment was to the data of its end.</summary>
enum SentKind : byte
{
    /// <summary>It carried nothing.</summary>
    None = 0,

    /// <summary>New data, or a FIN.</summary>
    New = 1,

    /// <summary>Data sent before.</summary>
    Retransmission = 2,

    /// <summary>An original that came late to the capture point.</summary>
    Late = 3,

    /// <summary>A probe of a closed window (RFC 9293 §3.8.6.1).</summary>
    WindowProbe = 4,

    /// <summary>A keep-alive (RFC 9293 §3.8.4).</summary>
    KeepAlive = 5,

    /// <summary>A copy that the path made of a segment.</summary>
    Copy = 6,

    /// <summary>Not of this connection: its numbers fit an earlier one between the same ports, or nothing at all.</summary>
    Foreign = 7,
}

/// <summary>What the acknowledgment, SACK blocks and window of a segment said of the other end's data.</summary>
struct AckEffect
{
    /// <summary>RTT sample it gave, nanoseconds; 0 without one.</summary>
    public long RttNanos;

    /// <summary>Its acknowledgment number; valid with <see cref="TcpFlags.Ack"/>.</summary>
    public SequenceNumber Number;

    /// <summary>Bytes it moved SND.UNA; 0 when it did not.</summary>
    public int Advance;

    /// <summary>Bytes of these that were never captured.</summary>
    public int Unseen;

    /// <summary>Receive window it grants, bytes; valid with <see cref="AckMarks.WindowKnown"/>.</summary>
    public uint Window;

    /// <summary>The timestamp it echoes (TSecr, RFC 7323 §3); 0 without one.</summary>
    public uint TsEcr;

    /// <summary>What it was.</summary>
    public AckMarks Marks;

    /// <summary>Its SACK blocks.</summary>
    public SackBlocks Sack;

    /// <summary>Bytes by which the receiver is known to have more (DeliveredData, RFC 6937 §3.1).</summary>
    public readonly int Delivered => Advance - Sack.PassedBytes + Sack.NewBytes;

    /// <summary>Whether <see cref="Window"/> is known.</summary>
    public readonly bool IsWindowKnown => (Marks & AckMarks.WindowKnown) != 0;

    /// <summary>Whether <see cref="Window"/> shows at least if the window is closed.</summary>
    public readonly bool HasWindow => (Marks & (AckMarks.WindowKnown | AckMarks.WindowUnscaled)) != 0;

    /// <summary>Whether it is a duplicate acknowledgment (RFC 5681 §2).</summary>
    public readonly bool IsDuplicate => (Marks & AckMarks.Duplicate) != 0;

    /// <summary>Whether it is a duplicate that says nothing of what arrived above SND.UNA: it carries no SACK blocks, and none were cut off.</summary>
    public readonly bool IsBareDuplicate => Sack.Count == 0 && (Marks & (AckMarks.Duplicate | AckMarks.OptionsCut)) == AckMarks.Duplicate;

    /// <summary>Whether it is a duplicate whose SACK blocks, of which none was cut off, say nothing new.</summary>
    public readonly bool IsDuplicateWithoutNews => Sack.NewBytes == 0 && (Marks & (AckMarks.Duplicate | AckMarks.OptionsCut)) == AckMarks.Duplicate;

    /// <summary>Whether it refuses the byte of a probe of a closed window that came before any window was seen.</summary>
    public readonly bool IsProbeRefused => (Marks & AckMarks.ProbeRefused) != 0;

    /// <summary>Whether its first SACK block is a DSACK (RFC 2883 §4).</summary>
    public readonly bool IsDsack => (Marks & AckMarks.Dsack) != 0;

    /// <summary>Whether it carries SACK blocks of which none is new.</summary>
    public readonly bool IsSackWithoutNews => (Marks & AckMarks.SackWithoutNews) != 0;
}

/// <summary>What an acknowledgment was.</summary>
[System.Flags]
enum AckMarks : byte
{
    /// <summary>Nothing of these.</summary>
    None = 0,

    /// <summary>The scale of its window is known.</summary>
    WindowKnown = 1,

    /// <summary>A duplicate acknowledgment (RFC 5681 §2).</summary>
    Duplicate = 2,

    /// <summary>Its first SACK block is a DSACK (RFC 2883 §4).</summary>
    Dsack = 4,

    /// <summary>The window is as in the header, its scale unknown: only whether it is closed shows.</summary>
    WindowUnscaled = 16,

    /// <summary>Its SACK blocks are all known.</summary>
    SackWithoutNews = 8,

    /// <summary>It refuses the byte of a probe of a closed window that came before any window was seen.</summary>
    ProbeRefused = 32,

    /// <summary>The capture cut off some of its options: SACK blocks may be among them.</summary>
    OptionsCut = 64,
}

/// <summary>The SACK blocks of a segment, as far as the capture kept them.</summary>
struct SackBlocks
{
    /// <summary>Blocks that fit the options of a TCP header (RFC 2018 §3).</summary>
    public const int MaxCount = 4;

    /// <summary>Bytes SACKed for the first time.</summary>
    public int NewBytes;

    /// <summary>Bytes SACKed before that SND.UNA moved over.</summary>
    public int PassedBytes;

    Blocks _blocks;
    int _count;

    /// <summary>Blocks, 0 … 4.</summary>
    public readonly int Count => _count;

    /// <summary>A block by its position.</summary>
    public readonly SackBlock this[int index] => _blocks[index];

    /// <summary>Adds a block; there must be room.</summary>
    public void Add(SackBlock block) => _blocks[_count++] = block;

    [InlineArray(MaxCount)]
    struct Blocks
    {
        SackBlock _first;
    }
}
