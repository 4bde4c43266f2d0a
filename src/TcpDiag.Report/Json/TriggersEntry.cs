namespace TcpDiag.Report.Json;

/// <summary>Retransmissions by trigger.</summary>
/// <param name="Fast">Fast or RACK.</param>
/// <param name="Tlp">Tail loss probe.</param>
/// <param name="Rto">Timeout.</param>
/// <param name="LostRetransmission">A retransmission that was lost itself.</param>
/// <param name="Unknown">Not known.</param>
public sealed record TriggersEntry(
    long Fast,
    long Tlp,
    long Rto,
    long LostRetransmission,
    long Unknown);
