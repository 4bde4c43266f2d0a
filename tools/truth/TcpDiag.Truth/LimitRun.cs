namespace TcpDiag.Truth;

/// <summary>One run: shares of the active time, 0 … 1, as they were, as told at the sender, and as told at the receiver.</summary>
/// <param name="Name">The run.</param>
/// <param name="Application">Nothing to send, by the program's own log.</param>
/// <param name="ReceiveWindow">By the kernel's clock, rwnd_limited.</param>
/// <param name="Retransmissions">Segments sent again by the kernel's count, tcpi_total_retrans, and told at the sender, SYNs among them.</param>
/// <param name="Timeouts">Retransmission timeouts that the kernel counted.</param>
/// <param name="AtSender">All that was told there.</param>
/// <param name="AtReceiver">All that was told there.</param>
public sealed record LimitRun(
    string Name,
    (double True, double Sender, double Receiver) Application,
    (double True, double Sender, double Receiver) ReceiveWindow,
    (long True, long Told) Retransmissions,
    long Timeouts,
    ToldLimits AtSender,
    ToldLimits AtReceiver);
