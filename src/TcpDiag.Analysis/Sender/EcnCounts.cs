using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>What the packets of one end carry of explicit congestion notification (RFC 3168), counted.</summary>
struct EcnCounts
{
    const int Ce = 3; // both bits of the ECN field (RFC 3168 §5)

    /// <summary>Packets that the network marked: congestion experienced (CE).</summary>
    public int Marked;

    /// <summary>Packets, but SYNs, that echo such a mark to the other end (ECE).</summary>
    public int Echoes;

    /// <summary>Packets, but SYNs, that report a congestion window reduced (CWR).</summary>
    public int Reductions;

    /// <summary>Whether a packet carries anything that is counted; of a SYN the flags ask for ECN instead (RFC 3168 §6.1.1).</summary>
    /// <param name="trafficClass">DSCP and ECN byte.</param>
    /// <param name="flags">Its flags.</param>
    public static bool IsIn(byte trafficClass, TcpFlags flags) => (trafficClass & Ce) == Ce || (flags & (TcpFlags.Ece | TcpFlags.Cwr)) != 0;

    /// <summary>Takes in a packet.</summary>
    /// <param name="trafficClass">DSCP and ECN byte.</param>
    /// <param name="flags">Its flags.</param>
    public void Count(byte trafficClass, TcpFlags flags)
    {
        bool isSyn = (flags & TcpFlags.Syn) != 0;
        Marked += (trafficClass & Ce) == Ce ? 1 : 0;
        Echoes += !isSyn && (flags & TcpFlags.Ece) != 0 ? 1 : 0;
        Reductions += !isSyn && (flags & TcpFlags.Cwr) != 0 ? 1 : 0;
    }
}
