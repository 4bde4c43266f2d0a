using System;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// epb_packetid: one number for a packet at all interfaces. PktMon numbers chains of packets, and the packets of a chain; the first packet of a chain has the chain's number here,
/// and what tells the others stands in the upper 16 bits. Numbers of other programs come apart and together again the same way.
/// </summary>
static class PcapngPacketId
{
    const int ChainBits = 48;
    const ulong ChainMask = (1UL << ChainBits) - 1;

    /// <summary>The number of a packet.</summary>
    /// <param name="chain">Number of the chain; one of more than 48 bits stands for itself.</param>
    /// <param name="number">Which packet of the chain, from 1; 0 when there is none.</param>
    /// <returns>epb_packetid.</returns>
    public static ulong Join(ulong chain, ushort number) => chain > ChainMask ? chain : chain | ((ulong)(Math.Max((int)number, 1) - 1) << ChainBits);

    /// <summary>Chain and packet of a number.</summary>
    /// <param name="packetId">epb_packetid.</param>
    /// <param name="chain">Number of the chain.</param>
    /// <param name="number">Which packet of the chain, from 1; 65,536 counts as 65,535.</param>
    public static void Split(ulong packetId, out ulong chain, out ushort number)
    {
        chain = packetId & ChainMask;
        number = (ushort)Math.Min(ushort.MaxValue, (packetId >> ChainBits) + 1);
    }
}
