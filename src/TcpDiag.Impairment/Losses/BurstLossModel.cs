using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

sealed class BurstLossModel(Chance chance, int packets) : ILossModel
{
    int _left;

    public bool Loses(in LinkPacket packet)
    {
        if (_left == 0 && chance.Next())
        {
            _left = packets;
        }

        if (_left == 0)
        {
            return false;
        }

        _left--;
        return true;
    }
}
