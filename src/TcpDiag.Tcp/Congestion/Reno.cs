using System;

namespace TcpDiag.Tcp.Congestion;

/// <summary>Slow start, congestion avoidance and their reductions (RFC 5681), on which every other algorithm builds. All amounts are bytes.</summary>
public struct Reno
{
    readonly int _smss;

    // Acknowledged since cwnd last grew in congestion avoidance (appropriate byte counting, RFC 3465 §2.1).
    long _bytesAcked;

    /// <summary>A connection in slow start.</summary>
    /// <param name="initialWindow">The initial window.</param>
    /// <param name="smss">SMSS, at least 1.</param>
    public Reno(long initialWindow, int smss)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(smss, 1);
        Cwnd = initialWindow;
        Ssthresh = long.MaxValue;
        _smss = smss;
    }

    /// <summary>cwnd.</summary>
    public long Cwnd { get; private set; }

    /// <summary>ssthresh; the largest number before the first reduction.</summary>
    public long Ssthresh { get; private set; }

    /// <summary>Whether cwnd is below ssthresh.</summary>
    public readonly bool InSlowStart => Cwnd < Ssthresh;

    /// <summary>ssthresh after loss: max(FlightSize / 2, 2·SMSS) (RFC 5681 §3.1, equation 4).</summary>
    /// <param name="flightBytes">FlightSize.</param>
    /// <param name="smss">SMSS.</param>
    /// <returns>Bytes.</returns>
    public static long SsthreshAfterLoss(long flightBytes, int smss) => Math.Max(flightBytes / 2, 2L * smss);

    /// <summary>An acknowledgment of new data outside recovery (RFC 5681 §3.1).</summary>
    /// <param name="ackedBytes">N: bytes newly acknowledged.</param>
    /// <param name="isCwndLimited">Whether cwnd limits the sender; it does not grow otherwise.</param>
    public void OnAckReceived(long ackedBytes, bool isCwndLimited)
    {
        if (InSlowStart)
        {
            OnSlowStartAck(Math.Min(ackedBytes, _smss), isCwndLimited);
        }
        else
        {
            OnAvoidanceAck(ackedBytes, isCwndLimited);
        }
    }

    /// <summary>An acknowledgment of new data in slow start, by a rule of the caller's (RFC 3465, RFC 9406).</summary>
    /// <param name="growthBytes">How far cwnd grows on it.</param>
    /// <param name="isCwndLimited">Whether cwnd limits the sender; it does not grow otherwise.</param>
    public void OnSlowStartAck(long growthBytes, bool isCwndLimited) => Cwnd += isCwndLimited ? growthBytes : 0;

    /// <summary>An acknowledgment of new data in congestion avoidance (RFC 5681 §3.1).</summary>
    /// <param name="ackedBytes">N: bytes newly acknowledged.</param>
    /// <param name="isCwndLimited">Whether cwnd limits the sender; it does not grow otherwise.</param>
    public void OnAvoidanceAck(long ackedBytes, bool isCwndLimited)
    {
        if (!isCwndLimited)
        {
            return;
        }

        // One SMSS per window acknowledged: RFC 5681 §3.1 prefers counting bytes to adding SMSS·SMSS/cwnd.
        _bytesAcked += ackedBytes;
        if (_bytesAcked >= Cwnd)
        {
            _bytesAcked -= Cwnd;
            Cwnd += _smss;
        }
    }

    /// <summary>Slow start ends without loss (RFC 9406 §4.2).</summary>
    public void OnSlowStartExit() => Ssthresh = Cwnd;

    /// <summary>The path has to be probed anew after an idle time (RFC 5681 §4.1).</summary>
    /// <param name="restartWindow">RW (<see cref="IdleRestart"/>).</param>
    public void OnIdle(long restartWindow) => Cwnd = Math.Min(Cwnd, restartWindow);

    /// <summary>Fast retransmit (RFC 5681 §3.2 steps 2 and 3), or an ECN echo (RFC 3168 §6.1.2).</summary>
    /// <param name="flightBytes">FlightSize, without what Limited Transmit sent.</param>
    /// <param name="duplicateAcks">Duplicates that stand for segments which left the network: 3 for fast retransmit, 0 with SACK, PRR or ECN.</param>
    public void OnLoss(long flightBytes, int duplicateAcks)
    {
        Ssthresh = SsthreshAfterLoss(flightBytes, _smss);
        Cwnd = Ssthresh + ((long)duplicateAcks * _smss);
        _bytesAcked = 0;
    }

    /// <summary>A further duplicate during fast recovery: a segment left the network (RFC 5681 §3.2 step 4).</summary>
    public void OnDuplicateAck() => Cwnd += _smss;

    /// <summary>A partial acknowledgment during fast recovery: deflate by what it acknowledges and add one segment back (RFC 6582 §3.2 step 3).</summary>
    /// <param name="ackedBytes">Bytes newly acknowledged.</param>
    public void OnPartialAck(long ackedBytes) => Cwnd = Math.Max(Cwnd - ackedBytes, 0) + (ackedBytes >= _smss ? _smss : 0);

    /// <summary>Fast recovery ends: min(ssthresh, max(FlightSize, SMSS) + SMSS), which avoids a burst (RFC 6582 §3.2 step 3, option 1).</summary>
    /// <param name="flightBytes">FlightSize after the full acknowledgment.</param>
    public void OnFullAck(long flightBytes) => Cwnd = Math.Min(Ssthresh, Math.Max(flightBytes, _smss) + _smss);

    /// <summary>The retransmission timer expired (RFC 5681 §3.1): one segment, the loss window.</summary>
    /// <param name="flightBytes">FlightSize.</param>
    /// <param name="isRepeated">Whether it had expired for the same segment before; ssthresh then stays.</param>
    public void OnTimeout(long flightBytes, bool isRepeated)
    {
        Ssthresh = isRepeated ? Ssthresh : SsthreshAfterLoss(flightBytes, _smss);
        Cwnd = _smss;
        _bytesAcked = 0;
    }
}
