using System;
using TcpDiag.Tcp.Timing;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>What the timers of a sender may be, as far as the RTT samples of the capture tell.</summary>
readonly struct Timing
{
    const long CommonFloor = 200_000_000; // ns: the lowest minimum RTO of common stacks on a WAN (Linux; Windows 300 ms)

    /// <summary>Works the timers out.</summary>
    /// <param name="estimator">SRTT and RTTVAR of the direction's data.</param>
    /// <param name="handshakeRtt">RTT of the handshake, nanoseconds; 0 when not measured.</param>
    public Timing(in RttEstimator estimator, long handshakeRtt)
    {
        // At the receiver the samples are its own delay: the handshake tells the round trip there.
        long srtt = Math.Max(estimator.SrttNs, handshakeRtt);
        LeastRto = srtt + (4 * estimator.RttVarNs);
        ShortestPto = (2 * srtt) - (srtt / 4);
        TypicalRto = Math.Max(LeastRto, CommonFloor);
    }

    /// <summary>SRTT + 4·RTTVAR (RFC 6298 (2.2)): no timer expires sooner, whatever its floor. Nanoseconds.</summary>
    public long LeastRto { get; }

    /// <summary>The same with a common floor, nanoseconds.</summary>
    public long TypicalRto { get; }

    /// <summary>2·SRTT (RFC 8985 §7.2) less an eighth for a smoothed RTT that differs from the sender's, nanoseconds.</summary>
    public long ShortestPto { get; }
}
