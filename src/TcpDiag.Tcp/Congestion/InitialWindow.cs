using System;

namespace TcpDiag.Tcp.Congestion;

/// <summary>How much a connection may send before the first acknowledgment, in bytes.</summary>
public static class InitialWindow
{
    /// <summary>IW10 (RFC 6928 §2): min(10·SMSS, max(2·SMSS, 14600)).</summary>
    /// <param name="smss">SMSS in bytes.</param>
    /// <returns>Bytes.</returns>
    public static int Ten(int smss) => Math.Min(10 * smss, Math.Max(2 * smss, 14_600));

    /// <summary>The classic window (RFC 5681 §3.1): 2, 3 or 4 segments by their size.</summary>
    /// <param name="smss">SMSS in bytes.</param>
    /// <returns>Bytes.</returns>
    public static int Classic(int smss) => smss switch
    {
        > 2190 => 2 * smss,
        > 1095 => 3 * smss,
        _ => 4 * smss,
    };

    /// <summary>The window after a lost SYN or SYN/ACK: one segment after the first loss by RFC 5681 §3.1, after more than one by RFC 6928 §2.</summary>
    /// <param name="initialWindow">The window without loss in bytes.</param>
    /// <param name="smss">SMSS in bytes.</param>
    /// <param name="synTimeouts">How often a SYN or SYN/ACK was retransmitted by timer.</param>
    /// <param name="toleratedTimeouts">How many of them leave the window alone: 0 for RFC 5681, 1 for RFC 6928.</param>
    /// <returns>Bytes.</returns>
    public static int AfterHandshake(int initialWindow, int smss, int synTimeouts, int toleratedTimeouts) =>
        synTimeouts > toleratedTimeouts ? Math.Min(smss, initialWindow) : initialWindow;
}

/// <summary>The congestion window after an idle time (RFC 5681 §4.1): nothing has probed the path, so the window falls back to the initial one.</summary>
public static class IdleRestart
{
    /// <summary>The window with which sending resumes.</summary>
    /// <param name="cwnd">cwnd before the idle time in bytes.</param>
    /// <param name="initialWindow">The initial window in bytes.</param>
    /// <param name="idleNanos">Time since the last segment was sent in ns.</param>
    /// <param name="rtoNanos">RTO in ns.</param>
    /// <returns>Bytes: RW = min(IW, cwnd) after more than one RTO, else cwnd.</returns>
    public static long Cwnd(long cwnd, long initialWindow, long idleNanos, long rtoNanos) => idleNanos > rtoNanos ? Math.Min(initialWindow, cwnd) : cwnd;
}
