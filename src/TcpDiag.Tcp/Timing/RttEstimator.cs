using System;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace TcpDiag.Tcp.Timing;

/// <summary>
/// Smoothed round-trip time and retransmission timeout (RFC 6298), with the gains of RFC 7323 appendix G where there are many
/// samples per round trip. The default value is an estimator without samples. It knows neither clock nor segments: whether a
/// sample may be taken at all is Karn's rule, <see cref="MaySample"/>.
/// </summary>
/// <remarks>Integers in ns; a division loses less than 1 ns per sample. Samples are held below 2⁶⁰ ns, so 4·RTTVAR + SRTT stays below 2⁶³.</remarks>
public struct RttEstimator
{
    const long Second = 1_000_000_000;

    /// <summary>RTO before the first sample in ns (RFC 6298 (2.1)).</summary>
    public const long InitialRtoNs = 1 * Second;

    /// <summary>RTO before the first sample in ns when a SYN timed out (RFC 6298 (5.7)).</summary>
    public const long RtoAfterSynTimeoutNs = 3 * Second;

    const long LargestSampleNs = (1L << 60) - 1;
    const int GainOfSrtt = 8; // alpha = 1/8
    const int GainOfRttVar = 4; // beta = 1/4

    bool _synTimedOut;

    /// <summary>SRTT in ns; 0 before the first sample, at least 1 after it.</summary>
    public long SrttNs { get; private set; }

    /// <summary>RTTVAR in ns; 0 before the first sample.</summary>
    public long RttVarNs { get; private set; }

    /// <summary>How often the timeout has been doubled since the last sample (RFC 6298 (5.5)).</summary>
    public int Backoff { get; private set; }

    /// <summary>Whether there was a sample.</summary>
    public readonly bool HasSample => SrttNs > 0;

    /// <summary>Karn's rule (RFC 6298 §3): an acknowledgment of resent data is no sample, unless its timestamp tells which sending it answers.</summary>
    /// <param name="wasResent">Whether any of the data acknowledged was sent more than once.</param>
    /// <param name="hasTimestamp">Whether the acknowledgment echoes a timestamp (RFC 7323).</param>
    /// <returns>True when the sample is unambiguous.</returns>
    public static bool MaySample(bool wasResent, bool hasTimestamp) => !wasResent || hasTimestamp;

    /// <summary>How many samples a round trip gives when every second segment is acknowledged: ceil(FlightSize / (2·SMSS)) (RFC 7323 appendix G).</summary>
    /// <param name="flightBytes">FlightSize in bytes.</param>
    /// <param name="smss">SMSS in bytes, at least 1.</param>
    /// <returns>At least 1.</returns>
    public static int ExpectedSamples(long flightBytes, int smss) => (int)Math.Clamp((flightBytes + (2L * smss) - 1) / (2L * smss), 1, int.MaxValue / GainOfSrtt);

    /// <summary>Takes a sample (RFC 6298 (2.2), (2.3)) and ends the backoff.</summary>
    /// <param name="rttNs">The round-trip time R' in ns; less than 1 counts as 1.</param>
    /// <param name="samplesPerRound">By how much the gains are lowered (<see cref="ExpectedSamples"/>); 1 for RFC 6298 as it stands.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)] // with the number known, no division is left
    public void OnSample(long rttNs, int samplesPerRound = 1)
    {
        long r = Math.Clamp(rttNs, 1, LargestSampleNs);
        Backoff = 0;
        if (!HasSample)
        {
            SrttNs = r;
            RttVarNs = r / 2;
            return;
        }

        // RTTVAR first: (2.3) wants it computed with the SRTT before this sample.
        long difference = SrttNs - r;
        long sign = difference >> 63;
        long deviation = (difference ^ sign) - sign; // its size, without a branch: on which side a sample lies, nothing predicts
        RttVarNs += (deviation - RttVarNs) / (GainOfRttVar * samplesPerRound);
        SrttNs += (r - SrttNs) / (GainOfSrtt * samplesPerRound);
    }

    /// <summary>The retransmission timer expired: the timeout doubles (RFC 6298 (5.5)).</summary>
    public void OnTimeout() => Backoff++;

    /// <summary>
    /// The handshake is done. Where a SYN timed out, the backoff is forgotten and data starts with 3 s (RFC 6298 (5.7)); a sample of the
    /// handshake itself may follow.
    /// </summary>
    /// <param name="synTimedOut">Whether a SYN or SYN/ACK of this end was resent by timer.</param>
    public void OnHandshakeDone(bool synTimedOut)
    {
        _synTimedOut = synTimedOut;
        Backoff = 0;
    }

    /// <summary>RTO = SRTT + max(G, 4·RTTVAR), at least the floor, doubled per backoff, at most the cap (RFC 6298 (2.2)–(2.5), (5.5)).</summary>
    /// <param name="limits">Floor, cap and granularity of the stack.</param>
    /// <returns>ns, at least 1 for sane limits.</returns>
    public readonly long RtoNs(in RtoLimits limits)
    {
        long rto = Math.Max(UnboundedRtoNs(limits.GranularityNs), limits.MinNs);

        // A shift that would leave 63 bits is past any cap.
        bool fits = Backoff < BitOperations.LeadingZeroCount((ulong)rto);
        return fits ? Math.Min(rto << Backoff, limits.MaxNs) : limits.MaxNs;
    }

    readonly long UnboundedRtoNs(long granularityNs)
    {
        if (!HasSample)
        {
            return _synTimedOut ? RtoAfterSynTimeoutNs : InitialRtoNs;
        }

        return SrttNs + Math.Max(granularityNs, 4 * RttVarNs);
    }
}
