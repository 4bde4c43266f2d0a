namespace TcpDiag.Analysis.Limits;

/// <summary>One amount for each limit that a stack tells apart itself, in bytes or nanoseconds.</summary>
/// <param name="ReceiveWindow">Limited by the receive window.</param>
/// <param name="Congestion">Limited by the congestion window, or by what else is there to control traffic: pacing, recovery, retransmission timers.</param>
/// <param name="Sender">Limited by the sender: its application had no data, or its send buffer was full.</param>
public readonly record struct CountedLimits(long ReceiveWindow, long Congestion, long Sender)
{
    /// <summary>All of them together.</summary>
    public long Total => ReceiveWindow + Congestion + Sender;

    /// <summary>What has come since.</summary>
    /// <param name="before">What was there before.</param>
    /// <returns>The difference.</returns>
    internal CountedLimits Since(in CountedLimits before) =>
        new(ReceiveWindow - before.ReceiveWindow, Congestion - before.Congestion, Sender - before.Sender);

    /// <summary>Adds time, divided as an amount is.</summary>
    /// <param name="nanoseconds">The time.</param>
    /// <param name="amount">The amount; its total is not 0.</param>
    /// <returns>The sum.</returns>
    internal CountedLimits Plus(long nanoseconds, in CountedLimits amount)
    {
        long window = Part(nanoseconds, amount.ReceiveWindow, amount.Total);
        long congestion = Part(nanoseconds, amount.Congestion, amount.Total);
        return new(ReceiveWindow + window, Congestion + congestion, Sender + nanoseconds - window - congestion);
    }

    static long Part(long nanoseconds, long part, long total) => (long)((double)nanoseconds * part / total);
}
