using System;

namespace TcpDiag.Tcp.Congestion;

/// <summary>
/// Proportional Rate Reduction (RFC 9937): how much may be sent on each acknowledgment of a fast recovery, so that what is in flight comes
/// down to ssthresh evenly instead of after half a round trip of silence. All amounts are bytes.
/// </summary>
public struct Prr
{
    /// <summary>Begins a recovery (§6.1).</summary>
    /// <param name="ssthresh">The target that congestion control chose.</param>
    /// <param name="recoverFs">RecoverFS (<see cref="ComputeRecoverFs"/>); at least 1.</param>
    public Prr(long ssthresh, long recoverFs)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(recoverFs, 1);
        Ssthresh = ssthresh;
        RecoverFs = recoverFs;
    }

    /// <summary>The target for what is in flight at the end; cwnd is set to it then (§6.4).</summary>
    public readonly long Ssthresh { get; }

    /// <summary>FlightSize at the start of recovery, fixed for the episode.</summary>
    public readonly long RecoverFs { get; }

    /// <summary>Delivered since the start of recovery.</summary>
    public long PrrDelivered { get; private set; }

    /// <summary>Sent since the start of recovery.</summary>
    public long PrrOut { get; private set; }

    /// <summary>RecoverFS (§6.1): SND.NXT − SND.UNA less what had been SACKed before the acknowledgment that starts recovery.</summary>
    /// <param name="flightBytes">SND.NXT − SND.UNA after that acknowledgment.</param>
    /// <param name="sackedBytes">Bytes SACKed in the scoreboard after it.</param>
    /// <param name="newlyDeliveredBytes">Bytes it newly acknowledged or SACKed.</param>
    /// <returns>Bytes; RFC 6937 used plain <paramref name="flightBytes"/>.</returns>
    public static long ComputeRecoverFs(long flightBytes, long sackedBytes, long newlyDeliveredBytes) => flightBytes - sackedBytes + newlyDeliveredBytes;

    /// <summary>An acknowledgment arrived (§6.2).</summary>
    /// <param name="deliveredBytes">DeliveredData: advance of SND.UNA plus the change of what is SACKed.</param>
    /// <param name="inFlightBytes">What is in flight after it (pipe).</param>
    /// <param name="isSafeAck">Whether it advances SND.UNA and shows no further loss.</param>
    /// <param name="smss">SMSS.</param>
    /// <returns>SndCnt: how much may be sent now; cwnd is <paramref name="inFlightBytes"/> plus this.</returns>
    public long OnAckReceived(long deliveredBytes, long inFlightBytes, bool isSafeAck, int smss)
    {
        if (deliveredBytes <= 0)
        {
            return 0;
        }

        PrrDelivered += deliveredBytes;
        long sndCnt = inFlightBytes > Ssthresh ? Proportional() : CatchUp(deliveredBytes, inFlightBytes, isSafeAck ? smss : 0);
        sndCnt = Math.Max(sndCnt, 0);
        return sndCnt == 0 && PrrOut == 0 ? smss : sndCnt; // the fast retransmit itself always goes out
    }

    /// <summary>Data was sent, new or old (§6.3).</summary>
    /// <param name="bytes">Its bytes.</param>
    public void OnSegmentSent(long bytes) => PrrOut += bytes;

    // ceil(prr_delivered · ssthresh / RecoverFS) − prr_out. The product of two windows of 2³¹ just fits 63 bits; a damaged trace may hold more.
    readonly long Proportional() => (long)((((Int128)PrrDelivered * Ssthresh) + RecoverFs - 1) / RecoverFs) - PrrOut;

    readonly long CatchUp(long deliveredBytes, long inFlightBytes, int slowStartBytes) =>
        Math.Min(Ssthresh - inFlightBytes, Math.Max(PrrDelivered - PrrOut, deliveredBytes) + slowStartBytes);
}
