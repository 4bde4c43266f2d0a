using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Congestion;

/// <summary>
/// HyStart with limited slow start, as the drafts of HyStart++ had it before conservative slow start replaced it
/// (draft-balasubramanian-tcpm-hystartplusplus-00 … -03): when the delay grows, ssthresh becomes cwnd and growth per acknowledgment is divided by
/// cwnd / (0.25·ssthresh). Windows: builds from 17763 on run this until CSS came (flag "limited slow start" of event 1429 v1).
/// The default value is the start of slow start.
/// </summary>
public struct LimitedSlowStart
{
    /// <summary>LOW_CWND: the delay is ignored below a window of so many segments.</summary>
    public const int LowCwndSegments = 16;

    const int Divisor = 4; // 1 / LSS_DIVISOR, which is 0.25

    DelayIncrease _delay;

    /// <summary>Whether the delay has grown; slow start is limited from then on, until loss or an ECN mark.</summary>
    public bool IsLimited { get; private set; }

    /// <summary>ssthresh in bytes: cwnd when slow start became limited; 0 before that.</summary>
    public long Ssthresh { get; private set; }

    /// <summary>An acknowledgment arrived in slow start.</summary>
    /// <param name="sndUna">SND.UNA after it.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="rttNanos">Its round-trip sample in ns; 0 when it gave none.</param>
    /// <param name="cwnd">cwnd in bytes.</param>
    /// <param name="smss">SMSS in bytes.</param>
    public void OnAckReceived(SequenceNumber sndUna, SequenceNumber sndNxt, long rttNanos, long cwnd, int smss)
    {
        _delay.OnAckReceived(sndUna, sndNxt, rttNanos);
        if (!IsLimited && _delay.HasGrown && cwnd >= (long)LowCwndSegments * smss)
        {
            IsLimited = true;
            Ssthresh = cwnd;
        }
    }

    /// <summary>By how much cwnd grows on an acknowledgment: min(N, L·SMSS), divided by K = cwnd / (0.25·ssthresh) once limited.</summary>
    /// <param name="ackedBytes">N: bytes newly acknowledged.</param>
    /// <param name="cwnd">cwnd in bytes, at least 1.</param>
    /// <param name="smss">SMSS in bytes.</param>
    /// <param name="l">L; <see cref="HyStart.LWithoutPacing"/>, or <see cref="int.MaxValue"/> with pacing.</param>
    /// <returns>Bytes.</returns>
    public readonly long Growth(long ackedBytes, long cwnd, int smss, int l = HyStart.LWithoutPacing)
    {
        long growth = Math.Min(ackedBytes, (long)l * smss);
        return IsLimited ? (long)((Int128)growth * Ssthresh / ((Int128)Divisor * cwnd)) : growth;
    }
}
