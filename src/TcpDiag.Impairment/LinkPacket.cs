using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// What the emulator knows of a packet. The bytes stay with the caller, who finds them again by <see cref="Handle"/>.
/// The caller fills handle, length, flow hash, direction and ECN field; everything else is the emulator's.
/// </summary>
public struct LinkPacket
{
    /// <summary>The packet's number in its direction, counted from 1 in the order of <see cref="LinkEmulator.Offer"/>; a copy keeps it.</summary>
    public long Id;

    /// <summary>The caller's name for the bytes, handed back unchanged.</summary>
    public int Handle;

    /// <summary>Bytes the packet occupies on the link: the IP packet, without a link-layer header.</summary>
    public int LengthBytes;

    /// <summary>A hash that is equal for the packets of one flow and direction.</summary>
    public uint FlowHash;

    /// <summary>Which way the packet goes.</summary>
    public LinkDirection Direction;

    /// <summary>The ECN field the packet arrived with.</summary>
    public EcnCodepoint Ecn;

    /// <summary>What is to be done to the bytes before they are sent.</summary>
    public PacketMarks Marks;

    /// <summary>Which bit to flip when <see cref="Marks"/> says so: a random number, to be taken modulo the bits there are.</summary>
    public uint CorruptBit;

    /// <summary>When the packet was offered.</summary>
    public TraceTime OfferedAt;

    /// <summary>When the packet leaves the point it has reached: after all stages, when it is to be sent. Never before <see cref="OfferedAt"/>.</summary>
    public TraceTime DueAt;

    /// <summary>Nanoseconds of propagation delay and jitter given by the current segment, part of <see cref="DueAt"/>.</summary>
    public long PropagationNs;
}
