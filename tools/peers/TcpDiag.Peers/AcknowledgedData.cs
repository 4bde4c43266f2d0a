namespace TcpDiag.Peers;

/// <summary>The data that an acknowledgment is the first to tell of.</summary>
/// <param name="IsControl">Whether it is a SYN or FIN, without payload.</param>
/// <param name="IsWhole">Whether the acknowledgment ends where a packet ended.</param>
/// <param name="IsResent">Whether one of the packets it covers was sent again.</param>
/// <param name="IsAmongRepairs">Whether something was sent again, or duplicate acknowledgments came, since the data was sent (Karn).</param>
/// <param name="Ahead">Packets that were not acknowledged when the last of it was sent, or one of the 63 before it; the most.</param>
public sealed record AcknowledgedData(bool IsControl, bool IsWhole, bool IsResent, bool IsAmongRepairs, int Ahead);
