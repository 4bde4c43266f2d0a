namespace TcpDiag.Peers;

/// <summary>The data that an acknowledgment is the first to tell of.</summary>
/// <param name="IsControl">Whether it ends with a SYN or FIN without payload: that one was answered, perhaps by a program.</param>
/// <param name="IsWhole">Whether the acknowledgment ends where a packet ended.</param>
/// <param name="IsResent">Whether one of the packets it covers was sent again.</param>
/// <param name="IsAmongRepairs">Whether something was sent again, or duplicate acknowledgments came, since the data was sent (Karn).</param>
/// <param name="Ahead">The most packets that were not acknowledged when one was sent, from the 63 before the last of it to the acknowledgment.</param>
public sealed record AcknowledgedData(bool IsControl, bool IsWhole, bool IsResent, bool IsAmongRepairs, int Ahead);
