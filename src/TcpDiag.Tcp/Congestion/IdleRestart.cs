using System;

namespace TcpDiag.Tcp.Congestion;

/// <summary>The congestion window after an idle time (RFC 5681 §4.1): nothing has probed the path, so the window falls back to the initial one.</summary>
public static class IdleRestart
{
    /// <summary>The window with which sending resumes.</summary>
    /// <param name="cwnd">cwnd before the idle time in bytes.</param>
    /// <param name="initialWindow">The initial window in bytes.</param>
    /// <param name="idleNs">Time since the last segment was sent in ns.</param>
    /// <param name="rtoNs">RTO in ns.</param>
    /// <returns>Bytes: RW = min(IW, cwnd) after more than one RTO, else cwnd.</returns>
    public static long Cwnd(long cwnd, long initialWindow, long idleNs, long rtoNs) => idleNs > rtoNs ? Math.Min(initialWindow, cwnd) : cwnd;
}
