using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>What the packets of one end carry of explicit congestion notification (RFC 3168), counted.</summary>
struct EcnCounts
{
    const int Ce = 3; // both bits of the ECN field (RFC 3168 §5)
    const TcpFlags Flags = TcpFlags.Ece | TcpFlags.Cwr;

    /// <summary>Packets that the network marked: congestion experienced (CE).</summary>
    public int Marked;

    /// <summary>Packets, but SYNs, that echo such a mark to the other end (ECE).</summary>
    public int Echoes;

    /// <summary>Packets, but SYNs, that report a congestion window reduced (CWR).</summary>
    public int Reductions;

    /// <summary>Whether a DSCP and ECN byte has the mark.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsMarked(byte trafficClass) => (trafficClass & Ce) == Ce;

    /// <summary>Whether a segment carries anything that is counted; of a SYN the flags ask for ECN instead (RFC 3168 §6.1.1).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsIn(in Segment segment) =>
        segment.Sent.IsMarked || ((segment.Flags & Flags) != 0 && (segment.Flags & TcpFlags.Syn) == 0);

    /// <summary>Takes in a segment that carries something.</summary>
    public void Count(in Segment segment)
    {
        bool isSyn = (segment.Flags & TcpFlags.Syn) != 0;
        Marked += segment.Sent.IsMarked ? 1 : 0;
        Echoes += !isSyn && (segment.Flags & TcpFlags.Ece) != 0 ? 1 : 0;
        Reductions += !isSyn && (segment.Flags & TcpFlags.Cwr) != 0 ? 1 : 0;
    }
}
