using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Loss;

/// <summary>
/// RACK's reordering window as Linux widens it (net/ipv4/tcp_recovery.c, tcp_rack_update_reo_wnd). What it counts is what RFC 8985 §6.2 step 4 counts, but the
/// round trip between two growths is over with the first delivery of what was sent after the growth, a retransmission included, whatever is still missing below
/// it; and a DSACK that comes beside no delivery waits for the next one. The default value is a window that was never widened.
/// </summary>
public struct LinuxReorderingWindow
{
    const int MaxGrowths = 254; // reo_wnd_steps has eight bits

    int _growths;
    int _recoveries;
    TraceTime _grownAt;
    bool _isDsackPending;

    /// <summary>rack.reo_wnd_steps: the window in quarters of min_RTT, at least 1.</summary>
    public readonly int ReoWndMult => 1 + _growths;

    /// <summary>rack.reo_wnd_persist: recoveries left until the multiplier returns to 1; 0 … 16.</summary>
    public readonly int ReoWndPersist => ReorderingWindow.Persistence - _recoveries;

    /// <summary>Adapts the multiplier to an acknowledgment.</summary>
    /// <param name="delivered">What it newly delivered.</param>
    /// <param name="now">When it arrived.</param>
    /// <param name="hasDsack">Whether it carries a DSACK that counts.</param>
    /// <param name="exitsRecovery">Whether it ends a fast or RTO recovery.</param>
    public void OnAckReceived(ReadOnlySpan<RackSegment> delivered, TraceTime now, bool hasDsack, bool exitsRecovery)
    {
        _recoveries += exitsRecovery && _recoveries < ReorderingWindow.Persistence ? 1 : 0;
        _isDsackPending |= hasDsack;
        if (delivered.IsEmpty)
        {
            return;
        }

        if (_isDsackPending && WasSentSince(delivered, _grownAt))
        {
            _growths = Math.Min(_growths + 1, MaxGrowths);
            _recoveries = 0;
            _grownAt = now;
        }
        else if (_recoveries == ReorderingWindow.Persistence)
        {
            _growths = 0;
        }

        _isDsackPending = false;
    }

    static bool WasSentSince(ReadOnlySpan<RackSegment> delivered, TraceTime time)
    {
        foreach (ref readonly RackSegment segment in delivered)
        {
            if (segment.XmitTime >= time)
            {
                return true;
            }
        }

        return false;
    }
}
