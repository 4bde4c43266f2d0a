using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Loss;

/// <summary>
/// RACK's reordering window (RFC 8985 §6.2 step 4): how much longer than a round trip a segment may take before it counts as lost.
/// It starts at min_RTT/4 and widens by as much with every round trip that brings a DSACK, up to SRTT; 16 recoveries
/// without one narrow it again. The default value is a window that was never widened.
/// </summary>
public struct ReorderingWindow
{
    /// <summary>DupThresh in segments (RFC 8985 §6.2 step 4, RACK.reo_thresh).</summary>
    public const int DupThresh = 3;

    /// <summary>Recoveries without a new DSACK after which the window narrows again (RFC 8985 §6.2 step 4).</summary>
    public const int Persistence = 16;

    const int MaxGrowths = 1 << 20; // far past SRTT on any path

    // Counted from 0, so that the default value needs no constructor: growths of the multiplier, and recoveries since the last one (0 … 16).
    int _growths;
    int _recoveries;

    /// <summary>RACK.reo_wnd_mult: the window in quarters of min_RTT, at least 1.</summary>
    public readonly int ReoWndMult => 1 + _growths;

    /// <summary>RACK.reo_wnd_persist: recoveries left until the multiplier returns to 1; 0 … 16.</summary>
    public readonly int ReoWndPersist => Persistence - _recoveries;

    /// <summary>RACK.dsack_round: behind the last byte of the round in which a DSACK counted; null outside such a round.</summary>
    public SequenceNumber? DsackRound { get; private set; }

    /// <summary>Adapts the multiplier to an acknowledgment. At most one growth per round trip.</summary>
    /// <param name="sndUna">SND.UNA after the acknowledgment.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="hasDsack">Whether the acknowledgment carries a DSACK.</param>
    /// <param name="exitsRecovery">Whether it ends a fast or RTO recovery.</param>
    public void OnAckReceived(SequenceNumber sndUna, SequenceNumber sndNxt, bool hasDsack, bool exitsRecovery)
    {
        if (DsackRound is { } end && sndUna >= end)
        {
            DsackRound = null;
        }

        if (hasDsack && DsackRound is null)
        {
            DsackRound = sndNxt;
            _growths = Math.Min(_growths + 1, MaxGrowths);
            _recoveries = 0;
        }
        else if (exitsRecovery)
        {
            _recoveries = Math.Min(_recoveries + 1, Persistence);
            _growths = _recoveries == Persistence ? 0 : _growths;
        }
    }

    /// <summary>RACK.reo_wnd.</summary>
    /// <param name="mult">RACK.reo_wnd_mult.</param>
    /// <param name="minRttNanos">min_RTT in ns.</param>
    /// <param name="srttNanos">SRTT in ns, the bound (RFC 8985 §3.3.2).</param>
    /// <param name="reorderingSeen">RACK.reordering_seen.</param>
    /// <param name="inRecovery">Whether the sender is in fast or RTO recovery.</param>
    /// <param name="sackedSegments">RACK.segs_sacked: segments SACKed and not yet cumulatively acknowledged.</param>
    /// <returns>ns; 0 while no reordering was seen and loss is already evident.</returns>
    public static long ReoWndNanos(int mult, long minRttNanos, long srttNanos, bool reorderingSeen, bool inRecovery, int sackedSegments)
    {
        bool lossIsEvident = inRecovery || sackedSegments >= DupThresh;
        return lossIsEvident && !reorderingSeen ? 0 : AdaptedNanos(mult, minRttNanos, srttNanos);
    }

    /// <summary>min(multiplier · min_RTT / 4, SRTT): the window while loss is not evident.</summary>
    /// <param name="mult">RACK.reo_wnd_mult.</param>
    /// <param name="minRttNanos">min_RTT in ns.</param>
    /// <param name="srttNanos">SRTT in ns.</param>
    /// <returns>ns.</returns>
    public static long AdaptedNanos(int mult, long minRttNanos, long srttNanos) =>
        (long)Int128.Min((Int128)minRttNanos * mult / 4, srttNanos); // Int128: a hostile trace may hold any round-trip time
}
