using System;

namespace TcpDiag.Tcp.Loss;

/// <summary>Tail loss probe (RFC 8985 §7): when a quiet tail is probed instead of waiting for the retransmission timeout.</summary>
public static class TailLossProbe
{
    /// <summary>PTO before the first round-trip sample in ns (RFC 8985 §7.2).</summary>
    public const long PtoWithoutSrttNs = 1_000_000_000;

    /// <summary>The probe timeout (RFC 8985 §7.2, TLP_calc_PTO): 2·SRTT, never later than the pending RTO.</summary>
    /// <param name="srttNs">SRTT in ns; 0 when there is none yet.</param>
    /// <param name="flightIsOneSegment">Whether FlightSize is one segment, which a receiver may acknowledge with delay.</param>
    /// <param name="maxAckDelayNs">TLP.max_ack_delay in ns, added for one segment; the value is the stack's.</param>
    /// <param name="rtoExpiresInNs">Time until the RTO expires in ns.</param>
    /// <returns>ns from now.</returns>
    public static long PtoNs(long srttNs, bool flightIsOneSegment, long maxAckDelayNs, long rtoExpiresInNs)
    {
        long pto = PtoWithoutSrttNs;
        if (srttNs > 0)
        {
            pto = (2 * srttNs) + (flightIsOneSegment ? maxAckDelayNs : 0);
        }

        return Math.Min(pto, rtoExpiresInNs);
    }
}
