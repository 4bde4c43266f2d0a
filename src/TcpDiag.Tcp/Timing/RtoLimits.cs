namespace TcpDiag.Tcp.Timing;

/// <summary>What a stack puts around the retransmission timeout that RFC 6298 computes.</summary>
/// <param name="MinNs">Floor of the timeout in ns. RFC 6298 (2.4) asks for 1 s; every common stack uses less.</param>
/// <param name="MaxNs">Cap of the timeout in ns, backoff included; at least 60 s by RFC 6298 (2.5).</param>
/// <param name="GranularityNs">The clock granularity G in ns.</param>
public readonly record struct RtoLimits(long MinNs, long MaxNs, long GranularityNs)
{
    const long Ms = 1_000_000;

    /// <summary>RFC 6298 to the letter: floor 1 s, cap 60 s. G is 1 ms, finer than the 100 ms that §4 recommends.</summary>
    public static RtoLimits Rfc6298 => new(1_000 * Ms, 60_000 * Ms, 1 * Ms);

    /// <summary>Linux: floor 200 ms (TCP_RTO_MIN), cap 120 s (TCP_RTO_MAX).</summary>
    public static RtoLimits Linux => new(200 * Ms, 120_000 * Ms, 1 * Ms);

    /// <summary>Windows, Internet template: floor 300 ms (settings event 1223, MinRto). The cap is not documented; that of the RFC stands in.</summary>
    public static RtoLimits WindowsInternet => new(300 * Ms, 60_000 * Ms, 1 * Ms);

    /// <summary>Windows, Datacenter template: floor 20 ms (settings event 1223, MinRto).</summary>
    public static RtoLimits WindowsDatacenter => new(20 * Ms, 60_000 * Ms, 1 * Ms);
}
