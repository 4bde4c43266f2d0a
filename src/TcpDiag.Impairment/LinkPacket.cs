using System;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// A packet as the emulator sees it. The bytes stay with the caller, who finds them again by <see cref="Handle"/>.
/// The caller sets handle, length, flow hash, direction and ECN field; the emulator sets the rest.
/// </summary>
public struct LinkPacket
{
    /// <summary>The packet's number in its direction, counted from 1 in the order of <see cref="LinkEmulator.Offer"/>; a copy keeps it.</summary>
    public long Id { get; internal set; }

    /// <summary>Identifies the caller's buffer; handed back unchanged.</summary>
    public int Handle { get; set; }

    /// <summary>Bytes the packet occupies on the link: the IP packet, without a link-layer header.</summary>
    public int LengthBytes { get; set; }

    /// <summary>A hash that is equal for the packets of one flow and direction.</summary>
    public uint FlowHash { get; set; }

    /// <summary>Which way the packet goes.</summary>
    public LinkDirection Direction { get; set; }

    /// <summary>The ECN field the packet arrived with.</summary>
    public EcnCodepoint Ecn { get; set; }

    /// <summary>What to do to the bytes before they are sent.</summary>
    public PacketMarks Marks { get; internal set; }

    /// <summary>With <see cref="PacketMarks.Corrupt"/>, a random number that selects the bit to flip (<see cref="PacketView.FlipBit"/>).</summary>
    public uint CorruptBit { get; internal set; }

    /// <summary>0, or the number of the flow of cross traffic it belongs to.</summary>
    internal int CrossFlow { get; set; }

    /// <summary>When the packet was offered.</summary>
    public TraceTime OfferedAt { get; internal set; }

    /// <summary>When the packet leaves the stage it has reached; after the last one, when to send it. Never before <see cref="OfferedAt"/>.</summary>
    public TraceTime DueAt { get; internal set; }

    /// <summary>Nanoseconds of propagation delay and jitter given by the current segment, part of <see cref="DueAt"/>.</summary>
    public long PropagationNanos { get; internal set; }
}

/// <summary>What the emulator decided about the bytes of a packet; the caller applies it when it sends them.</summary>
[Flags]
public enum PacketMarks
{
    /// <summary>Send the bytes as they are.</summary>
    None = 0,

    /// <summary>Set the ECN field to CE: <see cref="PacketView.MarkCongestionExperienced"/>.</summary>
    CongestionExperienced = 1,

    /// <summary>Flip the bit chosen by <see cref="LinkPacket.CorruptBit"/>: <see cref="PacketView.FlipBit"/>.</summary>
    Corrupt = 2,

    /// <summary>This is the copy of a duplicated packet.</summary>
    Copy = 4,

    /// <summary>The packet waits for its successors (swap); cleared when they have passed.</summary>
    Held = 8,
}

/// <summary>Which way a packet crosses the emulated link; each way has settings, queue and random streams of its own.</summary>
public enum LinkDirection
{
    /// <summary>From the near side (the first namespace, or this host) to the far side.</summary>
    Out = 0,

    /// <summary>From the far side to the near side.</summary>
    In = 1,
}

/// <summary>The two ECN bits of the IP header (RFC 3168 §5).</summary>
public enum EcnCodepoint
{
    /// <summary>Not ECN-capable; such a packet is never marked.</summary>
    NotEct = 0,

    /// <summary>ECN-capable, codepoint 01 (L4S, RFC 9331).</summary>
    Ect1 = 1,

    /// <summary>ECN-capable, codepoint 10.</summary>
    Ect0 = 2,

    /// <summary>Congestion experienced.</summary>
    Ce = 3,
}
