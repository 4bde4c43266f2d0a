using System.Globalization;

namespace TcpDiag.Impairment.Decisions;

/// <summary>Whether a run did what was asked of it. A run that did not is void: its figures say something about this machine, not about TCP.</summary>
public static class RunValidity
{
    // The share of packets whose delay error has to stay within the limit.
    const double Share = 0.99;

    /// <summary>Judges a run.</summary>
    /// <param name="errors">The delay errors of the run.</param>
    /// <param name="limitNs">What 99 % of the errors must not pass, in nanoseconds.</param>
    /// <param name="capacityDrops">Packets dropped because the emulator was full.</param>
    /// <param name="losses">What happened without a decision.</param>
    /// <returns>Why the run is void, as a sentence; null if it is valid.</returns>
    public static string? FindFault(DelayErrorStatistics errors, long limitNs, long capacityDrops, RunLosses losses)
    {
        if (capacityDrops > 0)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"The run is void: {capacityDrops} packets were dropped because the emulator was full. Take a smaller buffer, rate or delay.");
        }

        if (losses.Packets > 0)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"The run is void: the system lost {losses.Packets} packets before they could be emulated. Lower the load, or let the emulator run with real-time priority.");
        }

        if (losses.Bypassed > 0)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"The run is void: {losses.Bypassed} packets passed the full queue without being emulated. Lower the load, narrow the match, or let the emulator run with real-time priority.");
        }

        long p99 = errors.QuantileNs(Share);
        return p99 <= limitNs
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"The run is void: 1 % of the packets left more than {p99 / 1000.0:F1} µs late, the limit is {limitNs / 1000.0:F1} µs. Lower the rate, or let the emulator run with real-time priority.");
    }
}
