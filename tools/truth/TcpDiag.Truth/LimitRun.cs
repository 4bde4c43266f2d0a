namespace TcpDiag.Truth;

/// <summary>One run: what limited its sender in truth, as told at the sender, and as told at the receiver.</summary>
/// <param name="Name">The run.</param>
/// <param name="True">By kernel and program.</param>
/// <param name="AtSender">Told there; null when nothing is told.</param>
/// <param name="AtReceiver">Told there; null when nothing is told.</param>
/// <param name="Retransmissions">Segments sent again by the kernel's count, tcpi_total_retrans, and told at the sender, SYNs among them.</param>
/// <param name="Timeouts">Retransmission timeouts that the kernel counted.</param>
public sealed record LimitRun(
    string Name, LimitShares True, LimitShares? AtSender, LimitShares? AtReceiver, (long True, long Told) Retransmissions, long Timeouts);
