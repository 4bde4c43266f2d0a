namespace TcpDiag.Impairment.Losses;

/// <summary>Decides packet by packet which are lost.</summary>
interface ILossModel
{
    /// <summary>Decides about the next packet.</summary>
    bool Loses(in LinkPacket packet);
}
