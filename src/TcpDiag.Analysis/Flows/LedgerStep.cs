using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// What one segment did to its connection: to the direction of its payload, and to the direction it acknowledges. The
/// ledger fills it, then hands it to those who follow the connection in time (limits, charts, patterns); nobody parses
/// the segment again. It is cleared for each segment: its 128 bytes are the most for which that takes no call.
/// </summary>
struct LedgerStep
{
    /// <summary>SACK blocks that fit the options of a TCP header (RFC 2018 §3).</summary>
    public const int MostBlocks = 4;

    /// <summary>When the segment passed the capture point.</summary>
    public TraceTime Time;

    /// <summary>Number of the frame in the trace, from 1, as Wireshark counts: stored events have numbers too.</summary>
    public long PacketNumber;

    /// <summary>First sequence number of its payload.</summary>
    public SequenceNumber Start;

    /// <summary>Payload bytes, and one for a FIN.</summary>
    public int Length;

    /// <summary>Its TSval; 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>Part of <see cref="Length"/> that was never sent before.</summary>
    public int Fresh;

    /// <summary>Wire segments it becomes.</summary>
    public int WireSegments;

    /// <summary>Those of them that are retransmissions: so many verdicts will follow.</summary>
    public int Resent;

    /// <summary>Packets of its sender that did not come right before it, by their IPv4 identifications: the path lost them, or they were overtaken.</summary>
    public int LostBefore;

    /// <summary>Its acknowledgment number; meaningful with <see cref="TcpFlags.Ack"/>.</summary>
    public SequenceNumber Acknowledgment;

    /// <summary>Bytes the acknowledgment moved SND.UNA of the other direction; 0 when it did not.</summary>
    public int Advance;

    /// <summary>Bytes of these that were never captured.</summary>
    public int Unseen;

    /// <summary>Bytes of the other direction it SACKed for the first time.</summary>
    public int NewlySacked;

    /// <summary>Receive window it grants the other direction, bytes; meaningless unless <see cref="IsWindowKnown"/>.</summary>
    public uint Window;

    /// <summary>RTT sample of the other direction it gave, nanoseconds; 0 without one.</summary>
    public long Rtt;

    /// <summary>Its SACK blocks; the first <see cref="SackBlockCount"/> are meaningful.</summary>
    public Blocks SackBlocks;

    /// <summary>SACK blocks it carries and the capture kept, 0 … 4.</summary>
    public int SackBlockCount;

    /// <summary>The timestamp it echoes (TSecr, RFC 7323 §3); 0 without one.</summary>
    public uint TsEcr;

    /// <summary>Its flags.</summary>
    public TcpFlags Flags;

    /// <summary>What it was to its sender's ledger.</summary>
    public SentKind Sent;

    /// <summary>What triggered it, for a retransmission, as far as it is known at once.</summary>
    public RetransmissionTrigger Trigger;

    /// <summary>Whether the path made it, as a copy of a packet that had passed already.</summary>
    public bool IsCopy;

    /// <summary>Whether the window's scale is known.</summary>
    public bool IsWindowKnown;

    /// <summary>Whether it is a duplicate acknowledgment (RFC 5681 §2).</summary>
    public bool IsDuplicateAck;

    /// <summary>Whether its first SACK block is a DSACK (RFC 2883 §4).</summary>
    public bool IsDsack;

    /// <summary>Whether it carries SACK blocks of which none is new.</summary>
    public bool IsSackWithoutNews;

    /// <summary>Whether it carries SACK blocks.</summary>
    public readonly bool HasSack => SackBlockCount > 0;

    [InlineArray(MostBlocks)]
    public struct Blocks
    {
        SackBlock _first;
    }
}
