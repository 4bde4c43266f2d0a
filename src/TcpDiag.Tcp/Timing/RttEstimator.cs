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
    public const long InitialRtoNanos = 1 * Second;

    /// <summary>RTO before the first sample in ns when a SYN timed out (RFC 6298 (5.7)).</summary>
    public const long RtoAfterSynTimeoutNanos = 3 * Second;

    const long MaxSampleNanos = (1L << 60) - 1;
    const int GainOfSrtt = 8; // alpha = 1/8
    const int GainOfRttVar = 4; // beta = 1/4

    bool _synTimedOut;

    /// <summary>SRTT in ns; 0 before the first sample, at least 1 after it.</summary>
    public long SrttNanos { get; private set; }

    /// <summary>RTTVAR in ns; 0 before the first sample.</summary>
    public long RttVarNanos { get; private set; }

    /// <summary>How often the timeout has been doubled since the last sample (RFC 6298 (5.5)).</summary>
    public int Backoff { get; private set; }

    /// <summary>Whether there was a sample.</summary>
    public readonly bool HasSample => SrttNanos > 0;

    /// <summary>
    /// Karn's rule (RFC 6298 §3): an acknowledgment of retransmitted data gives no sample, unless its timestamp shows which transmission it answers.
    /// </summary>
    /// <param name="wasRetransmitted">Whether any of the data acknowledged was sent more than once.</param>
    /// <param name="hasTimestamp">Whether the acknowledgment echoes a timestamp (RFC 7323).</param>
    /// <returns>True when the sample is unambiguous.</returns>
    public static bool MaySample(bool wasRetransmitted, bool hasTimestamp) => !wasRetransmitted || hasTimestamp;

    /// <summary>How many samples a round trip gives when every second segment is acknowledged: ceil(FlightSize / (2·SMSS)) (RFC 7323 appendix G).</summary>
    /// <param name="flightBytes">FlightSize in bytes.</param>
    /// <param name="smss">SMSS in bytes, at least 1.</param>
    /// <returns>At least 1.</returns>
    public static int ExpectedSamples(long flightBytes, int smss) =>
        (int)Math.Clamp((flightBytes + (2L * smss) - 1) / (2L * smss), 1, int.MaxValue / GainOfSrtt);

    /// <summary>Takes a sample (RFC 6298 (2.2), (2.3)) and ends the backoff.</summary>
    /// <param name="rttNanos">The round-trip time R' in ns; less than 1 counts as 1.</param>
    /// <param name="samplesPerRound">The factor by which the gains are lowered (<see cref="ExpectedSamples"/>); 1 for plain RFC 6298.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)] // with a constant factor, no division is left
    public void OnSample(long rttNanos, int samplesPerRound = 1)
    {
        long r = Math.Clamp(rttNanos, 1, MaxSampleNanos);
        Backoff = 0;
        if (!HasSample)
        {
            SrttNanos = r;
            RttVarNanos = r / 2;
            return;
        }

        // RTTVAR first: (2.3) wants it computed with the SRTT before this sample.
        long difference = SrttNanos - r;
        long sign = difference >> 63;
        long deviation = (difference ^ sign) - sign; // its size, without a branch that cannot be predicted
        RttVarNanos += (deviation - RttVarNanos) / (GainOfRttVar * samplesPerRound);
        SrttNanos += (r - SrttNanos) / (GainOfSrtt * samplesPerRound);
    }

    /// <summary>The retransmission timer expired: the timeout doubles (RFC 6298 (5.5)).</summary>
    public void OnTimeout() => Backoff++;

    /// <summary>
    /// The handshake is done. Where a SYN timed out, the backoff ends and data starts with 3 s (RFC 6298 (5.7)); a sample of the
    /// handshake itself may follow.
    /// </summary>
    /// <param name="synTimedOut">Whether a SYN or SYN/ACK of this end was retransmitted by timer.</param>
    public void OnHandshakeDone(bool synTimedOut)
    {
        _synTimedOut = synTimedOut;
        Backoff = 0;
    }

    /// <summary>RTO = SRTT + max(G, 4·RTTVAR), at least the floor, doubled per backoff, at most the cap (RFC 6298 (2.2)–(2.5), (5.5)).</summary>
    /// <param name="limits">Floor, cap and granularity of the stack.</param>
    /// <returns>ns, at least 1 for sane limits.</returns>
    public readonly long RtoNanos(in RtoLimits limits)
    {
        long rto = Math.Max(UnboundedRtoNanos(Math.Max(limits.GranularityNanos, limits.MinDeviationNanos)), limits.MinNanos);

        // A shift beyond 63 bits is past any cap.
        bool fits = Backoff < BitOperations.LeadingZeroCount((ulong)rto);
        return fits ? Math.Min(rto << Backoff, limits.MaxNanos) : limits.MaxNanos;
    }

    readonly long UnboundedRtoNanos(long minDeviationNanos)
    {
        if (!HasSample)
        {
            return _synTimedOut ? RtoAfterSynTimeoutNanos : InitialRtoNanos;
        }

        return SrttNanos + Math.Max(minDeviationNanos, 4 * RttVarNanos);
    }
}

/// <summary>The bounds a stack sets to the retransmission timeout that RFC 6298 computes.</summary>
/// <param name="MinNanos">Floor of the timeout in ns. RFC 6298 (2.4) asks for 1 s; every common stack uses less.</param>
/// <param name="MaxNanos">Cap of the timeout in ns, backoff included; at least 60 s by RFC 6298 (2.5).</param>
/// <param name="GranularityNanos">The clock granularity G in ns.</param>
public readonly record struct RtoLimits(long MinNanos, long MaxNanos, long GranularityNanos)
{
    const long Ms = 1_000_000;

    /// <summary>What a stack adds to SRTT at least, in ns, where that is more than G; 0 for RFC 6298.</summary>
    public long MinDeviationNanos { get; init; }

    /// <summary>RFC 6298 as written: floor 1 s, cap 60 s. G is 1 ms, finer than the 100 ms that §4 recommends.</summary>
    public static RtoLimits Rfc6298 => new(1_000 * Ms, 60_000 * Ms, 1 * Ms);

    /// <summary>Linux: SRTT and 200 ms more (TCP_RTO_MIN; tcp_rtt_estimator keeps rttvar_us at that), cap 120 s (TCP_RTO_MAX).</summary>
    public static RtoLimits Linux => new(200 * Ms, 120_000 * Ms, 1 * Ms) { MinDeviationNanos = 200 * Ms };

    /// <summary>Windows, Internet template: floor 300 ms (settings event 1223, MinRto). The cap is not documented; the RFC's is used.</summary>
    public static RtoLimits WindowsInternet => new(300 * Ms, 60_000 * Ms, 1 * Ms);

    /// <summary>Windows, Datacenter template: floor 20 ms (settings event 1223, MinRto).</summary>
    public static RtoLimits WindowsDatacenter => new(20 * Ms, 60_000 * Ms, 1 * Ms);
}
