using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Stages;

/// <summary>Chooses packets and the bit to flip in each; the bit has a stream of its own so that it does not shift the choice.</summary>
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
