namespace TcpDiag.Impairment.Losses;

/// <summary>Packets <paramref name="First"/> to <paramref name="Last"/> of a direction, both included, counted from 1.</summary>
/// <param name="First">The first packet.</param>
/// <param name="Last">The last packet, not before the first.</param>
public readonly record struct PacketRange(long First, long Last);
