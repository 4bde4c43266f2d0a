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
    /// <param name="synTimeouts">How often a SYN or SYN/ACK was resent by timer.</param>
    /// <param name="toleratedTimeouts">How many of them leave the window alone: 0 for RFC 5681, 1 for RFC 6928.</param>
    /// <returns>Bytes.</returns>
    public static int AfterHandshake(int initialWindow, int smss, int synTimeouts, int toleratedTimeouts) =>
        synTimeouts > toleratedTimeouts ? Math.Min(smss, initialWindow) : initialWindow;
}
