using System.Collections.Generic;
using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

/// <summary>Exactly the listed packets are lost.</summary>
/// <param name="Ranges">Packet numbers of the direction (<see cref="LinkPacket.Id"/>), ascending, not overlapping.</param>
public sealed record ListedLoss(IReadOnlyList<PacketRange> Ranges) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new ListedLossModel(Ranges);
}
