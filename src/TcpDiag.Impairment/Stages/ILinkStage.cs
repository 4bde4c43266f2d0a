using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Stages;

/// <summary>One impairment of a segment. Packets arrive in the order of <see cref="LinkPacket.DueAt"/> as far as earlier stages preserve it.</summary>
interface ILinkStage
{
    /// <summary>Handles a packet that reaches the stage at its DueAt; may move that instant or set marks.</summary>
    /// <returns>What was done, for the log; after a drop the packet is gone.</returns>
    ImpairmentAction Process(ref LinkPacket packet);
}

/// <summary>Selects packets and the bit to flip in each; the bit has its own stream so that it does not affect the selection.</summary>
sealed class CorruptionStage(Chance chance, Xoshiro256 bits) : ILinkStage
{
    Xoshiro256 _bits = bits;

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (!chance.Next())
        {
            return ImpairmentAction.None;
        }

        packet.Marks |= PacketMarks.Corrupt;
        packet.CorruptBit = (uint)(_bits.NextBits() >> 32);
        return ImpairmentAction.Corrupt;
    }
}

/// <summary>Selects packets to send twice; the segment makes the copy, which leaves right behind its original.</summary>
sealed class DuplicationStage(Chance chance) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) => chance.Next() ? ImpairmentAction.Duplicate : ImpairmentAction.None;
}
