using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

sealed class RandomLossModel(Chance chance) : ILossModel
{
    public bool Loses(in LinkPacket packet) => chance.Next();
}
