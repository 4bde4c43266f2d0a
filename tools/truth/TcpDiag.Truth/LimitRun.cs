namespace TcpDiag.Truth;

/// <summary>One run: what limited its sender in truth, and as told at either end.</summary>
/// <param name="Name">The run.</param>
/// <param name="Sender">By kernel and program, and told at the sender; null when nothing is told.</param>
/// <param name="Receiver">The same at the receiver, whose capture ends a round trip earlier: when the last acknowledgment leaves.</param>
/// <param name="Retransmissions">Segments sent again by the kernel's count, tcpi_total_retrans, and told at the sender, SYNs among them.</param>
/// <param name="Timeouts">Retransmission timeouts that the kernel counted.</param>
public sealed record LimitRun(
    string Name, (LimitShares True, LimitShares? Told) Sender, (LimitShares True, LimitShares? Told) Receiver, (long True, long Told) Retransmissions,
    long Timeouts)
{
    /// <summary>How far the sender's capture is off in the share where it is furthest off, 0 … 1.</summary>
    public double SenderOff => Sender.True.Distance(Sender.Told);

    /// <summary>The same of the receiver's.</summary>
    public double ReceiverOff => Receiver.True.Distance(Receiver.Told);
}
