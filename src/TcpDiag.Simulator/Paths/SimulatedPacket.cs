using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Paths;

/// <summary>A TCP segment on the simulated path: its numbers, not its bytes.</summary>
public struct SimulatedPacket
{
    /// <summary>Whether it goes from the sender of the data to the receiver.</summary>
    public bool IsFromSender;

    /// <summary>Control bits.</summary>
    public TcpFlags Flags;

    /// <summary>SEG.SEQ.</summary>
    public SequenceNumber Seq;

    /// <summary>Payload bytes.</summary>
    public int Length;

    /// <summary>TSval.</summary>
    public uint TsVal;

    /// <summary>Identification of its IPv4 header.</summary>
    public ushort IpId;

    /// <summary>The two ECN bits of its IP header (RFC 3168 §5).</summary>
    public byte Ecn;

    /// <summary>What it acknowledges, grants and reports.</summary>
    public AckArrival Ack;
}
